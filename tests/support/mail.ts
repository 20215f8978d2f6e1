import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { Types } from "mongoose";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { OutboxWorker } from "~/mail/delivery.server";
import { RETRY_MS } from "~/mail/outbox.server";
import { sendGrid } from "~/mail/sendgrid.server";
import type { LinkPurpose } from "#models/email-link";
import {
  type AccountMail,
  type AccountNotification,
  Notification,
  type ReviewNotification,
  type ReviewNotificationInputs,
} from "#models/notification";
import { Review } from "#models/review";
import { useDatabase } from "./database";
import { setTime } from "./time";

// The e-mails about accounts, waiting in the outbox or captured.

/** Those to that address, oldest first. */
export async function mailsTo(email: string): Promise<AccountMail[]> {
  const found = await Notification.find({ kind: "account", "mail.to.email": email })
    .sort({ _id: 1 })
    .lean<AccountNotification[]>();
  return found.map(({ mail }) => mail!);
}

export const subjectsTo = async (email: string) =>
  (await mailsTo(email)).map(({ subject }) => subject);

const PATHS: Record<LinkPurpose, string> = {
  "sign-up": "/signup/",
  reset: "/reset/",
  address: "/me/address/",
};

/** The token of the link in the newest e-mail to that address that has a link for that purpose. */
export async function tokenTo(email: string, purpose: LinkPurpose): Promise<string> {
  const link = new RegExp(`http://[^/\\s]+${PATHS[purpose]}([\\w-]{43})(?!\\S)`);
  const tokens = (await mailsTo(email)).flatMap(({ text }) => link.exec(text)?.[1] ?? []);
  expect(tokens).not.toEqual([]);
  return tokens.at(-1)!;
}

export const linkTo = async (email: string, purpose: LinkPurpose) =>
  PATHS[purpose] + (await tokenTo(email, purpose));

export const KEY = "SG.a-key-that-no-log-may-hold";

/** Receives the mails of the workers below; each test begins with one that accepts everything. */
export let standIn: SendGridStandIn;

/** The time of this process, in milliseconds, which tests move forward. */
export const time = {
  get now() {
    return Date.now();
  },
  set now(to) {
    setTime(to);
  },
};
export const clock = () => new Date();

/** A busy machine answers late. */
export const worker = (timeoutMs = 60_000) =>
  new OutboxWorker(sendGrid(KEY, standIn.url, timeoutMs));

/** A new database, SendGrid and time for each of this file's tests. */
export function useOutbox(): void {
  useDatabase();
  beforeAll(async () => (standIn = await startSendGrid()));
  afterAll(() => standIn.close());
  beforeEach(() => {
    // Noon of today: with an older time, the TTL index would delete e-mails in the middle of a test.
    setTime(new Date().setUTCHours(12, 0, 0, 0));
    standIn.attempts.length = standIn.mails.length = 0;
    standIn.answer = () => 202;
    standIn.retryAfter = undefined;
  });
}

export const GWEN = new Types.ObjectId();
export const INPUTS: ReviewNotificationInputs = {
  guideName: "Gwen",
  guideEmail: "gwen@example.test",
  explorerName: "Ann",
  tourTitle: "Old Town Walk",
  rating: 5,
  comment: "Best walk",
  tourSlug: "old-town-walk",
};

/** A notification for Gwen that is due now, and its review; returns their id. */
export async function enqueue(fields: Partial<ReviewNotification> = {}): Promise<Types.ObjectId> {
  const { _id = new Types.ObjectId(), explorerId = new Types.ObjectId() } = fields;
  const review = { userId: explorerId, tourId: new Types.ObjectId(), createdAt: clock() };
  await Review.updateOne({ _id }, { $setOnInsert: review }, { upsert: true });
  await Notification.create({
    _id,
    kind: "review",
    guideId: GWEN,
    explorerId,
    inputs: INPUTS,
    state: "pending",
    createdAt: clock(),
    dueAt: clock(),
    retryUntil: new Date((fields.dueAt ?? clock()).getTime() + RETRY_MS),
    ...fields,
  });
  return _id;
}

export const stored = async (id: Types.ObjectId) => (await Notification.findById(id).lean())!;

interface ReceivedMail {
  from: { email: string; name?: string };
  subject: string;
  personalizations: { to: { email: string }[] }[];
  content: { type: string; value: string }[];
  headers?: Record<string, string>;
  tracking_settings?: Record<string, { enable: boolean }>;
}

/** A stand-in for SendGrid's `POST /v3/mail/send` on this machine. */
export class SendGridStandIn {
  url = "";
  readonly attempts: { path?: string; authorization?: string; mail: ReceivedMail }[] = [];
  readonly mails: ReceivedMail[] = [];
  /** How it answers the nth attempt, counted from 1; at first it accepts everything. */
  answer: (nth: number) => number | "hang" | "reset" = () => 202;
  /** The time to try again that it answers with, if any. */
  retryAfter: string | undefined;
  readonly #server = createServer((request, response) => void this.#receive(request, response));

  async listen(): Promise<this> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const mail = (await json(request)) as ReceivedMail;
    const { url: path, headers, socket } = request;
    this.attempts.push({ path, authorization: headers.authorization, mail });
    const behaviour = this.answer(this.attempts.length);
    if (behaviour === "hang") return;
    if (behaviour === "reset") {
      socket.destroy();
      return;
    }
    if (behaviour < 300) this.mails.push(mail);
    response.writeHead(behaviour, {
      "content-type": "application/json",
      ...(this.retryAfter && { "retry-after": this.retryAfter }),
    });
    response.end(behaviour < 300 ? "" : '{"errors":[{"message":"the stand-in says no"}]}');
  }

  /** Closes its connections: an attempt that hangs then fails. */
  drop(): void {
    this.#server.closeAllConnections();
  }

  close(): void {
    this.drop();
    this.#server.close();
  }
}

export const startSendGrid = () => new SendGridStandIn().listen();
