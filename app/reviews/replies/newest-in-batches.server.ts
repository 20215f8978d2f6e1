import type { QueryFilter, Types } from "mongoose";
import type { ReviewDocument } from "#models/review";
import { BATCH, batches } from "~/db/batches";
import { cutPage, newestFirst, type Place, reviewPlace } from "~/db/cursor.server";
import { anyOf } from "~/db/ids.server";
import { WITH_COMMENT } from "~/reviews/list/commented.server";
import { findMalformedReviews, ofStars } from "~/reviews/list/malformed.server";
import { newestReviews } from "~/reviews/list/newest-reviews.server";
import { REVIEWS_PER_PAGE, TOURS_AT_ONCE } from "~/reviews/list/page.server";
import { hasStars } from "~/reviews/ratings.server";

/** How many sources are begun at the same time. */
const AT_ONCE = 5;

interface WantedReviews {
  /** Only those with that many stars; null for all. */
  stars: number | null;
  /** Leaves out many of those without a comment, so that an index of the others is enough. */
  commented: boolean;
  after: Place | null;
}

/**
 * The tours' reviews after a place, newest first, a page of them and then a batch at a time; reads hardly further than
 * they are taken. A malformed one may come twice, one behind the other.
 */
export async function* newestInBatches(
  tourIds: Types.ObjectId[],
  wanted: WantedReviews,
): AsyncGenerator<ReviewDocument[]> {
  let lot: ReviewDocument[] = [];
  let size = REVIEWS_PER_PAGE + 1;
  for await (const review of mergedNewestFirst(await reviewSources(tourIds, wanted))) {
    if (lot.push(review) < size) continue;
    yield lot;
    lot = [];
    size = BATCH;
  }
  if (lot.length > 0) yield lot;
}

type Source = AsyncIterator<ReviewDocument> | Iterator<ReviewDocument>;

/**
 * Returns one source for each range of an index, and one of the malformed reviews, which no index has in their place.
 */
async function reviewSources(
  tourIds: Types.ObjectId[],
  { stars, commented, after }: WantedReviews,
): Promise<Source[]> {
  const sources: Source[] = [];
  for (const some of batches(tourIds, TOURS_AT_ONCE)) {
    const tourId = anyOf(some);
    const malformed = await findMalformedReviews({ tourId });
    const hasMalformed = malformed.length > 0;
    const rows = malformed.filter((review) => hasStars(review, stars));
    sources.push(cutPage(rows, { place: after, size: rows.length }).rows.values());
    const only = {
      ...(commented && WITH_COMMENT),
      ...(hasMalformed && { createdAt: { $type: "date" as const } }),
    };
    // The index of comments has them by stars.
    for (const rating of stars ? [stars] : commented ? [1, 2, 3, 4, 5] : [null]) {
      const selection = rating ? ofStars(tourId, rating, hasMalformed) : { tourId };
      sources.push(pagedRows(selection, after, commented || hasMalformed ? only : undefined));
    }
  }
  return sources;
}

/** The rows of one query after the other. */
async function* pagedRows(
  selection: QueryFilter<ReviewDocument>,
  after: Place | null,
  only: QueryFilter<ReviewDocument> | undefined,
): AsyncGenerator<ReviewDocument> {
  for (let place = after, limit = REVIEWS_PER_PAGE + 1; ; limit = BATCH) {
    const rows = await newestReviews(selection, { limit, after: place, only });
    yield* rows;
    if (rows.length < limit) return;
    place = reviewPlace(rows.at(-1)!);
  }
}

/** Merges sorted sources: reads one review of each, and the next one of the source whose review was taken. */
async function* mergedNewestFirst(sources: Source[]): AsyncGenerator<ReviewDocument> {
  const heads: { review: ReviewDocument; place: Place; source: Source }[] = [];
  const advance = async (source: Source) => {
    const head = await source.next();
    if (!head.done) heads.push({ review: head.value, place: reviewPlace(head.value), source });
  };
  for (const some of batches(sources, AT_ONCE)) await Promise.all(some.map(advance));
  while (heads.length > 0) {
    heads.sort((a, b) => newestFirst(a.place, b.place));
    const { review, source } = heads.shift()!;
    yield review;
    await advance(source);
  }
}
