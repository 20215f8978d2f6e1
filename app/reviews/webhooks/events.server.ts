import { Types } from "mongoose";
import type { ChangeDocument } from "#models/change";
import type { EventNotification } from "#models/notification";
import { Webhook, type WebhookDocument } from "#models/webhook";
import { cached } from "~/lib/cache.server";

/** How old the addresses may be of which a process knows. */
const FRESH_MS = 5_000;

/** When a new address is first told of changes: all processes know of it by then, though their clocks differ. */
export const NEW_AFTER_MS = 2 * FRESH_MS;

type Told = Pick<WebhookDocument, "_id" | "since">;

const ALL = "all";

/** Of a server they are read by its job (app/reviews/webhooks/sender.server.ts), so that no request waits for them. */
const told = cached<Told[]>({
  name: "webhooks",
  ttl: FRESH_MS,
  maxBytes: 256 * 1024,
  load: () => Webhook.find({}, "since").lean<Told[]>(),
});

/** Returns all addresses, and lets this process tell them of changes. */
export async function readWebhooks(): Promise<WebhookDocument[]> {
  const webhooks = await Webhook.find().lean<WebhookDocument[]>();
  told.set(
    ALL,
    webhooks.map(({ _id, since }) => ({ _id, since })),
  );
  return webhooks;
}

/** Returns a row of the outbox for each line and each address that is told of it. */
export async function eventsOf(lines: readonly ChangeDocument[]): Promise<EventNotification[]> {
  const webhooks = await told.forceFetch(ALL);
  return lines.flatMap((line) =>
    webhooks.filter(({ since }) => since <= line.time).map(({ _id }) => eventFor(_id, line)),
  );
}

export const eventFor = (webhook: string, { _id, time }: ChangeDocument): EventNotification => ({
  _id: new Types.ObjectId(),
  kind: "event",
  webhook,
  change: _id,
  createdAt: time,
});
