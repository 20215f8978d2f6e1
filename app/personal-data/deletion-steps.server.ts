import type { Model, QueryFilter, Types } from "mongoose";
import { Absence } from "#models/absence";
import { Access } from "#models/access";
import type { AccountDeletionDocument } from "#models/account-deletion";
import { Booking, type BookingDocument } from "#models/booking";
import { Case, type CaseDocument } from "#models/case";
import { GuideVisit } from "#models/guide-visit";
import { IdempotencyKey } from "#models/idempotency-key";
import { Notification } from "#models/notification";
import { Operator } from "#models/operator";
import { NO_ID } from "#models/reading";
import { RemovedReview } from "#models/removed-review";
import { Reply, type ReplyDocument } from "#models/reply";
import { Report } from "#models/report";
import { Review, type ReviewDocument } from "#models/review";
import { ReviewRequest } from "#models/review-request";
import { Tour, type TourDocument } from "#models/tour";
import { BATCH } from "~/db/batches";
import { inTransaction } from "~/db/transaction.server";
import { endAccess } from "~/accounts/log-in/sessions.server";
import { forgetSanctions } from "~/accounts/suspended.server";
import { deleteReviewOf } from "~/reviews/delete.server";
import { forgetReview } from "~/reviews/record-changes.server";
import { deleteRepliesOf } from "~/reviews/replies/reply.server";
import {
  forgetAddress,
  forgetOwner,
  FORGOTTEN,
  removeCaseWords,
  reportFilters,
} from "./case-words.server";

// The steps of an account's deletion. Repeating one does no harm (docs/decisions/010-accounts.md).

/** The account that is being deleted. */
export interface Deleted {
  userId: Types.ObjectId;
  /** Its names in e-mails, reports and sanctions. */
  names: string[];
  /** The last booked tour that was looked through. */
  lookedThrough: Types.ObjectId | undefined;
}

/** Yields after each bit of work, where the deletion may be cut off, with the progress to be kept, if any. */
type BitsOfWork = AsyncGenerator<Partial<AccountDeletionDocument> | undefined, void, void>;

/** The e-mails to and about the user, their idempotency keys, no-shows and visits, and log-ins that were just being made. */
async function* removeLeftovers({ userId, names }: Deleted): BitsOfWork {
  await inTransaction((session) => endAccess(userId, session));
  yield;
  for (const owner of names) yield* removeAll(Notification, { owner });
  yield* removeAll(Notification, { guideId: userId });
  yield* removeAll(Notification, { explorerId: userId });
  yield* removeAll(IdempotencyKey, { userId });
  yield* removeAll(GuideVisit, { _id: userId });
  yield* removeAll(Absence, { userId });
  yield* removeAll(ReviewRequest, { userId });
  yield* removeAll(Access, { _id: userId });
  // Others, of whom the user said as a guide that they did not come, can still object.
  for await (const these of idBatches(Absence, { guideId: userId })) {
    await inTransaction((session) =>
      Absence.updateMany(these, { $unset: { guideId: true } }, { session }),
    );
    yield;
  }
}

/** A tour that fails holds up no other: its error is thrown in the end. */
async function* removeReviews({ userId }: Deleted): BitsOfWork {
  // A platform's record may name no tour by an id; no tour's ratings change with it.
  yield* removeAll(Review, { userId, tourId: { $not: { $type: "objectId" } } });
  const failures = new Map<Types.ObjectId, unknown>();
  while (failures.size < BATCH) {
    const reviews = await Review.find({ userId, tourId: { $nin: [...failures.keys()] } }, "tourId")
      .sort({ createdAt: -1, _id: -1 })
      .limit(BATCH)
      .lean<ReviewDocument[]>();
    if (reviews.length === 0) break;
    for (const { tourId } of reviews) {
      await deleteReviewOf(userId, tourId).catch((error) => failures.set(tourId, error));
      yield;
    }
  }
  throwFirst([...failures.values()]);
}

/**
 * Claims each tour that the user has booked: a review that is being written there comes either before the claim and is
 * deleted, or after it and finds no author. One that fails holds up no other: its error is thrown in the end.
 */
async function* lookThroughBookedTours({ userId, lookedThrough }: Deleted): BitsOfWork {
  const failures: unknown[] = [];
  while (true) {
    // `$gt` with an id matches only ids, also where a platform has stored something else.
    const booked = { userId, tourId: { $gt: lookedThrough ?? NO_ID } };
    const bookings = await Booking.find(booked, "tourId")
      .sort({ tourId: 1 })
      .limit(BATCH)
      .lean<BookingDocument[]>();
    if (bookings.length === 0) break;
    for (const { tourId } of bookings) {
      if (lookedThrough?.equals(tourId)) continue;
      await deleteReviewOf(userId, tourId).catch((error) => failures.push(error));
      lookedThrough = tourId;
      // Otherwise the next attempt would leave out what has failed.
      yield failures.length === 0 ? { lookedThrough } : undefined;
    }
  }
  throwFirst(failures);
}

/** Removes what the user has replied as a guide, then what was just being written when the account was deleted. */
async function* removeReplies({ userId }: Deleted): BitsOfWork {
  while (true) {
    const replies = await Reply.find({ userId }, "tourId").limit(BATCH).lean<ReplyDocument[]>();
    if (replies.length === 0) break;
    const tourIds = new Map(replies.map(({ tourId }) => [tourId.toString(), tourId]));
    for (const tourId of tourIds.values()) {
      const ofTour = replies.filter((reply) => reply.tourId.equals(tourId));
      const ids = ofTour.map(({ _id }) => _id);
      await deleteRepliesOf(userId, tourId, ids);
      yield;
    }
  }
  let last = NO_ID;
  while (true) {
    const tours = await Tour.find({ createdById: userId, _id: { $gt: last } }, "_id")
      .sort({ _id: 1 })
      .limit(BATCH)
      .lean<TourDocument[]>();
    if (tours.length === 0) return;
    for (const { _id } of tours) {
      await deleteRepliesOf(userId, _id);
      last = _id;
      yield;
    }
  }
}

/** Removes the words of cases about what the user wrote, and the user's identifiers from their reports. */
async function* forgetCases({ userId, names }: Deleted): BitsOfWork {
  await Operator.deleteOne({ _id: userId });
  // Again: an operator may have warned while the account was being deleted.
  await inTransaction((session) => forgetSanctions(names, session));
  yield;
  for await (const these of idBatches(RemovedReview, { userId })) {
    await inTransaction(async (session) => {
      await RemovedReview.deleteMany(these, { session });
      await forgetReview(these._id, session);
      await Reply.deleteMany(these, { session });
    });
    yield;
  }
  while (true) {
    const cases = await Case.find({ authorId: userId, snapshot: { $ne: null } })
      .limit(BATCH)
      .lean<CaseDocument[]>();
    if (cases.length === 0) break;
    for (const found of cases) {
      await inTransaction((session) => removeCaseWords(found, session));
      yield;
    }
  }
  for (const filter of reportFilters(names))
    for await (const these of idBatches(Report, filter)) {
      await inTransaction((session) => Report.updateMany(these, FORGOTTEN, { session }));
      yield;
    }
  for (const address of names) await forgetAddress({ address });
  await forgetOwner(userId.toString());
}

export const STEPS: readonly ((deleted: Deleted) => BitsOfWork)[] = [
  removeLeftovers,
  removeReviews,
  lookThroughBookedTours,
  removeReplies,
  forgetCases,
  // Documents of requests that were under way when the deletion began.
  removeLeftovers,
];

interface Stored {
  _id: Types.ObjectId | string;
}

async function* removeAll<Document extends Stored>(
  model: Model<Document>,
  filter: object,
): BitsOfWork {
  for await (const these of idBatches(model, filter)) {
    await inTransaction((session) => model.deleteMany(these as QueryFilter<Document>, { session }));
    yield;
  }
}

/**
 * Selects a batch of the documents at a time, so that no transaction grows with them, until none is left: each batch
 * must no longer match when the next one is taken.
 */
async function* idBatches<Document extends Stored>(
  model: Model<Document>,
  filter: object,
): AsyncGenerator<{ _id: { $in: Document["_id"][] } }> {
  while (true) {
    const found = await model.find(filter, "_id").limit(BATCH).lean<Pick<Document, "_id">[]>();
    if (found.length === 0) return;
    yield { _id: { $in: found.map(({ _id }) => _id) } };
  }
}

/** Throws the first failure, if any, once everything else is done. */
export function throwFirst(failures: unknown[]): void {
  if (failures.length > 0) throw failures[0];
}
