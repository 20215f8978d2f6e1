import { Types } from "mongoose";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { OutboxWorker } from "~/services/notifications/delivery.server";
import { sendGrid } from "~/services/notifications/sendgrid.server";
import { RETRY_MS } from "~/services/notifications/outbox.server";
import {
  Notification,
  type ReviewNotification,
  type ReviewNotificationInputs,
} from "../../models/notification";
import { useDatabase } from "./database";
import { startSendGrid, type SendGridStandIn } from "./sendgrid";

/** The credentials and sender for SendGrid in these tests. */
export const KEY = "SG.a-key-that-no-log-may-hold";

/** Receives the mails of the workers below; each test begins with one that accepts everything. */
export let standIn: SendGridStandIn;

/** The workers' time, in milliseconds, which tests move forward. */
export const time = { now: 0 };
export const clock = () => new Date(time.now);

export const worker = (timeoutMs = 5_000) =>
  new OutboxWorker(sendGrid(KEY, standIn.url, timeoutMs), { clock });

/** A new database, SendGrid and clock for each of this file's tests. */
export function useOutbox(): void {
  useDatabase();
  beforeAll(async () => (standIn = await startSendGrid()));
  afterAll(() => standIn.close());
  beforeEach(() => {
    // Noon of today: with an older time, the TTL index would delete e-mails in the middle of a test.
    time.now = new Date().setUTCHours(12, 0, 0, 0);
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

/** A notification for Gwen that is due now; returns its id. */
export async function enqueue(fields: Partial<ReviewNotification> = {}): Promise<Types.ObjectId> {
  const _id = new Types.ObjectId();
  await Notification.create({
    _id,
    kind: "review",
    guideId: GWEN,
    explorerId: new Types.ObjectId(),
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
