import type { Types } from "mongoose";
import { Gauge } from "prom-client";
import { AccountDeletion, type AccountDeletionDocument } from "#models/account-deletion";
import { MINUTE_MS } from "~/lib/durations";
import { DueWork, type Leased } from "~/jobs/due-work.server";
import type { Turn } from "~/jobs/each-due.server";
import { processJob } from "~/jobs/job.server";
import { inTransaction } from "~/db/transaction.server";
import { log } from "~/lib/log.server";
import { databaseRegistry } from "~/lib/metrics.server";
import { Poller } from "~/jobs/poller.server";
import { forgetReviews } from "~/reviews/record-changes.server";
import { STEPS, throwFirst } from "./deletion-steps.server";

const MOST_COUNTED = 10_000;

/** Lease duration: afterwards another process may continue. */
export const LEASE_MS = MINUTE_MS;
const POLL_MS = 15_000;

const due = new DueWork(AccountDeletion, {
  until: "leasedUntil",
  leaseMs: LEASE_MS,
  firstRetryMs: POLL_MS,
});

export const isBeingDeleted = async (userId: Types.ObjectId) =>
  (await AccountDeletion.exists({ _id: userId })) !== null;

/** Thrown where another process has taken over, or this one is to stop. */
class Interrupted extends Error {}

/** Skips jobs of other processes. Returns how many accounts are done; one that fails is tried again later. */
export async function continueDeletions({ stopped = () => false }: Turn = {}): Promise<number> {
  let done = 0;
  for (let next; !stopped() && (next = await due.claim());)
    try {
      await continueDeletion(next, stopped);
      done++;
    } catch (error) {
      const isInterrupted = error instanceof Interrupted;
      if (!isInterrupted)
        log.error({ err: error, userId: next._id }, "an account's deletion will be continued");
      // Where the database is away, the lease ends by itself.
      await due.giveBack(leaseFilter(next), isInterrupted ? 0 : due.pause(next)).catch(() => {});
    }
  return done;
}

const leaseFilter = ({ _id, lease }: Leased<AccountDeletionDocument>) => ({ _id, lease });

async function continueDeletion(
  deletion: Leased<AccountDeletionDocument>,
  stopped: () => boolean,
): Promise<void> {
  const { _id: userId, mailsOf: names = [userId.toString()], lookedThrough } = deletion;
  const failures: unknown[] = [];
  for (const step of STEPS)
    try {
      for await (const progress of step({ userId, names, lookedThrough }))
        if (stopped() || !(await due.renew(leaseFilter(deletion), progress)))
          throw new Interrupted();
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      // One that fails holds up no other.
      failures.push(error);
    }
  throwFirst(failures);
  await inTransaction((session) => AccountDeletion.deleteOne(leaseFilter(deletion), { session }));
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
