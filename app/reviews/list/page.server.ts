import type { Types } from "mongoose";
import type { ReviewSort } from "~/lib/review-limits";
import type { ReviewDocument } from "#models/review";
import type { TourDocument } from "#models/tour";
import { batches } from "~/db/batches";
import { anyOf } from "~/db/ids.server";
import {
  cutPage,
  lowestFirst,
  newestFirst,
  type Order,
  type Place,
  reviewCursor,
} from "~/db/cursor.server";
import { hasStars } from "~/reviews/ratings.server";
import { findReviews, type WordsFilter } from "~/reviews/words/find-reviews.server";
import { mostTellingFirst } from "~/reviews/words/telling.server";
import { findMarks, searchIn } from "~/reviews/words/words-of-review.server";
import { hasComment, WITH_COMMENT } from "./commented.server";
import { type ListedReview, toListedReviews, withPeople } from "./listed-review.server";
import { cachedByVersion } from "./cached-by-version.server";
import { newestReviews } from "./newest-reviews.server";
import { findMalformedReviews, ofStars } from "./malformed.server";

export const REVIEWS_PER_PAGE = 20;
/** Most tours whose reviews one query reads: a database merges the ranges of so many in their order. */
export const TOURS_AT_ONCE = 200;

/** The reviews that a list has: those of one number of stars, with a comment, or both. */
interface ReviewFilter {
  stars: number | null;
  commented?: boolean;
}

export interface PageSelection extends ReviewFilter, Partial<WordsFilter> {
  sort: ReviewSort;
  /** The cursor of the page; null for the first one. */
  after: string | null;
  /** How many a page has: as pages of the site have without it. */
  size?: number | undefined;
}

export interface ReviewPage {
  reviews: ListedReview[];
  /** `after` of the next page; null on the last one. */
  next: string | null;
  /** How many reviews a search has found on all pages. */
  total?: number;
  /** Whether a search has to wait until the tour's many reviews have been read. */
  preparing?: boolean;
}

/** The numbers of stars that are read one after the other, so that one index serves all orders. */
const LEVELS: Record<ReviewSort, (number | undefined)[]> = {
  newest: [undefined],
  highest: [5, 4, 3, 2, 1],
  lowest: [1, 2, 3, 4, 5],
  // Not read by stars: the index of words has this order.
  telling: [],
};

const ORDERS: Record<ReviewSort, Order> = {
  newest: newestFirst,
  // Reviews without a rating come last.
  highest: (a, b) => (b.rating ?? 0) - (a.rating ?? 0) || newestFirst(a, b),
  lowest: lowestFirst,
  telling: mostTellingFirst,
};

/**
 * Maximum age, since some changes raise no version: `npm run reviews -- verify`, and a booking whose status or date
 * changes after its review.
 */
const KEPT_MS = 30_000;

/**
 * Returns a page of a tour's reviews. The cursor names a place, not a number, so that a page neither repeats nor skips
 * a review when others come and go. The cost depends on the page and not on the tour: each order and filter is a range
 * of an index. A first page is read once for each version of the tour, which must have been read before.
 */
export async function pageOfReviews(
  tour: Pick<TourDocument, "_id" | "ratingsVersion">,
  selection: PageSelection,
): Promise<ReviewPage> {
  const { sort, stars, commented, after, size } = selection;
  if (isSearch(selection)) return namingAuthors(await searchedPage(tour, selection));
  const read = () => readPage([tour._id], selection);
  // A tour that nobody has changed here may be changed by its platform, which knows no versions.
  const isKept =
    tour.ratingsVersion > 0 && reviewCursor.decode(after) === null && size === undefined;
  const what = `page ${sort} ${stars} ${commented}`;
  return namingAuthors(await (isKept ? cachedByVersion(tour, what, KEPT_MS, read) : read()));
}

/** Whether the index of words finds its reviews. */
export const isSearch = ({ words, language, sort }: Omit<PageSelection, "after">) =>
  Boolean(words || language || sort === "telling");

/** Returns a page of the reviews of several tours; its cost depends on how many tours they are. */
export const pageOfToursReviews = async (
  tourIds: Types.ObjectId[],
  selection: PageSelection,
): Promise<ReviewPage> => namingAuthors(await readPage(tourIds, selection));

async function searchedPage(
  tour: Parameters<typeof findReviews>[0],
  {
    sort,
    words = "",
    language = null,
    commented = false,
    size = REVIEWS_PER_PAGE,
    ...filter
  }: PageSelection,
): Promise<ReviewPage> {
  const page = { size, order: ORDERS[sort] };
  const query = { ...filter, words, language, commented, ...page };
  const { rows, ...found } = await findReviews(tour, query);
  const reviews = await toListedReviews(rows);
  return {
    ...found,
    reviews: reviews.map((review) => {
      const search = searchIn(words, review.language);
      return search ? { ...review, marks: findMarks(review.comment ?? "", search) } : review;
    }),
  };
}

export const namingAuthors = async <Page extends ReviewPage>(page: Page): Promise<Page> => ({
  ...page,
  reviews: await withPeople(page.reviews),
});

const isWanted = (review: ReviewDocument, { stars, commented }: ReviewFilter) =>
  hasStars(review, stars) && (!commented || hasComment(review));

/** Reads a page with nobody as the author of its reviews. */
async function readPage(
  tourIds: Types.ObjectId[],
  { after, sort, size = REVIEWS_PER_PAGE, ...filter }: PageSelection,
): Promise<ReviewPage> {
  const place = reviewCursor.decode(after);
  // One more than the page has, to know whether there are more.
  const most = size + 1;
  const cut = (found: ReviewDocument[], size: number) =>
    cutPage(found, { place, size, order: ORDERS[sort] });
  let found: ReviewDocument[] = [];
  for (const some of batches(tourIds, TOURS_AT_ONCE)) {
    const tourId = anyOf(some);
    const malformed = await findMalformedReviews({ tourId });
    const rows = { tourId, hasMalformed: malformed.length > 0, place, most, sort, ...filter };
    const regular = await firstRows(rows);
    const irregular = malformed.filter((review) => isWanted(review, filter));
    found = cut([...found, ...regular, ...irregular], most).rows;
  }
  const { rows, next } = cut(found, size);
  return { reviews: await toListedReviews(rows), next };
}

interface RowsQuery extends ReviewFilter {
  tourId: ReturnType<typeof anyOf>;
  hasMalformed: boolean;
  place: Place | null;
  most: number;
  sort: ReviewSort;
}

/** Reads the first rows after the place that have a place of their own in an index. */
async function firstRows(query: RowsQuery): Promise<ReviewDocument[]> {
  const { place, most, stars, commented, sort } = query;
  // The index of comments has them by stars: the newest of all are among the newest of each.
  if (commented && !stars && sort === "newest")
    return (
      await Promise.all(LEVELS.lowest.map((rating) => readLevel(query, rating, most, place)))
    ).flat();
  const rows: ReviewDocument[] = [];
  for (const rating of stars ? [stars] : LEVELS[sort]) {
    const limit = most - rows.length;
    if (limit <= 0) break;
    const level =
      place && rating ? Math.sign(ORDERS[sort](starsPlace(rating), starsPlace(place.rating))) : 0;
    if (level < 0) continue;
    rows.push(...(await readLevel(query, rating, limit, level === 0 ? place : null)));
  }
  return rows;
}

/** Reads the newest reviews of one number of stars, or of all (undefined). */
const readLevel = (
  { tourId, hasMalformed, commented }: RowsQuery,
  rating: number | undefined,
  limit: number,
  after: Place | null,
) =>
  newestReviews(rating ? ofStars(tourId, rating, hasMalformed) : { tourId }, {
    limit,
    after,
    only: commented ? WITH_COMMENT : undefined,
  });

/** A place that differs from others only in its stars. */
const starsPlace = (rating: number | null): Place => ({ rating, time: 0, id: "" });
