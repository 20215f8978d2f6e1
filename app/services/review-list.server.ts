import { createHash } from "node:crypto";
import DataLoader from "dataloader";
import { LRUCache } from "lru-cache";
import { Review, type ReviewDocument } from "../../models/review";
import { Tour, type TourDocument } from "../../models/tour";
import { User, type UserDocument } from "../../models/user";
import { toObjectId } from "./ids.server";
import { toPublicReview, type PublicReview } from "./reviews.server";

/** How long an author's old name or picture may be shown, in milliseconds: no version covers them. */
const AUTHOR_STALENESS_MS = 60_000;
/** What the cached lists of this process may take together, in characters of JSON. */
const CACHE_SIZE = 32 * 1024 * 1024;

/** The reviews of one tour, newest first, in one state. */
export interface ReviewList {
  reviews: PublicReview[];
  /** The body of GET /api/reviews. */
  json: string;
  /** Weak entity tag of `json` (RFC 9110, 8.8.3). */
  etag: string;
}

const UNKNOWN_TOUR = toReviewList([]);

// A tour and a version name exactly one list, so an entry is never wrong, only no longer asked for.
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
 * All reviews of a tour, newest first and by larger id on a tie, with their authors (spec.md, GET).
 * A `tourId` that is no id, or names no tour, gives an empty list.
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

/** Forgets all cached lists of this process, for example because an author has a new name. */
export function forgetLists(): void {
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

async function loadReviews(tourId: string): Promise<PublicReview[]> {
  const reviews = await Review.find({ tourId: toObjectId(tourId) })
    .sort({ createdAt: -1, _id: -1 })
    .lean<ReviewDocument[]>();
  if (reviews.length === 0) return [];
  const authorIds = [...new Map(reviews.map(({ userId }) => [userId.toString(), userId])).values()];
  const authors = await User.find({ _id: { $in: authorIds } }, "name image").lean<UserDocument[]>();
  const byId = new Map(authors.map((author) => [author._id.toString(), author]));
  return reviews.map((review) => toPublicReview(review, byId.get(review.userId.toString())));
}

function toReviewList(reviews: PublicReview[]): ReviewList {
  const json = JSON.stringify({ reviews });
  const digest = createHash("sha256").update(json).digest("base64url").slice(0, 27);
  return { reviews, json, etag: `W/"${digest}"` };
}
