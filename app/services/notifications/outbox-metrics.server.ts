import { Gauge } from "prom-client";
import { Notification, type NotificationState } from "../../../models/notification";
import { databaseRegistry } from "../../infra/metrics.server";
import { RETRY_MS } from "./outbox.server";

/** So many documents of a state are counted at most, so that an outbox that grows does not slow its metrics. */
const MOST_COUNTED = 10_000;

const STATES: NotificationState[] = ["pending", "sent", "captured", "dead"];

const registers = [databaseRegistry];

/** Adds the outbox to the metrics. A function, because the build leaves out a module that nothing is taken from. */
export function measureOutbox(): void {
  new Gauge({
    name: "tour_reviews_mails",
    help: `The outbox's documents of the last 30 days by state, ${MOST_COUNTED} at most; dead ones were given up.`,
    labelNames: ["state"] as const,
    registers,
    async collect() {
      const count = (state: NotificationState) =>
        Notification.countDocuments({ state }, { limit: MOST_COUNTED });
      const counts = await Promise.all(STATES.map(count));
      STATES.forEach((state, index) => this.set({ state }, counts[index]!));
    },
  });

  new Gauge({
    name: "tour_reviews_mails_oldest_seconds",
    help: "How long ago the oldest e-mail that waits was first due; 0 when none is due.",
    registers,
    async collect() {
      const [found] = await Notification.aggregate<{ oldest: Date }>([
        { $match: { state: "pending" } },
        { $limit: MOST_COUNTED },
        { $group: { _id: null, oldest: { $min: "$retryUntil" } } },
      ]);
      const firstDue = found ? found.oldest.getTime() - RETRY_MS : Infinity;
      this.set(Math.max(0, (Date.now() - firstDue) / 1_000));
    },
  });
}
