import { randomUUID } from "node:crypto";
import type { Model, Types } from "mongoose";
import { Gauge } from "prom-client";
import { AccountDeletion, type AccountDeletionDocument } from "#models/account-deletion";
import { Booking, type BookingDocument } from "#models/booking";
import { GuideVisit } from "#models/guide-visit";
import { IdempotencyKey } from "#models/idempotency-key";
import { Notification } from "#models/notification";
import { NO_ID } from "#models/reading";
import { Review, type ReviewDocument } from "#models/review";
import { BATCH } from "~/db/batches";
import { type Clock, systemClock } from "~/infra/clock";
import { log } from "~/infra/log.server";
import { databaseRegistry } from "~/infra/metrics.server";
import { Poller } from "~/infra/poller.server";
import { inTransaction } from "~/db/transaction.server";
import { deleteReviewOf } from "~/reviews/delete.server";
import { endAccess } from "~/accounts/log-in/sessions.server";
import { forgetAbsences } from "./absence-deletion.server";
import { forgetCases } from "./case-deletion.server";
import { removeReplies } from "./reply-deletion.server";

const MOST_COUNTED = 10_000;

/** After so long without a sign of it, another process goes on in its place. */
export const LEASE_MS = 60_000;
const POLL_MS = 15_000;

export const isBeingDeleted = async (userId: Types.ObjectId) =>
  (await AccountDeletion.exists({ _id: userId })) !== null;

/** Thrown where another process has taken over, or this one is to stop. */
class Interrupted extends Error {}

interface Options {
  clock?: Clock;
  stopped?: () => boolean;
}

/** Skips jobs of other processes. Returns how many accounts are done; one that fails is tried again later. */
export async function continueDeletions({
  clock = systemClock,
  stopped = () => false,
}: Options = {}): Promise<number> {
  let done = 0;
  const failed = new Set<string>();
  while (!stopped()) {
    const due = await AccountDeletion.find({ leasedUntil: { $lte: clock() } })
      .sort({ leasedUntil: 1 })
      .limit(BATCH)
      .lean<AccountDeletionDocument[]>();
    const next = due.filter(({ _id }) => !failed.has(_id.toString()));
    if (next.length === 0) break;
    for (const deletion of next) {
      if (stopped()) break;
      try {
        if (await continueDeletion(deletion, clock, stopped)) done++;
      } catch (error) {
        failed.add(deletion._id.toString());
        if (!(error instanceof Interrupted))
          log.error(
            { err: error, userId: deletion._id },
            "an account's deletion will be continued",
          );
      }
    }
  }
  return done;
}

async function continueDeletion(
  { _id: userId, mailsOf = [userId.toString()], lookedThrough }: AccountDeletionDocument,
  clock: Clock,
  stopped: () => boolean,
): Promise<boolean> {
  const lease = randomUUID();
  const leasedUntil = () => new Date(clock().getTime() + LEASE_MS);
  const { matchedCount } = await AccountDeletion.updateOne(
    { _id: userId, leasedUntil: { $lte: clock() } },
    { $set: { lease, leasedUntil: leasedUntil() } },
  );
  if (matchedCount === 0) return false;
  /** Before each bit of work: it is still this process's, and its progress is kept. */
  const renew = async (progress: Partial<AccountDeletionDocument> = {}) => {
    if (stopped()) throw new Interrupted();
    const renewed = await AccountDeletion.updateOne(
      { _id: userId, lease },
      { $set: { ...progress, leasedUntil: leasedUntil() } },
    );
    if (renewed.matchedCount === 0) throw new Interrupted();
  };

  const failures: unknown[] = [];
  /** A tour or a step that fails holds up no other; the account is tried again in the next turn. */
  const attempt: Attempt = async (work) => {
    try {
      await work();
      return true;
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      failures.push(error);
      return false;
    }
  };

  try {
    await attempt(() => removeLeftovers(userId, mailsOf, renew));
    await attempt(() => removeReviews(userId, renew, attempt));
    await attempt(() => lookThroughBookedTours(userId, lookedThrough, renew, attempt));
    await attempt(() => removeReplies(userId, renew));
    await attempt(() => forgetCases(userId, mailsOf, renew));
    if (failures.length > 0) throw failures[0];
    // Documents of requests that were under way when the deletion began.
    await removeLeftovers(userId, mailsOf, renew);
    await inTransaction((session) =>
      AccountDeletion.deleteOne({ _id: userId, lease }, { session }),
    );
    return true;
  } catch (error) {
    // Given back, so that the next try need not wait for its end; where the database is away, it ends by itself.
    const given = { $set: { leasedUntil: clock() } };
    await AccountDeletion.updateOne({ _id: userId, lease }, given).catch(() => {});
    throw error;
  }
}

type Renew = (progress?: Partial<AccountDeletionDocument>) => Promise<void>;
/** Does something, and returns whether it succeeded. */
type Attempt = (work: () => Promise<void>) => Promise<boolean>;

/** The e-mails to and about the user, their idempotency keys, no-shows and visits, and log-ins that were just being made. */
async function removeLeftovers(
  userId: Types.ObjectId,
  mailsOf: string[],
  renew: Renew,
): Promise<void> {
  await renew();
  await inTransaction((session) => endAccess(userId, session));
  for (const owner of mailsOf) await removeAll(Notification, { owner }, renew);
  await removeAll(Notification, { guideId: userId }, renew);
  await removeAll(Notification, { explorerId: userId }, renew);
  await removeAll(IdempotencyKey, { userId }, renew);
  await removeAll(GuideVisit, { _id: userId }, renew);
  await forgetAbsences(userId, renew);
}

/** Removes a batch at a time, so that no transaction grows with what there is. */
async function removeAll<Document extends { _id: Types.ObjectId }>(
  model: Model<Document>,
  filter: object,
  renew: Renew,
): Promise<void> {
  while (true) {
    const found = await model.find(filter, "_id").limit(BATCH).lean<{ _id: Types.ObjectId }[]>();
    if (found.length === 0) return;
    await renew();
    const ids = found.map(({ _id }) => _id);
    await inTransaction((session) => model.deleteMany({ _id: { $in: ids } }, { session }));
  }
}

async function removeReviews(
  userId: Types.ObjectId,
  renew: Renew,
  attempt: Attempt,
): Promise<void> {
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
async function lookThroughBookedTours(
  userId: Types.ObjectId,
  after: Types.ObjectId | undefined,
  renew: Renew,
  attempt: Attempt,
): Promise<void> {
  let lookedThrough = after;
  let allDone = true;
  while (true) {
    // Everything larger than an id is an id, in a platform's malformed records too.
    const bookings = await Booking.find(
      { userId, tourId: { $gt: lookedThrough ?? NO_ID } },
      "tourId",
    )
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

new Gauge({
  name: "tour_reviews_account_deletions",
  help: "Deleted accounts of which other data is left to be removed.",
  registers: [databaseRegistry],
  async collect() {
    this.set(await countDeletions());
  },
});

/** How many deleted accounts have left something that is to be removed, up to the most that are counted. */
export const countDeletions = (): Promise<number> =>
  AccountDeletion.countDocuments({ leasedUntil: { $gte: new Date(0) } }, { limit: MOST_COUNTED });

export const deletionPoller = ({ clock = systemClock }: { clock?: Clock } = {}) =>
  new Poller({
    every: () => POLL_MS,
    work: async (signal) =>
      void (await continueDeletions({ clock, stopped: () => signal.aborted })),
    onError: (error) => log.error({ err: error }, "account deletions cannot be read"),
  });

let poller: Poller | undefined;

export function startDeletions(): void {
  poller = deletionPoller();
  poller.start();
}

export async function stopDeletions(): Promise<void> {
  await poller?.stop();
}

export function wakeDeletions(): void {
  void poller?.wake();
}
