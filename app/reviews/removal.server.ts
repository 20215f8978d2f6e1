import type { ClientSession, Types } from "mongoose";
import { Case, itemKey } from "#models/case";
import { NO_WORDS, type Words } from "~/reviews/content";
import { asInputs, Notification } from "#models/notification";
import { RemovedReview, type RemovedReviewDocument } from "#models/removed-review";
import { Reply } from "#models/reply";
import { asRating, type Mark, Review, type ReviewDocument } from "#models/review";
import { Tour } from "#models/tour";
import type { TourTransaction } from "./tour-transaction.server";
import { countedRating } from "./record-changes.server";

// An operator's decision on a review or a reply: all of it in a transaction of `changeTour`.

/** Takes a review down, and keeps all of its fields. */
export async function removeReview(
  { _id, tourId, userId }: ReviewDocument,
  { at, caseId }: Mark,
  tx: TourTransaction,
): Promise<void> {
  const { session } = tx;
  const stored = (await Review.collection.findOne({ _id }, { session }))!;
  const rating = asRating(stored.rating) ?? null;
  // By the driver, because a model would drop the fields that it does not know.
  await RemovedReview.collection.insertOne(
    { _id, tourId, userId, removedAt: at, caseId, rating, review: stored },
    { session },
  );
  await tx.removeReview({ _id, rating }, "removed");
  await countRemoved(tourId, session);
  await Notification.deleteOne({ _id, state: "pending" }, { session });
  await removeFromMail(_id, session);
}

/** Why a removed review cannot be restored: its author has deleted it, or has another one of the tour. */
export type NoReturn = "deleted" | "replaced";

/** Shows a removed review again as it was stored; returns why it cannot, or null. */
export async function restoreReview(
  reviewId: Types.ObjectId,
  tx: TourTransaction,
): Promise<NoReturn | null> {
  const { session } = tx;
  const byId = { _id: reviewId };
  const removed = await RemovedReview.collection.findOne<RemovedReviewDocument>(byId, { session });
  if (!removed?.review) return "deleted";
  const { tourId, userId } = removed;
  // A platform or an import may have written one past this service: a unique index would end the transaction.
  const same = { $or: [byId, { tourId, userId }] };
  if (await Review.exists(same).session(session)) return "replaced";
  await Review.collection.insertOne(removed.review, { session });
  const stars = countedRating(removed.review.rating);
  tx.record({ type: "restored", review: reviewId, before: null, stars });
  await RemovedReview.deleteOne(byId, { session });
  await countRemoved(tourId, session);
  return null;
}

/** Takes the words of a review away, which keeps its rating. Returns the words. */
export async function redactReview(
  { _id, rating, comment }: ReviewDocument,
  redaction: Mark,
  tx: TourTransaction,
): Promise<Words> {
  const { session } = tx;
  await Review.updateOne({ _id }, { $set: { ...NO_WORDS, redaction } }, { session });
  const stars = countedRating(rating);
  tx.record({ type: "redacted", review: _id, before: stars, stars });
  await removeFromMail(_id, session);
  return { comment };
}

/** Gives a review its words back, unless its author has written others since. */
export async function restoreWords(
  reviewId: Types.ObjectId,
  words: Words,
  session: ClientSession,
): Promise<NoReturn | null> {
  const { matchedCount } = await Review.updateOne(
    { _id: reviewId, ...NO_WORDS, redaction: { $exists: true } },
    { $set: words, $unset: { redaction: true } },
    { session },
  );
  return matchedCount === 0 ? "replaced" : null;
}

/**
 * Ends the redaction of a review whose author has written new words, which its case decides about: it is open again,
 * or still appealed against, and what was removed is forgotten.
 */
export async function endRedaction(
  { _id, rating, comment, redaction }: ReviewDocument,
  session: ClientSession,
  now: Date,
): Promise<void> {
  await Review.updateOne({ _id }, { $unset: { redaction: true } }, { session });
  const openKey = itemKey({ kind: "review", reviewId: _id });
  const isOpen = await Case.exists({ openKey }).session(session);
  const snapshot = { rating, text: comment, at: now };
  const byId = { _id: redaction!.caseId };
  const isAppealed = (await Case.exists({ ...byId, state: "appealed" }).session(session)) !== null;
  await Case.updateOne(
    byId,
    {
      $set: {
        snapshot,
        ...(!isAppealed && { state: "open", since: now, ...(!isOpen && { openKey }) }),
      },
      $unset: { removedText: true },
      $inc: { version: 1 },
    },
    { session },
  );
}

/** Hides a reply, or shows it again (null). */
export const hideReply = (_id: Types.ObjectId, hidden: Mark | null, session: ClientSession) =>
  Reply.updateOne({ _id }, { $set: { hidden } }, { session });

async function removeFromMail(_id: Types.ObjectId, session: ClientSession): Promise<void> {
  await Notification.updateOne(
    { _id, inputs: { $exists: true } },
    { $set: asInputs(NO_WORDS) },
    { session },
  );
}

/** Stores with a tour how many of its reviews are removed: without any, a new review is not compared with them. */
async function countRemoved(tourId: Types.ObjectId, session: ClientSession): Promise<void> {
  const removedReviews = await RemovedReview.countDocuments({ tourId }, { session });
  await Tour.updateOne({ _id: tourId }, { $set: { removedReviews } }, { session });
}
