import { Types } from "mongoose";
import type { ChangeDocument } from "#models/change";
import type { EventNotification } from "#models/notification";
import { Webhook, type WebhookDocument } from "#models/webhook";
import { cached } from "~/lib/cache.server";

/** How old the addresses may be of which a process knows. */
const FRESH_MS = 4_000;

/** After its first start all processes know of an address. */
export const KNOWN_AFTER_MS = FRESH_MS + 1_000;

const ALL = "all";

const webhookIds = (webhooks: WebhookDocument[]) => webhooks.map(({ _id }) => _id);

/** On a server its job reads them (app/reviews/webhooks/sender.server.ts), so that no request waits for them. */
const cachedIds = cached<string[]>({
  name: "webhooks",
  ttl: FRESH_MS,
  maxBytes: 256 * 1024,
  load: async () => webhookIds(await Webhook.find({}, "_id").lean<WebhookDocument[]>()),
});

/** Returns all addresses, and lets this process tell them of changes. */
export async function readWebhooks(): Promise<WebhookDocument[]> {
  const webhooks = await Webhook.find().lean<WebhookDocument[]>();
  cachedIds.set(ALL, webhookIds(webhooks));
  return webhooks;
}

/** Returns a row of the outbox for each entry and each address that is told of it. */
export async function toEvents(entries: readonly ChangeDocument[]): Promise<EventNotification[]> {
  const webhooks = await cachedIds.forceFetch(ALL);
  return entries.flatMap((entry) => webhooks.map((webhook) => eventFor(webhook, entry)));
}

export const eventFor = (webhook: string, { _id, time }: ChangeDocument): EventNotification => ({
  _id: new Types.ObjectId(),
  kind: "event",
  webhook,
  change: _id,
  createdAt: time,
});
