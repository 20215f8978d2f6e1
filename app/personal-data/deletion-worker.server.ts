import { randomUUID } from "node:crypto";
import type { Types } from "mongoose";
import { Gauge } from "prom-client";
import { AccountDeletion, type AccountDeletionDocument } from "#models/account-deletion";
import { processJob } from "~/jobs/job.server";
import { BATCH } from "~/db/batches";
import { inTransaction } from "~/db/transaction.server";
import { type Clock, systemClock } from "~/lib/clock";
import { log } from "~/lib/log.server";
import { databaseRegistry } from "~/lib/metrics.server";
import { Poller } from "~/jobs/poller.server";
import { forgetReviews } from "~/reviews/record-changes.server";
import { type Deleted, removeLeftovers, STEPS } from "./deletion-steps.server";

const MOST_COUNTED = 10_000;

/** Lease duration: afterwards another process may continue. */
export const LEASE_MS = 60_000;
const POLL_MS = 15_000;

export const isBeingDeleted = async (userId: Types.ObjectId) =>
  (await AccountDeletion.exists({ _id: userId })) !== null;

/** Thrown where another process has taken over, or this one is to stop. */
class Interrupted extends Error {}

/** Skips jobs of other processes. Returns how many accounts are done; one that fails is tried again later. */
export async function continueDeletions({
  clock = systemClock,
  stopped = () => false,
}: { clock?: Clock; stopped?: () => boolean } = {}): Promise<number> {
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
  { _id: userId, mailsOf: names = [userId.toString()], lookedThrough }: AccountDeletionDocument,
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
  const failures: unknown[] = [];
  const deleted: Deleted = {
    userId,
    names,
    lookedThrough,
    renew: async (progress = {}) => {
      if (stopped()) throw new Interrupted();
      const renewed = await AccountDeletion.updateOne(
        { _id: userId, lease },
        { $set: { ...progress, leasedUntil: leasedUntil() } },
      );
      if (renewed.matchedCount === 0) throw new Interrupted();
    },
    attempt: async (work) => {
      try {
        await work();
        return true;
      } catch (error) {
        if (error instanceof Interrupted) throw error;
        failures.push(error);
        return false;
      }
    },
  };
  try {
    for (const step of STEPS) await deleted.attempt(() => step(deleted));
    if (failures.length > 0) throw failures[0];
    // Documents of requests that were under way when the deletion began.
    await removeLeftovers(deleted);
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

export const deletionPoller = () =>
  new Poller({
    every: () => POLL_MS,
    work: async (signal) => {
      await continueDeletions({ stopped: () => signal.aborted });
      await forgetReviews();
    },
    onError: (error) => log.error({ err: error }, "deletions cannot be continued"),
  });

export const deletions = processJob(deletionPoller);
