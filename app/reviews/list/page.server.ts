import type { QueryFilter, Types } from "mongoose";
import type { ReviewSort } from "~/lib/review-limits";
import type { ReviewDocument } from "#models/review";
import type { TourDocument } from "#models/tour";
import { idFilter } from "~/db/ids.server";
import {
  cutPage,
  lowestFirst,
  newestFirst,
  type RowOrder,
  type Place,
  reviewCursor,
} from "~/db/cursor.server";
import { hasStars } from "~/reviews/ratings.server";
import { findReviews, type WordsFilter } from "~/reviews/words/find-reviews.server";
import { mostDetailedFirst } from "~/reviews/words/detail.server";
import { findMarks, searchIn } from "~/reviews/words/words-of-review.server";
import { hasComment, WITH_COMMENT } from "./commented.server";
import { type ListedReview, toListedReviews, withPeople } from "./listed-review.server";
import { cachedByVersion } from "./cached-by-version.server";
import { newestOfTours } from "./newest-reviews.server";
import { findMalformedReviews } from "./malformed.server";

export const REVIEWS_PER_PAGE = 20;

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
const LEVELS: Record<ReviewSort, number[]> = {
  highest: [5, 4, 3, 2, 1],
  lowest: [1, 2, 3, 4, 5],
  // All at once, and only those with a comment, which the index has by stars.
  newest: [5, 4, 3, 2, 1],
  // Not read by stars: the index of words has this order.
  telling: [],
};

const ORDERS: Record<ReviewSort, RowOrder> = {
  newest: newestFirst,
  // Reviews without a rating come last.
  highest: (a, b) => (b.rating ?? 0) - (a.rating ?? 0) || newestFirst(a, b),
  lowest: lowestFirst,
  telling: mostDetailedFirst,
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
export async function getReviewPage(
  tour: Pick<TourDocument, "_id" | "ratingsVersion">,
  selection: PageSelection,
): Promise<ReviewPage> {
  const { sort, stars, commented, after, size } = selection;
  if (isSearch(selection)) return namingAuthors(await searchedPage(tour, selection));
  const loadPage = () => readPage([tour._id], selection);
  // A tour that nobody has changed here may be changed by its platform, which knows no versions.
  const isKept =
    tour.ratingsVersion > 0 && reviewCursor.decode(after) === null && size === undefined;
  const what = `page ${sort} ${stars} ${commented}`;
  return namingAuthors(
    await (isKept ? cachedByVersion(tour, what, KEPT_MS, loadPage) : loadPage()),
  );
}

/** Whether the index of words finds its reviews. */
export const isSearch = ({ words, language, sort }: Omit<PageSelection, "after">) =>
  Boolean(words || language || sort === "telling");

/** Returns a page of the reviews of several tours. */
export const getReviewPageOfTours = async (
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
  { size = REVIEWS_PER_PAGE, ...selection }: PageSelection,
): Promise<ReviewPage> {
  const { rows, next } = await readRows(tourIds, { size, ...selection });
  return { reviews: await toListedReviews(rows), next };
}

interface RowsSelection extends ReviewFilter {
  sort: ReviewSort;
  after: string | null;
  size: number;
}

/** Reads the stored reviews of a page. The database's work grows with the tours, but not how often it is asked. */
export async function readRows(
  tourIds: Types.ObjectId[],
  { after, sort, size, ...filter }: RowsSelection,
): Promise<{ rows: ReviewDocument[]; next: string | null }> {
  const place = reviewCursor.decode(after);
  // One more than the page has, to know whether there are more.
  const most = size + 1;
  const malformed = await findMalformedReviews({ tourId: idFilter(tourIds) });
  const hasMalformed = malformed.length > 0;
  const regular = await firstRows({ tourIds, hasMalformed, place, most, sort, ...filter });
  const irregular = malformed.filter((review) => isWanted(review, filter));
  return cutPage([...regular, ...irregular], { place, size, order: ORDERS[sort] });
}

/** Leaves out those that no index has in their place, some of which it has before all others. */
const DATED: QueryFilter<ReviewDocument> = { createdAt: { $type: "date" } };

interface RowsQuery extends ReviewFilter {
  tourIds: Types.ObjectId[];
  hasMalformed: boolean;
  place: Place | null;
  most: number;
  sort: ReviewSort;
}

/** Reads the first rows after the place that have a place of their own in an index. */
async function firstRows(query: RowsQuery): Promise<ReviewDocument[]> {
  const { tourIds, hasMalformed, place, most, stars, commented, sort } = query;
  const only = { ...(commented && WITH_COMMENT), ...(hasMalformed && DATED) };
  const readNewest = (ratings: (number | null)[], limit: number, after: Place | null) =>
    newestOfTours(tourIds, {
      ...{ ratings, hasMalformed, limit, pageSize: most, after },
      only: commented || hasMalformed ? only : undefined,
    });
  const ratings = stars ? [stars] : LEVELS[sort];
  if (sort === "newest") return readNewest(stars || commented ? ratings : [null], most, place);
  const rows: ReviewDocument[] = [];
  for (const rating of ratings) {
    const limit = most - rows.length;
    if (limit <= 0) break;
    const level = place ? Math.sign(ORDERS[sort](starsPlace(rating), starsPlace(place.rating))) : 0;
    if (level < 0) continue;
    rows.push(...(await readNewest([rating], limit, level === 0 ? place : null)));
  }
  return rows;
}

/** A place that differs from others only in its stars. */
const starsPlace = (rating: number | null): Place => ({ rating, time: 0, id: "" });
