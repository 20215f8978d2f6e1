import { Types } from "mongoose";
import { Booking, type BookingDocument, COMPLETED } from "#models/booking";
import { Review, type ReviewDocument } from "#models/review";
import { BATCH, batches, batchesOf } from "~/db/batches";

type Looked = Pick<ReviewDocument, "_id" | "tourId" | "userId" | "verified">;

/** How many reviews were to be checked, and what was found. */
interface Verification {
  done: number;
  total: number;
  verified: number;
  changed: number;
  /** The id of the last one, after which an interrupted verification can continue. */
  last?: string;
}

/**
 * Stores which reviews have a completed booking of their author for their tour (docs/rules/reviews.md, Reviews): of
 * `tourIds`, or all in the order of their ids; with `after` only those with a larger id, with `uncheckedOnly` only
 * those without a stored result. `signal` ends it after a batch. May run while reviews are written.
 */
export async function verifyReviews({
  tourIds,
  after,
  uncheckedOnly = false,
  onProgress = () => {},
  signal,
}: {
  tourIds?: Types.ObjectId[];
  after?: Types.ObjectId;
  uncheckedOnly?: boolean;
  onProgress?: (progress: Verification) => void;
  signal?: AbortSignal;
} = {}): Promise<Verification> {
  const selected = tourIds
    ? [...batches(tourIds, BATCH)].map((some) => ({ tourId: { $in: some } }))
    : [after ? { _id: { $gt: after } } : {}];
  const filters = selected.map((filter) => ({
    ...filter,
    ...(uncheckedOnly && { verified: null }),
  }));
  const progress: Verification = { done: 0, total: 0, verified: 0, changed: 0 };
  for (const filter of filters) progress.total += await Review.countDocuments(filter);
  for (const filter of filters) {
    const found = Review.find(filter, "tourId userId verified").lean<Looked>();
    if (!tourIds) found.sort({ _id: 1 });
    for await (const batch of batchesOf(found.cursor({ batchSize: BATCH }), BATCH)) {
      const { verified, changed } = await verifyBatch(batch);
      progress.done += batch.length;
      progress.verified += verified;
      progress.changed += changed;
      progress.last = batch.at(-1)!._id.toString();
      // More may have been written since they were counted.
      progress.total = Math.max(progress.total, progress.done);
      onProgress(progress);
      if (signal?.aborted) return progress;
    }
  }
  return progress;
}

/** Stores it for the review of a pair whose booking has changed; a platform's malformed record has no pair. */
export async function verifyReviewsOf({ userId, tourId }: Record<string, unknown>): Promise<void> {
  if (!isId(userId) || !isId(tourId)) return;
  const review = await Review.findOne({ tourId, userId }, "tourId userId verified").lean<Looked>();
  if (review) await verifyBatch([review]);
}

async function verifyBatch(reviews: Looked[]): Promise<{ verified: number; changed: number }> {
  // A platform's malformed record without a tour or an author has no booking.
  const whole = reviews.filter((review) => isId(review.tourId) && isId(review.userId));
  const bookings = await Booking.find(
    {
      userId: { $in: whole.map(({ userId }) => userId) },
      tourId: { $in: whole.map(({ tourId }) => tourId) },
      status: COMPLETED,
    },
    "userId tourId",
  ).lean<Pick<BookingDocument, "userId" | "tourId">[]>();
  const completed = new Set(bookings.map(pairOf));
  const isVerified = (review: Looked) => completed.has(pairOf(review));
  const changed = reviews.filter((review) => isVerified(review) !== (review.verified === true));
  for (const verified of [true, false]) {
    const ids = changed.filter((review) => isVerified(review) === verified).map(({ _id }) => _id);
    if (ids.length > 0) await Review.updateMany({ _id: { $in: ids } }, { $set: { verified } });
  }
  return { verified: reviews.filter(isVerified).length, changed: changed.length };
}

const isId = (value: unknown): value is Types.ObjectId => value instanceof Types.ObjectId;

export const pairOf = ({ userId, tourId }: { userId: unknown; tourId: unknown }) =>
  `${String(userId)} ${String(tourId)}`;
