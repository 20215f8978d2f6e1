import type { ClientSession, Types } from "mongoose";
import { Booking, type BookingDocument, COMPLETED } from "#models/booking";
import { Review, type ReviewDocument } from "#models/review";
import { BATCH, batches, cursorBatches } from "~/db/batches";
import { isObjectId } from "~/db/ids.server";
import { inTransaction } from "~/db/transaction.server";
import { claimTour, claimTours } from "~/reviews/ratings.server";

const CHECKED_FIELDS = "tourId userId verified";
type CheckedReview = Pick<ReviewDocument, "_id" | "tourId" | "userId" | "verified">;

/** How many reviews were to be checked, and what was found. */
interface Verification {
  done: number;
  total: number;
  verified: number;
  changed: number;
  /** The id of the last one, after which an interrupted verification can continue. */
  last?: string;
}

interface VerifyOptions {
  /** All without it, in the order of their ids. */
  tourIds?: Types.ObjectId[];
  /** Only reviews with a larger id. */
  after?: Types.ObjectId;
  /** Only reviews without a stored result. */
  uncheckedOnly?: boolean;
  onProgress?: (progress: Verification) => void;
  /** Ends it after a batch. */
  signal?: AbortSignal;
}

/**
 * Stores which reviews have a completed booking of their author for their tour (docs/rules/reviews.md, Reviews). May run
 * while reviews are written.
 */
export async function verifyReviews({
  tourIds,
  after,
  uncheckedOnly = false,
  onProgress = () => {},
  signal,
}: VerifyOptions = {}): Promise<Verification> {
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
    const found = Review.find(filter, CHECKED_FIELDS).lean<CheckedReview>();
    if (!tourIds) found.sort({ _id: 1 });
    for await (const batch of cursorBatches(found.cursor({ batchSize: BATCH }), BATCH)) {
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

/**
 * Stores whether the review of a pair is verified, after its booking has changed; a platform's malformed record has no
 * pair.
 */
export async function verifyReviewOfBooking({
  userId,
  tourId,
}: Record<string, unknown>): Promise<void> {
  if (!isObjectId(userId) || !isObjectId(tourId)) return;
  const review = await Review.findOne({ tourId, userId }, CHECKED_FIELDS).lean<CheckedReview>();
  if (review) await verifyBatch([review]);
}

/** Returns whether a booking, once it is changed, no longer entitles its user to a review of its tour. */
export const revokesRight = (
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): boolean =>
  before.status === COMPLETED && (after.status !== COMPLETED || pairKey(before) !== pairKey(after));

/**
 * Stores with `store` that bookings of these pairs of a tour, up to a hundred, no longer entitle to a review: one that
 * is being posted comes either before it and is no longer verified, or after it and is refused
 * (docs/decisions/002-rights-are-written.md).
 */
export const revokeRights = <Stored>(
  tourId: unknown,
  userIds: unknown[],
  store: (session: ClientSession) => Promise<Stored>,
): Promise<Stored> =>
  inTransaction(async (session) => {
    if (!isObjectId(tourId)) return store(session);
    await claimTour(tourId, session);
    const stored = await store(session);
    const theirs = { tourId, userId: { $in: userIds.filter(isObjectId) } };
    const reviews = await Review.find(theirs, CHECKED_FIELDS, { session }).lean<CheckedReview[]>();
    if (reviews.length > 0)
      await storeVerified(await compareWithBookings(reviews, session), session);
    return stored;
  });

/** Changes are looked for again in a transaction of their tours: a booking may be changing just now. */
async function verifyBatch(
  reviews: CheckedReview[],
): Promise<{ verified: number; changed: number }> {
  const seen = await compareWithBookings(reviews);
  if (seen.changed.length > 0)
    await inTransaction(async (session) => {
      const tourIds = seen.changed.map(({ tourId }) => tourId).filter(isObjectId);
      await claimTours(tourIds, session);
      const _id = { $in: seen.changed.map((review) => review._id) };
      const again = await Review.find({ _id }, CHECKED_FIELDS, { session }).lean<CheckedReview[]>();
      await storeVerified(await compareWithBookings(again, session), session);
    });
  return { verified: seen.verified, changed: seen.changed.length };
}

/** Returns how many reviews have a completed booking, and those that are stored otherwise. */
async function compareWithBookings(reviews: CheckedReview[], session?: ClientSession) {
  // A platform's malformed record without a tour or an author has no booking.
  const whole = reviews.filter((review) => isObjectId(review.tourId) && isObjectId(review.userId));
  const bookings = await Booking.find(
    {
      userId: { $in: whole.map(({ userId }) => userId) },
      tourId: { $in: whole.map(({ tourId }) => tourId) },
      status: COMPLETED,
    },
    "userId tourId",
    { session },
  ).lean<Pick<BookingDocument, "userId" | "tourId">[]>();
  const completed = new Set(bookings.map(pairKey));
  const isVerified = (review: CheckedReview) => completed.has(pairKey(review));
  const changed = reviews.filter((review) => isVerified(review) !== (review.verified === true));
  return { verified: reviews.filter(isVerified).length, changed };
}

async function storeVerified({ changed }: { changed: CheckedReview[] }, session: ClientSession) {
  for (const verified of [true, false]) {
    const ids = changed.filter((one) => (one.verified === true) !== verified).map(({ _id }) => _id);
    const update = { $set: { verified } };
    if (ids.length > 0) await Review.updateMany({ _id: { $in: ids } }, update, { session });
  }
}

interface ReviewPair {
  userId?: unknown;
  tourId?: unknown;
}

export const pairKey = ({ userId, tourId }: ReviewPair) => `${String(userId)} ${String(tourId)}`;
