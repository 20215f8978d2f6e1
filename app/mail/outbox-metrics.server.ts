import { Counter, Gauge } from "prom-client";
import { Notification, NOTIFICATION_STATES, type NotificationState } from "#models/notification";
import { databaseRegistry, processRegistry } from "~/lib/metrics.server";
import { RETRY_MS } from "./outbox.server";

/** Counting ends there, so that a long outbox does not slow the metrics. */
const MOST_COUNTED = 10_000;

const registers = [databaseRegistry];

export const mailAttempts = new Counter({
  name: "tour_reviews_mail_attempts_total",
  help: "Attempts to deliver an e-mail: sent, captured, failed (and retried), given_up.",
  labelNames: ["result"] as const,
  registers: [processRegistry],
});
// From the start: Prometheus does not see the increase with which a series begins.
for (const result of ["sent", "captured", "failed", "given_up"]) mailAttempts.inc({ result }, 0);

/** The `dead` ones were given up. */
export async function countMails(): Promise<Record<NotificationState, number>> {
  const countInState = async (state: NotificationState) =>
    [state, await Notification.countDocuments({ state }, { limit: MOST_COUNTED })] as const;
  return Object.fromEntries(await Promise.all(NOTIFICATION_STATES.map(countInState))) as Record<
    NotificationState,
    number
  >;
}

/** How long ago the oldest e-mail that waits was first due, in seconds; 0 when none is due. */
export async function secondsSinceFirstDue(): Promise<number> {
  const [found] = await Notification.aggregate<{ oldest: Date }>([
    { $match: { state: "pending" } },
    { $limit: MOST_COUNTED },
    { $group: { _id: null, oldest: { $min: "$retryUntil" } } },
  ]);
  const firstDue = found ? found.oldest.getTime() - RETRY_MS : Infinity;
  return Math.max(0, (Date.now() - firstDue) / 1_000);
}

/** Adds the outbox to the metrics. A function, because the build leaves out a module that nothing is taken from. */
export function measureOutbox(): void {
  new Gauge({
    name: "tour_reviews_mails",
    help: `The outbox's documents of the last 30 days by state, ${MOST_COUNTED} at most; dead ones were given up.`,
    labelNames: ["state"] as const,
    registers,
    async collect() {
      for (const [state, count] of Object.entries(await countMails())) this.set({ state }, count);
    },
  });

  new Gauge({
    name: "tour_reviews_mails_oldest_seconds",
    help: "How long ago the oldest e-mail that waits was first due; 0 when none is due.",
    registers,
    async collect() {
      this.set(await secondsSinceFirstDue());
    },
  });
}
