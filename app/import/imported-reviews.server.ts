import { setTimeout as sleep } from "node:timers/promises";
import { type ClientSession, Types } from "mongoose";
import { Booking, COMPLETED } from "#models/booking";
import { Review } from "#models/review";
import { User } from "#models/user";
import { isDuplicateKeyError } from "~/lib/errors.server";
import { claimTour, recomputeRatings } from "~/reviews/ratings.server";
import { changeTour } from "~/reviews/change-tour.server";
import type { TourTransaction } from "~/reviews/tour-transaction.server";
import { batches } from "~/db/batches";
import { LONGEST_TRANSACTION_MS } from "~/db/transaction.server";
import { deleteReviewOf } from "~/reviews/delete.server";
import { countedRating, type ReviewChange } from "~/reviews/record-changes.server";
import type { ReadFile } from "./read-file.server";
import { numbersToWrite, type Records, type States } from "./records.server";
import { idsIn, removedAuthors, storedPairs } from "./stored.server";
import { upsertOperation } from "./writes.server";

/**
 * While a transaction runs nobody else can change the tour, and other changes wait five seconds at most
 * (app/db/transaction.server.ts): so it must take much less time.
 */
const REVIEWS_AT_ONCE = 500;

/** Pause between two transactions on a large tour, in which other requests can change it. */
const PAUSE_MS = 50;

/** Longer than the minute after which MongoDB ends the transaction of an import that was killed. */
const TIMEOUT_MS = LONGEST_TRANSACTION_MS;

type ReviewRecord = Records["reviews"] & { number: number };

interface Options {
  file: ReadFile;
  states: States;
  onNotice: (message: string) => void;
  /** No webhook is told of what is written. */
  quietWebhooks: boolean;
  onWritten: (kind: "reviews", count: number) => void;
  stopped?: AbortSignal;
}

/**
 * A reader sees reviews and ratings change together (docs/decisions/001-one-transaction-a-change.md). Returns whether
 * there were any. Ends with an `AbortError` between two transactions when `stopped` aborts.
 */
export async function importReviews(tourId: string, options: Options): Promise<boolean> {
  const { file, states, onWritten, stopped } = options;
  const numbers = numbersToWrite(states.reviews, file.reviewsOf.get(tourId) ?? []);
  let written = 0;
  for (const some of batches(numbers, REVIEWS_AT_ONCE, stopped)) {
    if (written > 0) await sleep(PAUSE_MS);
    const reviews = some.map((number) => ({ ...file.spool.read("reviews", number), number }));
    await importSome(tourId, reviews, options);
    await removeOfDeleted(tourId, reviews, options);
    written += some.length;
    onWritten("reviews", some.length);
  }
  return written > 0;
}

export function recompute(
  tourId: string,
  { quietWebhooks }: Pick<Options, "quietWebhooks">,
): Promise<void> {
  const recomputeAll = (tx: TourTransaction) => {
    tx.isQuiet = quietWebhooks;
    return Promise.resolve(tx.reviewsChanged());
  };
  return changeTour(new Types.ObjectId(tourId), recomputeAll, { timeoutMs: TIMEOUT_MS });
}

/** Writes reviews of one tour, but for those whose author has posted one since it was looked for. */
async function importSome(
  tourId: string,
  reviews: ReviewRecord[],
  options: Options,
): Promise<void> {
  try {
    const id = new Types.ObjectId(tourId);
    const writeBatch = async (tx: TourTransaction) => {
      tx.isQuiet = options.quietWebhooks;
      const changes = await writeReviews(tourId, reviews, tx.session, { isQuiet: tx.isQuiet });
      for (const change of changes) tx.record(change);
      tx.reviewsChanged();
    };
    await changeTour(id, writeBatch, { timeoutMs: TIMEOUT_MS });
  } catch (error) {
    const posted = isDuplicateKeyError(error) ? await listSecondReviews(tourId, reviews) : [];
    if (posted.length === 0) throw error;
    for (const { number } of posted)
      leaveOut(number, "its author has posted a review of the tour meanwhile", options);
    const others = reviews.filter((review) => !posted.includes(review));
    await importSome(tourId, others, options);
  }
}

/**
 * Removes reviews whose authors were deleted meanwhile: the deletion may have looked for reviews before these were
 * committed. It finds those that are committed later.
 */
async function removeOfDeleted(
  tourId: string,
  reviews: ReviewRecord[],
  options: Options,
): Promise<void> {
  const authors = await idsIn(
    User,
    reviews.map(({ userId }) => userId),
  );
  for (const { userId, number } of reviews) {
    if (authors.has(userId)) continue;
    await deleteReviewOf(new Types.ObjectId(userId), new Types.ObjectId(tourId));
    leaveOut(number, "its author has deleted the account meanwhile", options);
  }
}

function leaveOut(number: number, reason: string, { states, onNotice }: Options): void {
  states.reviews[number] = "leftOut";
  onNotice(`reviews[${number}]: left out, ${reason}`);
}

/**
 * Writes reviews of a claimed tour, and recomputes the ratings of the tours that they leave for it. Returns the tour's
 * changes.
 */
export async function writeReviews(
  tourId: string,
  reviews: ReviewRecord[],
  session: ClientSession,
  { isQuiet = false }: { isQuiet?: boolean } = {},
): Promise<ReviewChange[]> {
  const existing = new Map<string, { tourId: string; verified: boolean; before: number }>();
  // Authors whose review was moderated since the check.
  const kept = await removedAuthors(tourId, reviews, session);
  const filter = { _id: { $in: reviews.map(({ id }) => id) } };
  const fields = "tourId userId rating verified redaction";
  for (const found of await Review.find(filter, fields, { session }).lean()) {
    if (found.redaction) kept.add(found.userId.toString());
    existing.set(found._id.toString(), {
      tourId: String(found.tourId),
      verified: found.verified === true,
      before: countedRating(found.rating),
    });
  }
  const userIds = { $in: reviews.map(({ userId }) => userId) };
  const bookings = { userId: userIds, tourId, status: COMPLETED };
  const booked = await Booking.find(bookings, "userId", { session }).lean();
  const guests = new Set(booked.map(({ userId }) => userId.toString()));
  const tours = new Set([...existing.values()].map((review) => review.tourId));
  const left = [...tours].filter((other) => other !== tourId && Types.ObjectId.isValid(other));
  const leftIds = left.sort().map((other) => new Types.ObjectId(other));
  const claimed: Types.ObjectId[] = [];
  for (const other of leftIds) if (await claimTour(other, session)) claimed.push(other);
  const written = reviews.filter(({ userId }) => !kept.has(userId));
  const operations = written.map(({ number: _, ...review }) => {
    const isVerified = guests.has(review.userId);
    const before = existing.get(review.id);
    // Absent says the same as false (docs/rules/reviews.md, Reviews).
    const verified = isVerified || before?.verified ? { verified: isVerified } : {};
    return upsertOperation({ ...review, ...verified }, before !== undefined);
  });
  if (operations.length > 0)
    await Review.bulkWrite(operations, { session, ordered: false, throwOnValidationError: true });
  const changesIn = (place: string) =>
    written.flatMap(({ id, rating }): ReviewChange[] => {
      const found = existing.get(id);
      const before = found?.tourId === place ? found.before : null;
      const stars = place === tourId ? rating : null;
      if (before === null && stars === null) return [];
      return [{ type: "imported", review: new Types.ObjectId(id), before, stars }];
    });
  for (const other of claimed)
    await recomputeRatings(other, session, { changes: changesIn(other.toString()), isQuiet });
  return changesIn(tourId);
}

/** Returns the reviews whose author has another review of the tour in the database. */
async function listSecondReviews(tourId: string, reviews: ReviewRecord[]): Promise<ReviewRecord[]> {
  const others = await storedPairs(tourId, reviews);
  return reviews.filter(({ id, userId }) => (others.get(userId) ?? id) !== id);
}
