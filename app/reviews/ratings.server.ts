import type { ClientSession, Types } from "mongoose";
import { Review } from "#models/review";
import { Tour, type RatingCounts, type TourDocument } from "#models/tour";
import { MINUTE_MS } from "~/lib/durations";
import { BATCH } from "~/db/batches";
import { inTransaction } from "~/db/transaction.server";
import {
  againAfterEarlierTour,
  recordChanges,
  type Recorded,
  toCounts,
} from "./record-changes.server";
import { type Counts, countAndMean } from "./figures";

export interface Ratings {
  /** The arithmetic mean, 0 without any rating. */
  avgRating: number;
  /** Includes reviews without a rating that counts. */
  reviewCount: number;
  ratingCounts: RatingCounts;
}

const NONE: Ratings = {
  avgRating: 0,
  reviewCount: 0,
  ratingCounts: { "1": 0, "2": 0, "3": 0, "4": 0, "5": 0 },
};

/** Returns the number of stars that a rating counts for; halves go up. */
export const wholeStars = (rating: number) => Math.round(rating);

/** Returns whether a review has that many stars; all do for null. */
export const hasStars = ({ rating }: { rating: number | null }, stars: number | null): boolean =>
  !stars || (rating !== null && wholeStars(rating) === stars);

/** Returns the ratings of reviews that are counted by their stored rating. */
export const toRatings = (groups: { _id: unknown; count: number }[]): Ratings =>
  ratingsFromCounts(toCounts(groups));

function ratingsFromCounts(counts: Counts): Ratings {
  const ratingCounts = { ...NONE.ratingCounts };
  for (const [rating, count] of counts)
    if (rating > 0) ratingCounts[String(wholeStars(rating)) as keyof RatingCounts] += count;
  const { count: reviewCount, mean: avgRating } = countAndMean(counts);
  return { avgRating, reviewCount, ratingCounts };
}

/** Counts by stars first: the database answers from an index, and the mean is one exact division. */
export const computeRatings = async (
  tourId: Types.ObjectId,
  session?: ClientSession,
): Promise<Ratings> => ratingsFromCounts(await countReviews(tourId, session));

async function countReviews(tourId: Types.ObjectId, session?: ClientSession): Promise<Counts> {
  const groups = await Review.aggregate<{ _id: unknown; count: number }>(
    [{ $match: { tourId } }, { $group: { _id: "$rating", count: { $sum: 1 } } }],
    session && { session },
  );
  return toCounts(groups);
}

/** Returns the aggregates that a tour has; without a tour, those of no reviews. */
export function storedRatings(tour: TourDocument | null): Ratings {
  const { avgRating, reviewCount, ratingCounts } = tour ?? NONE;
  return { avgRating, reviewCount, ratingCounts };
}

/** Returns whether a tour, as it was read just now, has the aggregates of its reviews. */
export const ratingsAreStored = async (tour: TourDocument): Promise<boolean> =>
  areSameRatings(storedRatings(tour), await computeRatings(tour._id));

/**
 * Two transactions on one tour conflict here, before either has done work; the new `ratingsVersion` names the list
 * that its `changes` create together. False without the tour.
 */
export async function claimTour(
  tourId: Types.ObjectId,
  session: ClientSession,
  changes = 1,
): Promise<boolean> {
  // By the driver, like a change's second update of the tour: Mongoose's casts would take longer than the database.
  const claimed = await Tour.collection.updateOne({ _id: tourId }, nextVersion(changes), {
    session,
  });
  return claimed.matchedCount > 0;
}

/** The same for up to a hundred tours, by one command. */
export async function claimTours(tourIds: Types.ObjectId[], session: ClientSession): Promise<void> {
  const options = { session, updatePipeline: true };
  await Tour.updateMany({ _id: { $in: tourIds } }, nextVersion(1), options);
}

function nextVersion(changes: number) {
  // A version that is no number (docs/rules/database.md, Malformed records) begins anew: arithmetic on it would fail. Not a
  // findAndModify, and no `$or` in the filter: docs/decisions/005-embedded-database.md
  const version = "$ratingsVersion";
  const counts = {
    $and: [
      { $isNumber: version },
      { $gte: [version, 0] },
      { $lt: [version, Number.MAX_SAFE_INTEGER] },
    ],
  };
  const next = { $cond: [counts, { $add: [version, changes] }, changes] };
  return [{ $set: { ratingsVersion: next } }];
}

/**
 * Recomputes, stores and returns the aggregates of a tour that this transaction has claimed; with `keepCount` all but
 * the review count. Records the changes that have led there.
 */
export async function recomputeRatings(
  tourId: Types.ObjectId,
  session: ClientSession,
  { keepCount = false, ...recorded }: Partial<Recorded> & { keepCount?: boolean } = {},
): Promise<Partial<Ratings>> {
  const counts = await countReviews(tourId, session);
  const lastChange = await recordChanges(tourId, { ...recorded, counts }, session);
  const { reviewCount, ...means } = ratingsFromCounts(counts);
  const ratings = keepCount ? means : { reviewCount, ...means };
  const stored = { ...ratings, ...(lastChange && { lastChange }) };
  await Tour.collection.updateOne({ _id: tourId }, { $set: stored }, { session });
  return ratings;
}

interface RatingsMismatch {
  tourId: string;
  slug: string;
  stored: Ratings;
  actual: Ratings;
}

/** Nobody waits for an answer of a command. */
const OPTIONS = { timeoutMs: MINUTE_MS };

const MOST_RETURNED = 1_000;

interface Progress {
  onProgress?: (done: number, total: number) => void;
}

/**
 * Compares the aggregates of all tours with their reviews. Returns the first thousand that differ, and tells
 * `onMismatch` of all.
 */
export async function checkRatings({
  onMismatch = () => {},
  onProgress,
}: Progress & { onMismatch?: (mismatch: RatingsMismatch) => void } = {}): Promise<
  RatingsMismatch[]
> {
  const found: RatingsMismatch[] = [];
  for await (const tour of allTours(onProgress)) {
    if (await ratingsAreStored(tour)) continue;
    const mismatch = await findMismatch(tour._id);
    if (!mismatch) continue;
    onMismatch(mismatch);
    if (found.length < MOST_RETURNED) found.push(mismatch);
  }
  return found;
}

/** One snapshot serves both reads, so that a change committed between them is no mismatch. */
const findMismatch = (tourId: Types.ObjectId): Promise<RatingsMismatch | null> =>
  inTransaction(async (session) => {
    const tour = await Tour.findById(tourId, null, { session }).lean<TourDocument>();
    const stored = storedRatings(tour);
    const actual = await computeRatings(tourId, session);
    if (!tour || areSameRatings(stored, actual)) return null;
    return { tourId: tourId.toString(), slug: tour.slug, stored, actual };
  }, OPTIONS);

/** Recomputes the aggregates of these tours, or of all, each by itself. Returns how many there were. */
export async function rebuildRatings({
  tourIds,
  onProgress,
}: Progress & { tourIds?: Types.ObjectId[] } = {}): Promise<number> {
  let done = 0;
  for await (const { _id } of tourIds?.map((_id) => ({ _id })) ?? allTours(onProgress)) {
    await rebuildRatingsOfTour(_id);
    done++;
  }
  return done;
}

const rebuildRatingsOfTour = (tourId: Types.ObjectId): Promise<void> =>
  againAfterEarlierTour(() =>
    inTransaction(async (session) => {
      if (await claimTour(tourId, session)) await recomputeRatings(tourId, session);
    }, OPTIONS),
  );

/** Yields all tours, of which a batch at a time is in memory. `onProgress` counts those that are done with. */
async function* allTours(
  onProgress: Progress["onProgress"] = () => {},
): AsyncGenerator<TourDocument> {
  const total = await Tour.estimatedDocumentCount();
  let done = 0;
  const tours = Tour.find({}, "slug avgRating reviewCount ratingCounts")
    .lean<TourDocument>()
    .cursor({ batchSize: BATCH });
  for await (const tour of tours) {
    yield tour;
    done++;
    // More may have been added since they were counted.
    onProgress(done, Math.max(done, total));
  }
}

function areSameRatings(a: Ratings, b: Ratings): boolean {
  return (
    Math.abs(a.avgRating - b.avgRating) < 1e-9 &&
    a.reviewCount === b.reviewCount &&
    Object.entries(a.ratingCounts).every(
      ([stars, count]) => b.ratingCounts[stars as keyof RatingCounts] === count,
    )
  );
}
