import { Gauge } from "prom-client";
import { type EventNotification, Notification } from "#models/notification";
import { NO_ID } from "#models/reading";
import { Webhook, type WebhookDocument } from "#models/webhook";
import { env } from "~/config/env.server";
import { BATCH } from "~/db/batches";
import { type EntryPlace, findEntriesAfter } from "~/db/embedded/changes.server";
import { LONGEST_TRANSACTION_MS } from "~/db/transaction.server";
import { sha256 } from "~/lib/digest.server";
import { isDuplicateKeyError, ServiceError } from "~/lib/errors.server";
import { databaseRegistry } from "~/lib/metrics.server";
import { eventFor } from "./events.server";

/** The `_id` of an address. */
export const webhookId = (url: string) => sha256(url).slice(0, 12);

/** For how long the oldest event that waits for an address has done so. */
async function behindMs(webhook: string): Promise<number> {
  // Not sorted: the index has the oldest first.
  const first = await Notification.findOne({ webhook }, "createdAt").lean<EventNotification>();
  return first ? Math.max(0, Date.now() - first.createdAt.getTime()) : 0;
}

export type ListedWebhook = Awaited<ReturnType<typeof listWebhooks>>[number];

/** Lists the addresses of the last 30 days, without their queries. */
export async function listWebhooks() {
  const webhooks = await Webhook.find().sort({ since: 1 }).lean<WebhookDocument[]>();
  return Promise.all(
    webhooks.map(async ({ _id: id, address, dueAt, attempts, failure = null }) => {
      return { id, address, behindMs: await behindMs(id), dueAt, attempts, failure };
    }),
  );
}

/**
 * Lets the running site send everything from that time again to an address, which is given whole, as it is listed, or
 * by its id. Each event waits once. Throws `ServiceError` 404 for an unknown address, and 400 where two are listed
 * alike.
 */
export async function resend(address: string, from: Date): Promise<void> {
  const ids = [address, webhookId(URL.canParse(address) ? new URL(address).href : address)];
  const named = await Webhook.find({ _id: { $in: ids } }).lean<WebhookDocument[]>();
  // They differ in their queries, which are not stored.
  const listed =
    named.length > 0 ? named : await Webhook.find({ address }).lean<WebhookDocument[]>();
  if (listed.length > 1)
    throw new ServiceError(400, "Two addresses differ in their queries alone: give the id of one");
  const [found] = listed;
  if (!found) throw new ServiceError(404, "There is no such address: see npm run webhooks -- list");
  const { _id } = found;
  await queueFrom(_id, from);
  // A worker that holds the lease goes on with these.
  const again = { $set: { dueAt: new Date(), attempts: 0 }, $unset: { failure: 1 } } as const;
  await Webhook.updateOne({ _id, lease: { $exists: false } }, again);
}

/** Puts the events of all entries of the log from that time on into the outbox, but for those that wait there. */
export async function queueFrom(webhook: string, from: Date): Promise<void> {
  // The clock of the process that wrote an entry may be ahead.
  const until = new Date(Date.now() + LONGEST_TRANSACTION_MS);
  let place: EntryPlace | undefined = { time: from, tourId: NO_ID, version: 0 };
  while (place) {
    const entries = await findEntriesAfter(place, until, BATCH, { isQuiet: { $ne: true } });
    const events = entries.map((entry) => eventFor(webhook, entry));
    if (events.length > 0)
      await Notification.collection
        .insertMany(events, { ordered: false })
        // Those wait already; the others are stored.
        .catch((error: unknown) => {
          if (!isDuplicateKeyError(error)) throw error;
        });
    place = entries.at(-1);
  }
}

new Gauge({
  name: "tour_reviews_webhook_behind_seconds",
  help: "How long ago the oldest change happened of which an address of WEBHOOK_URLS has not been told.",
  labelNames: ["webhook"] as const,
  registers: [databaseRegistry],
  async collect() {
    const ids = env().webhookUrls.map(webhookId);
    if (ids.length === 0) return;
    this.reset();
    for (const webhook of ids) this.set({ webhook }, (await behindMs(webhook)) / 1_000);
  },
});
