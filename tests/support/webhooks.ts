import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Types } from "mongoose";
import { toEvents, readWebhooks } from "~/reviews/webhooks/events.server";
import { Change, type ChangeDocument } from "#models/change";
import { Notification } from "#models/notification";
import { Webhook, type WebhookDocument } from "#models/webhook";

/** A secret as the settings have it. */
export const secretOf = (key: Buffer) => `whsec_${key.toString("base64")}`;

export const KEY = Buffer.alloc(32, "key");

/** A body as an address receives it. */
export interface Event {
  type: string;
  timestamp: string;
  data: {
    tourId: string;
    version: number;
    review: string | null;
    before: number | null;
    stars: number | null;
    ratings: unknown;
    count: number;
    mean: number;
  };
}

export interface Received {
  id: string;
  headers: IncomingMessage["headers"];
  path: string;
  body: string;
  event: Event;
}

type Behaviour = number | "hang" | "reset" | "endless";

/** An address of webhooks on this machine, at any port or at a given one. */
export class Receiver {
  url = "";
  /** All attempts, in the order of their arrival. */
  readonly attempts: Received[] = [];
  /** Those that were answered with 2xx. */
  readonly events: Received[] = [];
  /** How it answers the nth attempt, counted from 1; at first it accepts everything. */
  answer: (nth: number) => Behaviour | Promise<Behaviour> = () => 204;
  answerHeaders: Record<string, string> = {};
  readonly #server = createServer((request, response) => void this.#receive(request, response));

  async listen(port = 0): Promise<this> {
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hooks?token=quokka`;
    return this;
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers, socket, url: path = "" } = request;
    const body = await text(request);
    const id = String(headers["webhook-id"]);
    const received = { id, headers, path, body, event: JSON.parse(body) as Event };
    this.attempts.push(received);
    const behaviour = await this.answer(this.attempts.length);
    if (behaviour === "hang") return;
    if (behaviour === "reset") {
      socket.destroy();
      return;
    }
    const status = behaviour === "endless" ? 200 : behaviour;
    if (status < 300) this.events.push(received);
    response.writeHead(status, this.answerHeaders);
    if (behaviour !== "endless") {
      response.end();
      return;
    }
    const more = setInterval(() => response.write("x".repeat(10_000)), 1);
    socket.on("close", () => clearInterval(more));
  }

  /** The versions that have arrived of each tour, in the order of their first arrival. */
  versions(): Record<string, number[]> {
    const versions: Record<string, number[]> = {};
    const ids = new Set<string>();
    for (const { id, event } of this.events)
      if (!ids.has(id) && ids.add(id))
        (versions[event.data.tourId] ??= []).push(event.data.version);
    return versions;
  }

  /** The connections that hang then fail. */
  drop(): void {
    this.#server.closeAllConnections();
  }

  async close(): Promise<void> {
    this.drop();
    this.#server.close();
    await once(this.#server, "close");
  }
}

/** Whether one of the signatures is that of Standard Webhooks, computed as its specification says. */
export function isSigned({ headers, body }: Received, key: Buffer): boolean {
  const signed = [headers["webhook-id"], headers["webhook-timestamp"], body].map(String).join(".");
  const expected = `v1,${createHmac("sha256", key).update(signed, "utf8").digest("base64")}`;
  return String(headers["webhook-signature"]).split(" ").includes(expected);
}

/** Stores an entry and its events, as a transaction does that ends now; of a tour of its own unless it is given. */
export async function addEntry(
  time: Date,
  {
    tourId = new Types.ObjectId(),
    version = 1,
  }: { tourId?: Types.ObjectId; version?: number } = {},
): Promise<ChangeDocument> {
  const entry: ChangeDocument = {
    _id: new Types.ObjectId(),
    tourId,
    version,
    type: "created",
    review: new Types.ObjectId(),
    before: null,
    stars: 4,
    ratings: null,
    count: version,
    mean: 4,
    time,
    previous: "0".repeat(64),
  };
  await Change.collection.insertOne(entry);
  const events = await toEvents([entry]);
  if (events.length > 0) await Notification.collection.insertMany(events);
  return entry;
}

/** Lets addresses be told of changes at once, as if their first start was long ago. */
export async function tellAtOnce(): Promise<void> {
  await Webhook.updateMany({}, { $set: { dueAt: new Date() }, $unset: { from: 1 } });
  await readWebhooks();
}

/** How many events wait, for all addresses. */
export const countWaiting = () => Notification.countDocuments({ webhook: { $gt: "" } });

export const storedWebhook = async () => (await Webhook.findOne().lean<WebhookDocument>())!;
