import mongoose from "mongoose";
import { AccountDeletion } from "../../models/account-deletion";
import { Layout, type LayoutDocument } from "../../models/layout";
import { Notification, type NotificationState } from "../../models/notification";
import { version } from "../../package.json";
import { RETRY_MS } from "./notifications/outbox.server";

/** So many documents are counted at most, so that a long outbox does not slow this. */
const MOST_COUNTED = 10_000;

const STATES: NotificationState[] = ["pending", "sent", "captured", "dead"];

/** What an operator at the machine wants to know of a site whose database answers; times in seconds. */
export async function siteState() {
  const limit = { limit: MOST_COUNTED };
  const [server, layout, oldestPending, accountDeletions, ...counts] = await Promise.all([
    mongoose.connection.db!.admin().buildInfo(),
    Layout.findById("layout").lean<LayoutDocument>(),
    secondsSinceFirstDue(),
    AccountDeletion.countDocuments({ leasedUntil: { $gte: new Date(0) } }, limit),
    ...STATES.map((state) => Notification.countDocuments({ state }, limit)),
  ]);
  const outbox = Object.fromEntries(STATES.map((state, index) => [state, counts[index]!]));
  return {
    version,
    database: { version: String(server.version), layout: layout?.number ?? null },
    // The `dead` ones were given up.
    outbox: { ...outbox, oldestPendingSeconds: oldestPending },
    jobs: { accountDeletions },
  };
}

/** Since when the longest waiting of the e-mails is due; 0 when none is due. */
async function secondsSinceFirstDue(): Promise<number> {
  const [found] = await Notification.aggregate<{ retryUntil: Date }>([
    { $match: { state: "pending" } },
    { $limit: MOST_COUNTED },
    { $group: { _id: null, retryUntil: { $min: "$retryUntil" } } },
  ]);
  const firstDue = found ? found.retryUntil.getTime() - RETRY_MS : Infinity;
  return Math.max(0, Math.round((Date.now() - firstDue) / 1_000));
}
