import DataLoader from "dataloader";
import { LRUCache } from "lru-cache";
import { Review, type ReviewDocument } from "../../../models/review";
import { Tour, type TourDocument } from "../../../models/tour";
import { User, type UserDocument } from "../../../models/user";
import { entityTag } from "../../infra/digest.server";
import { toObjectId } from "../../infra/ids.server";
import { type PublicReview, toPublicReview } from "./public-review.server";
import type { ReviewSort } from "./limits";
import { wholeStars } from "./ratings.server";

/**
 * How long an author's old name or picture, or whether a review is verified, may be shown, in milliseconds:
 * versions do not cover them.
 */
const AUTHOR_STALENESS_MS = 60_000;
/** What the cached lists of this process may take together, in characters of JSON. */
const CACHE_SIZE = 32 * 1024 * 1024;

/** A review as the tour's page shows it. */
export interface ListedReview extends PublicReview {
  /** Whether its author has changed it since. */
  edited: boolean;
  /** Whether a completed booking of its author stands behind it. */
  verified: boolean;
}

/** The reviews of one tour, newest first, in one state. */
export interface ReviewList {
  reviews: ListedReview[];
  /** The body of GET /api/reviews. */
  json: string;
  /** Weak entity tag of `json` (RFC 9110, 8.8.3). */
  etag: string;
}

const UNKNOWN_TOUR = toReviewList([]);

// A tour and a version name exactly one list, so an entry is never wrong
// (docs/decisions/004-list-cache-by-version.md).
const lists = new LRUCache<string, Promise<ReviewList>>({
  ttl: AUTHOR_STALENESS_MS,
  maxSize: CACHE_SIZE,
  maxEntrySize: CACHE_SIZE,
  // The true size is known when the rows are; until then an entry counts for little.
  sizeCalculation: () => 1,
});

// One query for all the versions that are asked for in one tick. Nothing is remembered: an answer
// must not be older than its request.
const versions = new DataLoader<string, number | null>(loadVersions, { cache: false });

/**
 * All reviews of a tour, newest first and by larger id on a tie, with their authors (docs/rules.md, Listing).
 * A `tourId` that is no id, or names no tour, has an empty list.
 */
export async function listReviews(tourId: string): Promise<ReviewList> {
  const id = toObjectId(tourId)?.toString();
  if (!id) return UNKNOWN_TOUR;
  // Before the rows, which may then be newer than their version but never older.
  const version = await versions.load(id);
  if (version === null) return UNKNOWN_TOUR;

  const key = `${id}:${version}`;
  const cached = lists.get(key);
  if (cached) return cached;
  const loading = loadReviews(id).then(toReviewList);
  lists.set(key, loading);
  try {
    const list = await loading;
    if (lists.peek(key) === loading)
      lists.set(key, loading, { size: list.json.length, noUpdateTTL: true });
    return list;
  } catch (error) {
    if (lists.peek(key) === loading) lists.delete(key);
    throw error;
  }
}

/** Empties this process's cache, for example because an author has a new name. */
export function clearReviewListCache(): void {
  lists.clear();
}

async function loadVersions(tourIds: readonly string[]): Promise<(number | null)[]> {
  const tours = await Tour.find(
    { _id: { $in: tourIds.map((id) => toObjectId(id)) } },
    "ratingsVersion",
  ).lean<Pick<TourDocument, "_id" | "ratingsVersion">[]>();
  const byId = new Map(tours.map((tour) => [tour._id.toString(), tour.ratingsVersion ?? 0]));
  return tourIds.map((id) => byId.get(id) ?? null);
}

async function loadReviews(tourId: string): Promise<ListedReview[]> {
  const reviews = await Review.find({ tourId: toObjectId(tourId) })
    .sort({ createdAt: -1, _id: -1 })
    .lean<ReviewDocument[]>();
  if (reviews.length === 0) return [];
  const authorIds = [...new Map(reviews.map(({ userId }) => [userId.toString(), userId])).values()];
  const authors = await User.find({ _id: { $in: authorIds } }, "name image").lean<UserDocument[]>();
  const byId = new Map(authors.map((author) => [author._id.toString(), author]));
  const listed = reviews.map((review) => ({
    ...toPublicReview(review, byId.get(review.userId.toString())),
    edited: Boolean(review.editedAt),
    verified: review.verified === true,
  }));
  // The database has put those without a Date at an end; for all others this changes nothing.
  return listed.sort(newestFirst);
}

function toReviewList(reviews: ListedReview[]): ReviewList {
  // The specification's fields alone.
  const json = JSON.stringify({
    reviews: reviews.map(({ edited: _, verified: __, ...review }) => review),
  });
  return { reviews, json, etag: `W/"${entityTag(json)}"` };
}

/** Reviews on one page of a tour. */
export const REVIEWS_PER_PAGE = 20;

export interface ReviewPage {
  reviews: ListedReview[];
  /** How many reviews there are on all pages together. */
  total: number;
  /** What `after` has to be for the next page; null on the last one. */
  next: string | null;
}

const ORDERS: Record<ReviewSort, (a: ListedReview, b: ListedReview) => number> = {
  newest: newestFirst,
  // What has no rating comes last.
  highest: (a, b) => (b.rating ?? 0) - (a.rating ?? 0) || newestFirst(a, b),
  lowest: (a, b) => (a.rating ?? 6) - (b.rating ?? 6) || newestFirst(a, b),
};

function newestFirst(a: ListedReview, b: ListedReview): number {
  return compare(b.createdAt, a.createdAt) || compare(b.id, a.id);
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * One page of a list: only reviews of `stars` if given, in the order `sort`, those behind the
 * review that the cursor `after` names (by its position, not its number, so that a page neither repeats nor
 * skips a review when others come and go). A malformed `after` is the first page.
 */
export function pageOfReviews(
  list: ReviewList,
  { stars, sort, after }: { stars: number | null; sort: ReviewSort; after: string | null },
): ReviewPage {
  const order = ORDERS[sort];
  const matching = list.reviews
    .filter(({ rating }) => !stars || (rating !== null && wholeStars(rating) === stars))
    .sort(order);
  const cursor = after === null ? null : decodeCursor(after);
  const behind = cursor ? matching.filter((review) => order(review, cursor) > 0) : matching;
  const reviews = behind.slice(0, REVIEWS_PER_PAGE);
  const last = reviews.at(-1);
  return {
    reviews,
    total: matching.length,
    next: last && behind.length > reviews.length ? encodeCursor(last) : null,
  };
}

/** A review's position in any order: its stars, its time, its id. */
const encodeCursor = ({ rating, createdAt, id }: ListedReview) =>
  `${rating ?? 0}.${new Date(createdAt).getTime()}.${id}`;

function decodeCursor(after: string): ListedReview | null {
  const [, rating, time, id] =
    /^([0-5](?:\.\d{1,17})?)\.(-?\d{1,15})\.([0-9a-f]{24})$/.exec(after) ?? [];
  if (!rating || !time || !id) return null;
  const createdAt = new Date(Number(time)).toISOString();
  return { rating: Number(rating) || null, createdAt, id } as ListedReview;
}
