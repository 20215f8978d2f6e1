import { setTimeout as sleep } from "node:timers/promises";
import { type ClientSession, Types } from "mongoose";
import { Booking, COMPLETED } from "../../../models/booking";
import { Review } from "../../../models/review";
import { isDuplicateKeyError } from "../../infra/errors.server";
import { claimTour, recomputeRatings } from "../../store/reviews/ratings.server";
import { changeReviews } from "../../store/reviews/changes.server";
import { batches, BATCH } from "../../infra/batches";
import type { Records } from "./file.server";
import { upsertOperation } from "./writes.server";

/**
 * Reviews in one transaction. While it runs nobody else can change the tour, and other changes wait
 * five seconds at most (app/infra/transaction.server.ts): so it must take much less time.
 */
const REVIEWS_AT_ONCE = 500;

/** How long a tour with more reviews than that is left to others between two transactions, in milliseconds. */
const PAUSE_MS = 50;

/**
 * How long one may take with its retries, in milliseconds: longer than the minute after which MongoDB
 * ends that of an import that was killed.
 */
const TIMEOUT_MS = 120_000;

type ReviewRecord = Records["reviews"][number] & { index: number };

/**
 * Writes the reviews tour by tour and recomputes the ratings of these tours, also of those without a
 * review. A reader sees reviews and ratings change together (docs/decisions/013-import-by-tours.md).
 * Ends with an `AbortError` between two transactions when `stopped` aborts.
 */
export async function importReviews(
  tourIds: string[],
  reviews: Records["reviews"],
  {
    progress,
    onLeftOut,
    stopped,
  }: {
    progress: Record<"reviews" | "tours", (count: number) => void>;
    onLeftOut: (message: string) => void;
    stopped?: AbortSignal;
  },
): Promise<void> {
  const byTour = new Map<string, ReviewRecord[]>(tourIds.map((tourId) => [tourId, []]));
  for (const [index, review] of reviews.entries())
    byTour.get(review.tourId)!.push({ ...review, index });
  for (const [tourId, own] of byTour) {
    if (own.length === 0) {
      stopped?.throwIfAborted();
      await changeReviews(new Types.ObjectId(tourId), async () => {}, { timeoutMs: TIMEOUT_MS });
    }
    let written = 0;
    for (const some of batches(own, REVIEWS_AT_ONCE, stopped)) {
      if (written > 0) await sleep(PAUSE_MS);
      await importSome(tourId, some, onLeftOut);
      written += some.length;
      progress.reviews(some.length);
    }
    progress.tours(1);
  }
}

/** Writes reviews of one tour, but for those whose author has posted one since it was looked for. */
async function importSome(
  tourId: string,
  reviews: ReviewRecord[],
  onLeftOut: (message: string) => void,
): Promise<void> {
  try {
    await changeReviews(
      new Types.ObjectId(tourId),
      (session) => writeReviews(tourId, reviews, session),
      { timeoutMs: TIMEOUT_MS },
    );
  } catch (error) {
    const posted = isDuplicateKeyError(error) ? await findPosted(tourId, reviews) : [];
    if (posted.length === 0) throw error;
    for (const { index } of posted)
      onLeftOut(
        `reviews[${index}]: left out, its author has posted a review of the tour meanwhile`,
      );
    await importSome(
      tourId,
      reviews.filter((review) => !posted.includes(review)),
      onLeftOut,
    );
  }
}

/** Writes reviews of a claimed tour, and recomputes the ratings of the tours that they leave for it. */
async function writeReviews(
  tourId: string,
  reviews: ReviewRecord[],
  session: ClientSession,
): Promise<void> {
  const existing = new Map<string, { tourId: string; verified: boolean }>();
  const guests = new Set<string>();
  for (const some of batches(reviews, BATCH)) {
    const filter = { _id: { $in: some.map(({ id }) => id) } };
    for (const found of await Review.find(filter, "tourId verified", { session }).lean())
      existing.set(found._id.toString(), {
        tourId: String(found.tourId),
        verified: found.verified === true,
      });
    const bookings = {
      userId: { $in: some.map(({ userId }) => userId) },
      tourId,
      status: COMPLETED,
    };
    for (const { userId } of await Booking.find(bookings, "userId", { session }).lean())
      guests.add(userId.toString());
  }
  const tours = new Set([...existing.values()].map((review) => review.tourId));
  const left = [...tours].filter((other) => other !== tourId && Types.ObjectId.isValid(other));
  const leftIds = left.sort().map((other) => new Types.ObjectId(other));
  for (const other of leftIds) await claimTour(other, session);
  const operations = reviews.map(({ index: _, ...review }) => {
    const isVerified = guests.has(review.userId);
    const before = existing.get(review.id);
    // Absent says the same as false (docs/rules.md, Reviews).
    const verified = isVerified || before?.verified ? { verified: isVerified } : {};
    return upsertOperation({ ...review, ...verified }, before !== undefined);
  });
  await Review.bulkWrite(operations, { session, ordered: false, throwOnValidationError: true });
  for (const other of leftIds) await recomputeRatings(other, session);
}

/** Those whose author has another review of the tour in the database. */
async function findPosted(tourId: string, reviews: ReviewRecord[]): Promise<ReviewRecord[]> {
  const posted: ReviewRecord[] = [];
  for (const some of batches(reviews, BATCH)) {
    const authors = some.map(({ userId }) => userId);
    const found = await Review.find({ tourId, userId: { $in: authors } }, "userId").lean();
    const others = new Map(found.map(({ _id, userId }) => [userId.toString(), _id.toString()]));
    posted.push(...some.filter(({ id, userId }) => (others.get(userId) ?? id) !== id));
  }
  return posted;
}
