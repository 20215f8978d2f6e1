import { Asking, ReviewRequest } from "#models/review-request";
import { env } from "~/config/env.server";
import { processJob } from "~/jobs/job.server";
import { isDuplicateKeyError } from "~/lib/errors.server";
import { log } from "~/lib/log.server";
import { Poller } from "~/jobs/poller.server";
import { askDue } from "./ask.server";
import { CompletedBookings, noteCompleted } from "./note.server";

const POLL_MS = 15_000;
const ONLY = { _id: "asking" } as const;

/**
 * Asks guests for reviews (docs/rules/review-requests.md, Review requests). One per process; tests make their own.
 */
export class ReviewRequests {
  readonly #bookings = new CompletedBookings();
  #isOn = false;

  /** Notes a page of the completed bookings, and asks who is to be asked by now. */
  async turn(stopped?: AbortSignal): Promise<void> {
    try {
      if (!this.#isOn) await this.#switchOn(stopped);
      await this.#bookings.notePage(new Date());
    } finally {
      await askDue({ stopped: () => stopped?.aborted ?? false });
    }
  }

  /** Guests whose bookings are completed already when it is switched on are not asked. */
  async #switchOn(stopped: AbortSignal | undefined): Promise<void> {
    const now = new Date();
    if (!(await Asking.exists(ONLY))) {
      const before = { $set: { notAsked: "before" as const }, $unset: { dueAt: 1 as const } };
      await ReviewRequest.updateMany({ dueAt: { $gte: new Date(0) } }, before);
      const bookings = new CompletedBookings();
      while (!(await bookings.notePage(now, "before"))) stopped?.throwIfAborted();
      await Asking.create(ONLY).catch((error: unknown) => {
        // Another process was first.
        if (!isDuplicateKeyError(error)) throw error;
      });
    }
    this.#isOn = true;
  }
}

/** Stops asking guests. Those whose bookings are completed before asking is switched on again are never asked. */
export const switchOff = () => Asking.deleteOne(ONLY);

export const reviewRequests = processJob(() => {
  if (!env().reviewRequests) return null;
  const requests = new ReviewRequests();
  return new Poller({
    every: () => POLL_MS,
    work: (stopped) => requests.turn(stopped),
    onError: (error) => log.error({ err: error }, "guests cannot be asked for reviews"),
  });
});

/** Notes the guests of bookings that were completed just now, and asks them once that is due. */
export async function askGuests(
  bookings: Parameters<typeof noteCompleted>[0],
  now: Date,
): Promise<void> {
  await noteCompleted(bookings, { now });
  reviewRequests.wake();
}
