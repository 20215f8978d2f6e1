import type { Types } from "mongoose";
import type { ReviewSort } from "~/infra/review-limits";
import type { ReviewDocument } from "#models/review";
import type { TourDocument } from "#models/tour";
import { batches } from "~/db/batches";
import { findAuthors } from "~/db/people.server";
import {
  cutPage,
  lowestFirst,
  newestFirst,
  type Order,
  type Place,
  placeAfter,
} from "~/db/cursor.server";
import { wholeStars } from "~/reviews/ratings.server";
import { hasComment, WITH_COMMENT } from "./commented.server";
import { authorsOf, type ListedReview, toListedReviews, withAuthors } from "./listed-review.server";
import { keptByVersion } from "./kept-by-version.server";
import { newestReviews } from "./newest-reviews.server";
import { findMalformedReviews, ofStars, type OneOrMore } from "./malformed.server";

export const REVIEWS_PER_PAGE = 20;
/** By one query. */
export const TOURS_AT_ONCE = 20;

export interface PageSelection {
  /** Only those with that many stars; null for all. */
  stars: number | null;
  /** Only those with a comment. */
  commented?: boolean;
  sort: ReviewSort;
  /** The cursor of the page; null for the first one. */
  after: string | null;
}

export interface ReviewPage {
  reviews: ListedReview[];
  /** `after` of the next page; null on the last one. */
  next: string | null;
}

const LEVELS: Record<ReviewSort, (number | undefined)[]> = {
  newest: [undefined],
  highest: [5, 4, 3, 2, 1],
  lowest: [1, 2, 3, 4, 5],
};
const ALL_STARS = LEVELS.lowest;

const ORDERS: Record<ReviewSort, Order> = {
  newest: newestFirst,
  // Reviews without a rating come last.
  highest: (a, b) => (b.rating ?? 0) - (a.rating ?? 0) || newestFirst(a, b),
  lowest: lowestFirst,
};

/**
 * Some changes raise no version: `npm run reviews -- verify`, and a booking whose status or date changes after its
 * review.
 */
const KEPT_MS = 30_000;

/**
 * The cursor names a place, not a number, so that a page neither repeats nor skips a review when others come and go.
 * The cost depends on the page and not on the tour: each order and filter is a range of an index. A first page is read
 * once for each version of the tour, which must have been read before.
 */
export async function pageOfReviews(
  tour: Pick<TourDocument, "_id" | "ratingsVersion">,
  { after, ...selection }: PageSelection,
): Promise<ReviewPage> {
  const cursor = placeAfter(after);
  const read = () => readPage([tour._id], { ...selection, cursor });
  // A tour that nobody has changed here may be changed by its platform, which knows no versions.
  const isKept = tour.ratingsVersion > 0 && cursor === null;
  const { sort, stars, commented } = selection;
  const what = `page ${sort} ${stars} ${commented}`;
  return namingAuthors(await (isKept ? keptByVersion(tour, what, KEPT_MS, read) : read()));
}

/** The cost depends on how many tours they are. */
export const pageOfToursReviews = async (
  tourIds: Types.ObjectId[],
  { after, ...selection }: PageSelection,
): Promise<ReviewPage> =>
  namingAuthors(await readPage(tourIds, { ...selection, cursor: placeAfter(after) }));

export async function namingAuthors<Page extends ReviewPage>(page: Page): Promise<Page> {
  const people = await findAuthors(authorsOf(page.reviews));
  return { ...page, reviews: page.reviews.map((review) => withAuthors(review, people)) };
}

/** All do for null. */
export const hasStars = ({ rating }: ReviewDocument, stars: number | null): boolean =>
  !stars || (rating !== null && wholeStars(rating) === stars);

interface Placed extends Omit<PageSelection, "after"> {
  cursor: Place | null;
}

/** The page with nobody as the author of its reviews. */
async function readPage(tourIds: Types.ObjectId[], selection: Placed): Promise<ReviewPage> {
  const { stars, commented, sort, cursor } = selection;
  const isWanted = (review: ReviewDocument) =>
    hasStars(review, stars) && (!commented || hasComment(review));
  const cut = (found: ReviewDocument[], size: number) =>
    cutPage(found, { place: cursor, size, order: ORDERS[sort] });
  let found: ReviewDocument[] = [];
  for (const some of batches(tourIds, TOURS_AT_ONCE)) {
    const tourId = some.length === 1 ? some[0]! : { $in: some };
    const malformed = await findMalformedReviews({ tourId });
    const regular = await firstRows(tourId, selection, malformed.length > 0);
    const all = [...found, ...regular, ...malformed.filter(isWanted)];
    found = cut(all, REVIEWS_PER_PAGE + 1).rows;
  }
  const { rows, next } = cut(found, REVIEWS_PER_PAGE);
  return { reviews: await toListedReviews(rows), next };
}

/**
 * One more than the page, to know whether there are more. Orders by stars are read one number of stars after the
 * other, so that one index serves all of them.
 */
async function firstRows(
  tourId: OneOrMore,
  { stars, commented, sort, cursor }: Placed,
  hasMalformed: boolean,
): Promise<ReviewDocument[]> {
  const read = (rating: number | undefined, limit: number, after: Place | null) => {
    const filter = rating ? ofStars(tourId, rating, hasMalformed) : { tourId };
    return newestReviews(filter, { limit, after, ...(commented && { only: WITH_COMMENT }) });
  };
  // The index of comments has them by stars: the newest of all are among the newest of each.
  if (commented && !stars && sort === "newest")
    return (
      await Promise.all(ALL_STARS.map((rating) => read(rating, REVIEWS_PER_PAGE + 1, cursor)))
    ).flat();
  const rows: ReviewDocument[] = [];
  for (const rating of stars ? [stars] : LEVELS[sort]) {
    const limit = REVIEWS_PER_PAGE + 1 - rows.length;
    if (limit <= 0) break;
    const level =
      cursor && rating ? Math.sign(ORDERS[sort](levelOf(rating), levelOf(cursor.rating))) : 0;
    if (level < 0) continue;
    rows.push(...(await read(rating, limit, level === 0 ? cursor : null)));
  }
  return rows;
}

/** A place that differs from others only in its stars. */
const levelOf = (rating: number | null): Place => ({ rating, time: 0, id: "" });
