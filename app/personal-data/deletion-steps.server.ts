import type { ClientSession, Model, QueryFilter, Types } from "mongoose";
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
  /**
   * Must be called before each bit of work: renews the lease, keeps the progress, and throws once another process has
   * taken over.
   */
  renew: (progress?: Partial<AccountDeletionDocument>) => Promise<void>;
  /** Does something, and returns whether it succeeded: one that fails holds up no other. */
  attempt: (work: () => Promise<void>) => Promise<boolean>;
}

/** The e-mails to and about the user, their idempotency keys, no-shows and visits, and log-ins that were just being made. */
export async function removeLeftovers({ userId, names, renew }: Deleted): Promise<void> {
  await renew();
  await inTransaction((session) => endAccess(userId, session));
  for (const owner of names) await removeAll(Notification, { owner }, renew);
  await removeAll(Notification, { guideId: userId }, renew);
  await removeAll(Notification, { explorerId: userId }, renew);
  await removeAll(IdempotencyKey, { userId }, renew);
  await removeAll(GuideVisit, { _id: userId }, renew);
  await removeAll(Absence, { userId }, renew);
  await removeAll(ReviewRequest, { userId }, renew);
  await removeAll(Access, { _id: userId }, renew);
  // Others, of whom the user said as a guide that they did not come, can still object.
  await eachBatch(Absence, { guideId: userId }, renew, (these, session) =>
    Absence.updateMany(these, { $unset: { guideId: true } }, { session }),
  );
}

async function removeReviews({ userId, renew, attempt }: Deleted): Promise<void> {
  // A platform's record may name no tour by an id; no tour's ratings change with it.
  await removeAll(Review, { userId, tourId: { $not: { $type: "objectId" } } }, renew);
  const failed: Types.ObjectId[] = [];
  while (failed.length < BATCH) {
    const reviews = await Review.find({ userId, tourId: { $nin: failed } }, "tourId")
      .sort({ createdAt: -1, _id: -1 })
      .limit(BATCH)
      .lean<ReviewDocument[]>();
    if (reviews.length === 0) return;
    for (const { tourId } of reviews) {
      await renew();
      if (!(await attempt(() => deleteReviewOf(userId, tourId)))) failed.push(tourId);
    }
  }
}

/**
 * Claims each tour that the user has booked: a review that is being written there comes either before the claim and is
 * deleted, or after it and finds no author.
 */
async function lookThroughBookedTours(deleted: Deleted): Promise<void> {
  const { userId, renew, attempt } = deleted;
  let { lookedThrough } = deleted;
  let allDone = true;
  while (true) {
    // `$gt` with an id matches only ids, also where a platform has stored something else.
    const booked = { userId, tourId: { $gt: lookedThrough ?? NO_ID } };
    const bookings = await Booking.find(booked, "tourId")
      .sort({ tourId: 1 })
      .limit(BATCH)
      .lean<BookingDocument[]>();
    if (bookings.length === 0) return;
    for (const { tourId } of bookings) {
      if (lookedThrough?.equals(tourId)) continue;
      await renew(allDone && lookedThrough ? { lookedThrough } : {});
      if (!(await attempt(() => deleteReviewOf(userId, tourId)))) allDone = false;
      lookedThrough = tourId;
    }
  }
}

/** Removes what the user has replied as a guide, then what was just being written when the account was deleted. */
async function removeReplies({ userId, renew }: Deleted): Promise<void> {
  while (true) {
    const replies = await Reply.find({ userId }, "tourId").limit(BATCH).lean<ReplyDocument[]>();
    if (replies.length === 0) break;
    const tourIds = new Map(replies.map(({ tourId }) => [tourId.toString(), tourId]));
    for (const tourId of tourIds.values()) {
      await renew();
      const ofTour = replies.filter((reply) => reply.tourId.equals(tourId));
      const ids = ofTour.map(({ _id }) => _id);
      await deleteRepliesOf(userId, tourId, ids);
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
      await renew();
      await deleteRepliesOf(userId, _id);
    }
    last = tours.at(-1)!._id;
  }
}

/** Removes the words of cases about what the user wrote, and the user's identifiers from their reports. */
async function forgetCases({ userId, names, renew }: Deleted): Promise<void> {
  await renew();
  await Operator.deleteOne({ _id: userId });
  // Again: an operator may have warned while the account was being deleted.
  await inTransaction((session) => forgetSanctions(names, session));
  await eachBatch(RemovedReview, { userId }, renew, async (these, session) => {
    await RemovedReview.deleteMany(these, { session });
    await forgetReview(these._id, session);
    await Reply.deleteMany(these, { session });
  });
  while (true) {
    const cases = await Case.find({ authorId: userId, snapshot: { $ne: null } })
      .limit(BATCH)
      .lean<CaseDocument[]>();
    if (cases.length === 0) break;
    for (const found of cases) {
      await renew();
      await inTransaction((session) => removeCaseWords(found, session));
    }
  }
  for (const filter of reportFilters(names))
    await eachBatch(Report, filter, renew, (these, session) =>
      Report.updateMany(these, FORGOTTEN, { session }),
    );
  for (const address of names) await forgetAddress({ address });
  await forgetOwner(userId.toString());
}

export const STEPS = [
  removeLeftovers,
  removeReviews,
  lookThroughBookedTours,
  removeReplies,
  forgetCases,
];

type Renew = Deleted["renew"];

/** Does `work` with a batch of the documents at a time until none is left, so that no transaction grows with them. */
async function eachBatch<Document extends { _id: Types.ObjectId | string }>(
  model: Model<Document>,
  filter: object,
  renew: Renew,
  work: (these: { _id: { $in: Document["_id"][] } }, session: ClientSession) => Promise<unknown>,
): Promise<void> {
  while (true) {
    const found = await model.find(filter, "_id").limit(BATCH).lean<Pick<Document, "_id">[]>();
    if (found.length === 0) return;
    await renew();
    const these = { _id: { $in: found.map(({ _id }) => _id) } };
    await inTransaction(async (session) => work(these, session));
  }
}

const removeAll = <Document extends { _id: Types.ObjectId | string }>(
  model: Model<Document>,
  filter: object,
  renew: Renew,
) =>
  eachBatch(model, filter, renew, (these, session) =>
    model.deleteMany(these as QueryFilter<Document>, { session }),
  );
