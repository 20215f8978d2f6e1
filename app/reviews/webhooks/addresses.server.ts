import { Gauge } from "prom-client";
import { Webhook, type WebhookDocument } from "#models/webhook";
import { type Clock, systemClock } from "~/lib/clock";
import { sha256 } from "~/lib/digest.server";
import { env } from "~/config/env.server";
import { ServiceError } from "~/lib/errors.server";
import { databaseRegistry } from "~/lib/metrics.server";
import { linesBehind, placeAt, progressOf } from "./progress.server";

/** The `_id` of an address. */
export const webhookId = (url: string) => sha256(url).slice(0, 12);

/** For how long the oldest event that waits for an address has done so. */
async function behindMs(webhook: WebhookDocument, now: Date): Promise<number> {
  const progress = progressOf(webhook);
  const { lines } = await linesBehind(progress, 1, { now });
  const first = lines.find(({ _id }) => !progress.delivered.has(_id.toString()));
  return first ? Math.max(0, now.getTime() - first.time.getTime()) : 0;
}

export type ListedWebhook = Awaited<ReturnType<typeof listWebhooks>>[number];

/** Lists the addresses of the last 30 days, without their queries. */
export async function listWebhooks({ clock = systemClock }: { clock?: Clock } = {}) {
  const now = clock();
  const webhooks = await Webhook.find().sort({ since: 1 }).lean<WebhookDocument[]>();
  return Promise.all(
    webhooks.map(async (webhook) => {
      const { _id: id, address, place, dueAt, attempts, failure = null } = webhook;
      const behind = await behindMs(webhook, now);
      const settled = place.time;
      return { id, address, settled, behindMs: behind, dueAt, attempts, failure };
    }),
  );
}

/**
 * Lets the running site send everything from that time again to an address, which is given whole, as it is listed, or
 * by its id. What waits is not left out, whatever the time. Throws `ServiceError` 404 for an unknown address, and 400
 * where two are listed alike.
 */
export async function resend(
  address: string,
  from: Date,
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<void> {
  const ids = [address, webhookId(URL.canParse(address) ? new URL(address).href : address)];
  const named = await Webhook.find({ _id: { $in: ids } }).lean<WebhookDocument[]>();
  // They differ in their queries, which are not stored.
  const listed =
    named.length > 0 ? named : await Webhook.find({ address }).lean<WebhookDocument[]>();
  if (listed.length > 1)
    throw new ServiceError(400, "Two addresses differ in their queries alone: give the id of one");
  const [found] = listed;
  if (!found) throw new ServiceError(404, "There is no such address: see npm run webhooks -- list");
  const place = from < found.place.time ? placeAt(from) : found.place;
  // Without its lease, whoever is delivering records nothing more.
  await Webhook.updateOne(
    { _id: found._id },
    {
      $set: { place, delivered: [], dueAt: clock(), attempts: 0 },
      $unset: { lease: true, failure: true },
    },
  );
}

new Gauge({
  name: "tour_reviews_webhook_behind_seconds",
  help: "How long ago the oldest change happened of which an address of WEBHOOK_URLS has not been told.",
  labelNames: ["webhook"] as const,
  registers: [databaseRegistry],
  async collect() {
    const now = systemClock();
    const ids = env().webhookUrls.map(webhookId);
    if (ids.length === 0) return;
    this.reset();
    for (const webhook of await Webhook.find({ _id: { $in: ids } }).lean<WebhookDocument[]>())
      this.set({ webhook: webhook._id }, (await behindMs(webhook, now)) / 1_000);
  },
});
