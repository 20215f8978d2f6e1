import type { Types } from "mongoose";
import { Review, type ReviewDocument } from "#models/review";
import { newestFirst, reviewCursor, reviewPlace } from "~/db/cursor.server";
import { hasComment } from "~/reviews/list/commented.server";
import { toListedReviews } from "~/reviews/list/listed-review.server";
import {
  namingAuthors,
  type ReviewPage,
  REVIEWS_PER_PAGE,
  TOURS_AT_ONCE,
} from "~/reviews/list/page.server";
import { batches } from "~/db/batches";
import { anyOf } from "~/db/ids.server";
import { findMalformedReviews } from "~/reviews/list/malformed.server";
import { cachedFor } from "~/reviews/list/cached-by-version.server";
import { newestReviews } from "~/reviews/list/newest-reviews.server";
import { hasStars } from "~/reviews/ratings.server";
import { newestInBatches } from "./newest-in-batches.server";
import {
  findAnswers,
  findRemovedReplies,
  type RemovedReply,
  removedReplies,
} from "./replies.server";

/** After so many reviews that were looked at, a page is shown as it is. */
const MOST_SEARCHED = 1_000;

// The parts of the order, one behind the other, by what a cursor into them begins with.
const COMMENTED = "";
const WORDLESS = "wordless_";
const ANSWERED = "answered_";
const PARTS = [COMMENTED, WORDLESS, ANSWERED];

interface UnansweredQuery {
  stars: number | null;
  after: string | null;
  /** The id of a review that stays where it was before it was answered. */
  stays?: string | null;
  /** How many reviews the tours have, as far as that is known. */
  total?: number;
  /** Names the state of the tours' reviews, as far as that is known. */
  state?: string | null;
}

export interface UnansweredPage extends ReviewPage {
  /** How many reviews were looked at when the search ended before the page was full; null if it did not. */
  searched: number | null;
  /** The replies that operators have removed, by their reviews' ids. */
  removed: Map<string, RemovedReply>;
  /** How many reviews wait for a reply; null where not all were read. */
  waiting: number | null;
}

/**
 * Those without a reply and with a comment, then those without either, then those with a reply, or whose reply an
 * operator has removed; each newest first. Where a thousand reviews that were looked at are of other parts, it ends
 * there, and the cursor goes on from there.
 */
export async function pageUnansweredFirst(
  tourIds: Types.ObjectId[],
  asked: UnansweredQuery,
): Promise<UnansweredPage> {
  return (
    (await pageOfAll(tourIds, asked)) ??
    (await pageOfNewest(tourIds, asked)) ??
    pageOfParts(tourIds, asked)
  );
}

/** Reviews that are read by one query and sorted here. */
const FEW = 500;
/** As many of the newest nearly always have a page of those that wait. */
const NEWEST = 300;
/** In milliseconds. A platform's own writes raise no version; replies are read anew. */
const KEPT_MS = 30_000;

/** Puts reviews in the order of the page; `answers` are their replies. */
function inPageOrder(reviews: ReviewDocument[], answers: Answers, { stays }: UnansweredQuery) {
  const rows = reviews.map((review) => ({
    review,
    place: reviewPlace(review),
    part: orderPart(review, answers, stays),
  }));
  return rows.sort(
    (a, b) => PARTS.indexOf(a.part) - PARTS.indexOf(b.part) || newestFirst(a.place, b.place),
  );
}

type Answers = Awaited<ReturnType<typeof findAnswers>>;

async function toPage(
  rows: ReturnType<typeof inPageOrder>,
  answers: Answers,
  waiting: number | null,
): Promise<UnansweredPage> {
  const shown = rows.slice(0, REVIEWS_PER_PAGE);
  const last = shown.at(-1);
  return namingAuthors({
    reviews: await toListedReviews(
      shown.map(({ review }) => review),
      { replies: answers },
    ),
    next: last && rows.length > shown.length ? last.part + reviewCursor.encode(last.place) : null,
    searched: null,
    removed: removedReplies(answers.values()),
    waiting,
  });
}

/** The first page when there are few reviews; null otherwise. */
async function pageOfAll(
  tourIds: Types.ObjectId[],
  asked: UnansweredQuery,
): Promise<UnansweredPage | null> {
  const { stars, after, total = Infinity } = asked;
  if (total > FEW || after !== null) return null;
  const reviews = await Review.find({ tourId: { $in: tourIds } })
    .limit(FEW + 1)
    .batchSize(FEW + 1)
    .lean<ReviewDocument[]>();
  if (reviews.length > FEW) return null;
  const answers = await findAnswers(reviews.map(({ _id }) => _id));
  const rows = inPageOrder(reviews, answers, asked);
  return toPage(
    rows.filter(({ review }) => hasStars(review, stars)),
    answers,
    rows.filter(({ part }) => part !== ANSWERED).length,
  );
}

/** The first page when the newest reviews have enough that wait, with a comment; null otherwise. */
async function pageOfNewest(
  tourIds: Types.ObjectId[],
  asked: UnansweredQuery,
): Promise<UnansweredPage | null> {
  if (asked.after !== null || asked.stars !== null) return null;
  // No index has these in their place.
  if ((await findMalformedReviews({ tourId: anyOf(tourIds) })).length > 0) return null;
  const read = () => readNewest(tourIds);
  const looked = await (asked.state ? cachedFor(`newest ${asked.state}`, KEPT_MS, read) : read());
  const answers = await findAnswers(looked.map(({ _id }) => _id));
  const rows = inPageOrder(looked, answers, asked).filter(({ part }) => part === COMMENTED);
  return rows.length > REVIEWS_PER_PAGE ? toPage(rows, answers, null) : null;
}

async function readNewest(tourIds: Types.ObjectId[]): Promise<ReviewDocument[]> {
  const newest: ReviewDocument[] = [];
  for (const some of batches(tourIds, TOURS_AT_ONCE)) {
    const selection = { tourId: anyOf(some) };
    newest.push(...(await newestReviews(selection, { limit: NEWEST, after: null })));
  }
  return newest.sort((a, b) => newestFirst(reviewPlace(a), reviewPlace(b))).slice(0, NEWEST);
}

/** Any page: reads each part through all reviews that may be in it. */
async function pageOfParts(
  tourIds: Types.ObjectId[],
  { stars, after, stays }: UnansweredQuery,
): Promise<UnansweredPage> {
  // By id, because a malformed review may come twice.
  const found = new Map<string, { review: ReviewDocument; cursor: string }>();
  let searched = 0;
  let end: string | null = null;
  let cursor = "";
  const isEnough = () => end !== null || found.size > REVIEWS_PER_PAGE;
  const from = PARTS.findLast((part) => after?.startsWith(part)) ?? COMMENTED;
  let place = reviewCursor.decode(after?.slice(from.length) ?? null);
  for (const part of PARTS.slice(PARTS.indexOf(from))) {
    if (isEnough()) break;
    const commented = part === COMMENTED;
    for await (const lot of newestInBatches(tourIds, { stars, commented, after: place })) {
      const answers = await findAnswers(lot.map(({ _id }) => _id));
      for (const review of lot) {
        cursor = part + reviewCursor.encode(reviewPlace(review));
        if (orderPart(review, answers, stays) === part)
          found.set(review._id.toString(), { review, cursor });
      }
      searched += lot.length;
      if (searched >= MOST_SEARCHED) end = cursor;
      if (isEnough()) break;
    }
    place = null;
  }
  const shown = [...found.values()].slice(0, REVIEWS_PER_PAGE);
  const next = found.size > REVIEWS_PER_PAGE ? (shown.at(-1)?.cursor ?? null) : end;
  return namingAuthors({
    reviews: await toListedReviews(shown.map(({ review }) => review)),
    next,
    searched: next && shown.length < REVIEWS_PER_PAGE ? searched : null,
    removed: await findRemovedReplies(shown.map(({ review }) => review._id)),
    waiting: null,
  });
}

function orderPart(review: ReviewDocument, answers: Answers, stays: string | null = null): string {
  const id = review._id.toString();
  if (id !== stays && answers.has(id)) return ANSWERED;
  return hasComment(review) ? COMMENTED : WORDLESS;
}
