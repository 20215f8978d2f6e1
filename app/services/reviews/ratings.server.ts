import type { ClientSession, Types } from "mongoose";
import { asRating, Review } from "../../../models/review";
import { Tour, type RatingCounts, type TourDocument } from "../../../models/tour";
import { objectIds } from "../../infra/ids.server";
import { inTransaction } from "../../infra/transaction.server";

/** The aggregates of one tour's reviews. */
export interface Ratings {
  /** Arithmetic mean of all ratings, 0 without any. */
  avgRating: number;
  /** All reviews, also those without a rating that counts. */
  reviewCount: number;
  /** How many ratings there are of each number of stars; see `wholeStars`. */
  ratingCounts: RatingCounts;
}

const NONE: Ratings = {
  avgRating: 0,
  reviewCount: 0,
  ratingCounts: { "1": 0, "2": 0, "3": 0, "4": 0, "5": 0 },
};

/** The whole number of stars that a rating counts as: halves go up. */
export const wholeStars = (rating: number) => Math.round(rating);

/**
 * Returns the aggregates of the reviews that `match` selects, by tour id. Counting by stars first lets the
 * database answer from the index on tourId and rating, and keeps the mean one exact division. What is no
 * rating (docs/rules.md, Odd records) is left out of mean and stars here, because arithmetic on it would
 * fail in the database.
 */
async function aggregateRatings(
  match: { tourId?: Types.ObjectId | { $in: Types.ObjectId[] } },
  session?: ClientSession,
): Promise<Map<string, Ratings>> {
  const rows = await Review.aggregate<{
    _id: Types.ObjectId;
    ratings: { rating?: unknown; count: number }[];
  }>(
    [
      { $match: match },
      { $group: { _id: { tourId: "$tourId", rating: "$rating" }, count: { $sum: 1 } } },
      {
        $group: {
          _id: "$_id.tourId",
          ratings: { $push: { rating: "$_id.rating", count: "$count" } },
        },
      },
    ],
    session && { session },
  );
  return new Map(rows.map(({ _id, ratings }) => [String(_id), toRatings(ratings)]));
}

function toRatings(groups: { rating?: unknown; count: number }[]): Ratings {
  const ratingCounts = { ...NONE.ratingCounts };
  let reviewCount = 0;
  let rated = 0;
  let sum = 0;
  for (const { rating: stored, count } of groups) {
    reviewCount += count;
    const rating = asRating(stored);
    if (rating === undefined) continue;
    rated += count;
    sum += rating * count;
    ratingCounts[String(wholeStars(rating)) as keyof RatingCounts] += count;
  }
  return { avgRating: rated && sum / rated, reviewCount, ratingCounts };
}

/** Computes one tour's aggregates from its reviews, inside a transaction if given its session. */
export async function computeRatings(
  tourId: Types.ObjectId,
  session?: ClientSession,
): Promise<Ratings> {
  return (await aggregateRatings({ tourId }, session)).get(tourId.toString()) ?? NONE;
}

/** Returns the aggregates stored with a tour; a platform's tour may not have any yet. */
export function storedRatings(tour: Partial<TourDocument>): Ratings {
  return {
    avgRating: tour.avgRating ?? 0,
    reviewCount: tour.reviewCount ?? 0,
    ratingCounts: { ...NONE.ratingCounts, ...tour.ratingCounts },
  };
}

/**
 * Claims the tour for the transaction of `session`: two transactions on one tour conflict here, before
 * either has done work, and the new `ratingsVersion` names the list that its `changes` create together.
 * Returns whether there is such a tour.
 */
export async function claimTour(
  tourId: Types.ObjectId,
  session: ClientSession,
  changes = 1,
): Promise<boolean> {
  // Not a findAndModify: docs/decisions/005-embedded-database.md
  const claimed = await Tour.updateOne(
    { _id: tourId, $or: [{ ratingsVersion: { $gte: 0 } }, { ratingsVersion: { $exists: false } }] },
    { $inc: { ratingsVersion: changes } },
    { session },
  );
  if (claimed.matchedCount > 0) return true;
  // A tour that is gone, or whose version is no number.
  const begun = await Tour.updateOne(
    { _id: tourId },
    { $set: { ratingsVersion: changes } },
    { session },
  );
  return begun.matchedCount > 0;
}

/** What a change has stored with its tour. */
export type StoredRatings = Omit<Ratings, "reviewCount"> & Partial<Pick<Ratings, "reviewCount">>;

/**
 * Recomputes and stores the aggregates of a tour that this transaction has claimed
 * (docs/decisions/002-mean-is-recomputed.md), and returns them. With `keepCount` the review count stays
 * as it is.
 */
export async function recomputeRatings(
  tourId: Types.ObjectId,
  session: ClientSession,
  { keepCount = false } = {},
): Promise<StoredRatings> {
  const { reviewCount, ...means } = await computeRatings(tourId, session);
  const stored = keepCount ? means : { reviewCount, ...means };
  await Tour.updateOne({ _id: tourId }, { $set: stored }, { session });
  return stored;
}

/** A tour whose stored aggregates are not those of its reviews. */
export interface RatingsMismatch {
  tourId: string;
  slug: string;
  stored: Ratings;
  actual: Ratings;
}

/** Compares every tour's aggregates with its reviews and returns the tours that differ. */
export async function checkRatings(): Promise<RatingsMismatch[]> {
  // One snapshot for both reads, so that a change committed between them is no mismatch.
  return inTransaction(
    async (session) => {
      const actual = await aggregateRatings({}, session);
      const tours = await Tour.find({}, null, { session }).lean<TourDocument[]>();
      return tours.flatMap((tour) => {
        const mismatch = {
          tourId: tour._id.toString(),
          slug: tour.slug,
          stored: storedRatings(tour),
          actual: actual.get(tour._id.toString()) ?? NONE,
        };
        return same(mismatch.stored, mismatch.actual) ? [] : [mismatch];
      });
    },
    { timeoutMs: 60_000 },
  );
}

/**
 * Recomputes the aggregates of these tours, or of all, each in a transaction of its own; `onProgress`
 * is told how many are done. Returns how many there were.
 */
export async function rebuildRatings({
  tourIds,
  onProgress = () => {},
}: {
  tourIds?: Types.ObjectId[];
  onProgress?: (done: number, total: number) => void;
} = {}): Promise<number> {
  const ids = tourIds ?? objectIds(await Tour.distinct("_id"));
  for (const [index, tourId] of ids.entries()) {
    await inTransaction(async (session) => {
      if (await claimTour(tourId, session)) await recomputeRatings(tourId, session);
    });
    onProgress(index + 1, ids.length);
  }
  return ids.length;
}

function same(a: Ratings, b: Ratings): boolean {
  return (
    Math.abs(a.avgRating - b.avgRating) < 1e-9 &&
    a.reviewCount === b.reviewCount &&
    Object.entries(a.ratingCounts).every(
      ([stars, count]) => b.ratingCounts[stars as keyof RatingCounts] === count,
    )
  );
}
