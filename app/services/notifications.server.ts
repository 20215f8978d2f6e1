import { randomUUID } from "node:crypto";
import type { ClientSession } from "mongoose";
import { renderReviewNotification } from "../../emails/review-notification";
import {
  Notification,
  type NotificationDocument,
  type ReviewNotificationInputs,
} from "../../models/notification";
import type { ReviewDocument } from "../../models/review";
import type { TourDocument } from "../../models/tour";
import { User, type UserDocument } from "../../models/user";
import { env } from "../server/env.server";
import { log } from "../server/log.server";
import { toObjectId } from "./ids.server";
import { MailError, SEND_TIMEOUT_MS, sendGrid, type SendMail } from "./mail.server";

/** How long one process may hold a mail before another one takes it over. */
export const LEASE_MS = 3 * SEND_TIMEOUT_MS;
/** How long a mail is tried before it is given up. */
export const GIVE_UP_AFTER_MS = 48 * 60 * 60 * 1_000;
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 60 * 60 * 1_000;
const POLL_MS = 2_000;
const PARALLEL = 8;

/**
 * Adds the guide's e-mail about a new review to the outbox, in the review's own transaction. A tour
 * whose guide has no account or no address gets none.
 */
export async function enqueueNotification(
  review: ReviewDocument,
  tour: TourDocument,
  explorer: UserDocument | null,
  session: ClientSession,
): Promise<void> {
  const guide = await User.findById(tour.createdById, null, { session }).lean<UserDocument>();
  if (!guide?.email) {
    log.warn({ tourId: tour._id }, "the tour's guide has no e-mail address, nobody is notified");
    return;
  }
  const inputs: ReviewNotificationInputs = {
    guideName: guide.name,
    guideEmail: guide.email,
    explorerName: explorer?.name ?? "",
    tourTitle: tour.title,
    rating: review.rating,
    comment: review.comment,
    tourSlug: tour.slug,
  };
  const { createdAt } = review;
  await Notification.create(
    [{ _id: review._id, inputs, state: "pending", createdAt, dueAt: createdAt, attempts: 0 }],
    { session },
  );
}

/** What is due of the outbox, and how it leaves it. One per process; tests make their own. */
export class OutboxWorker {
  #timer: NodeJS.Timeout | undefined;
  #lanes = new Set<Promise<void>>();
  #stopped = false;

  /** `send` null keeps mails instead of sending them. */
  constructor(
    private readonly send: SendMail | null,
    private readonly clock: () => Date = () => new Date(),
  ) {}

  /** Looks every two seconds for what is due, until `stop`. */
  async start(): Promise<void> {
    // Refused credentials may have been replaced: this process tries once more what they stopped.
    await Notification.updateMany(
      {
        state: "dead",
        credentialsRefused: true,
        createdAt: { $gt: new Date(this.clock().getTime() - GIVE_UP_AFTER_MS) },
      },
      { $set: { state: "pending", dueAt: this.clock() }, $unset: { credentialsRefused: 1 } },
    );
    this.#timer = setInterval(() => this.wake(), POLL_MS);
    this.#timer.unref();
    this.wake();
  }

  /** Delivers what is due now, in the background, while others may still wait for SendGrid. */
  wake(): void {
    if (this.#stopped || this.#lanes.size >= PARALLEL) return;
    const lane = this.#deliverAllDue()
      .catch((error: unknown) => log.error({ err: error }, "the outbox cannot be read"))
      .finally(() => this.#lanes.delete(lane));
    this.#lanes.add(lane);
  }

  /** Delivers everything that is due, and resolves when that is recorded. */
  async drain(): Promise<void> {
    for (let lane = 0; lane < PARALLEL; lane++) this.wake();
    await Promise.all(this.#lanes);
  }

  /** Takes nothing new and resolves when what is being delivered is recorded. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await Promise.all(this.#lanes);
  }

  async #deliverAllDue(): Promise<void> {
    for (let next; !this.#stopped && (next = await this.#claim());) await this.#deliver(next);
  }

  /** Leases the mail that is due the longest: until the lease ends, no other process sees it. */
  async #claim(): Promise<NotificationDocument | null> {
    const now = this.clock();
    return Notification.findOneAndUpdate(
      { state: "pending", dueAt: { $lte: now } },
      {
        $set: { dueAt: new Date(now.getTime() + LEASE_MS), lease: randomUUID() },
        $inc: { attempts: 1 },
      },
      { sort: { dueAt: 1 }, returnDocument: "after" },
    ).lean<NotificationDocument>();
  }

  async #deliver(notification: NotificationDocument): Promise<void> {
    const { _id, inputs } = notification;
    try {
      if (!this.send) return await this.#record(notification, { state: "kept" });
      const mail = await renderReviewNotification(inputs, env().appUrl);
      await this.send({ ...mail, to: inputs.guideEmail, from: env().mailFrom });
      await this.#record(notification, { state: "sent", sentAt: this.clock() });
      log.info({ reviewId: _id, attempts: notification.attempts }, "guide notified");
    } catch (error) {
      await this.#recordFailure(notification, error);
    }
  }

  async #recordFailure(notification: NotificationDocument, error: unknown): Promise<void> {
    const { _id, attempts, createdAt } = notification;
    const failure = error instanceof Error ? error.message : String(error);
    const now = this.clock().getTime();
    const mailError = error instanceof MailError ? error : null;
    const delay = Math.max(backoff(attempts), mailError?.retryAfterMs ?? 0);
    const late = now + delay > createdAt.getTime() + GIVE_UP_AFTER_MS;
    if (late || mailError?.retryable === false) {
      log.error({ reviewId: _id, attempts, failure }, "guide's e-mail given up");
      const credentialsRefused = mailError?.credentialsRefused ?? false;
      return this.#record(notification, { state: "dead", failure, credentialsRefused });
    }
    log.warn({ reviewId: _id, attempts, failure, retryInMs: delay }, "guide's e-mail failed");
    await this.#record(notification, { dueAt: new Date(now + delay), failure });
  }

  /** Only the lease's holder records: one that took too long may have been overtaken. */
  async #record(
    { _id, lease }: NotificationDocument,
    outcome: Partial<NotificationDocument>,
  ): Promise<void> {
    await Notification.updateOne(
      { _id, lease, state: "pending" },
      { $set: outcome, $unset: { lease: 1 } },
    );
  }
}

/** Doubles with every attempt, up to an hour; up to a quarter less, so that many do not meet again. */
function backoff(attempts: number): number {
  const full = Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), LONGEST_RETRY_MS);
  return Math.round(full * (1 - Math.random() / 4));
}

let worker: OutboxWorker | undefined;

/** Starts this process's worker, with SendGrid if there is a key for it. */
export async function startNotifications(): Promise<void> {
  const { sendgridApiKey, sendgridBaseUrl } = env();
  worker = new OutboxWorker(sendgridApiKey ? sendGrid(sendgridApiKey, sendgridBaseUrl) : null);
  await worker.start();
}

/** Stops this process's worker; what it had leased and not finished is taken over by another. */
export async function stopNotifications(): Promise<void> {
  await worker?.stop();
}

/** Has this process's worker look now instead of at its next turn. */
export function wakeNotifications(): void {
  worker?.wake();
}

export interface KeptMail {
  id: string;
  to: string;
  createdAt: string;
  subject: string;
  html: string;
  text: string;
}

/** The newest mails that were kept because no SendGrid is configured, rendered as they would be sent. */
export async function listKeptMails(limit = 50): Promise<KeptMail[]> {
  const kept = await Notification.find({ state: "kept" })
    .sort({ dueAt: -1 })
    .limit(limit)
    .lean<NotificationDocument[]>();
  return Promise.all(kept.map((notification) => toKeptMail(notification)));
}

/** One kept mail, or null. */
export async function findKeptMail(reviewId: string): Promise<KeptMail | null> {
  const id = toObjectId(reviewId);
  if (!id) return null;
  const kept = await Notification.findOne({ _id: id, state: "kept" }).lean<NotificationDocument>();
  return kept && toKeptMail(kept);
}

async function toKeptMail(notification: NotificationDocument): Promise<KeptMail> {
  return {
    id: notification._id.toString(),
    to: notification.inputs.guideEmail,
    createdAt: notification.createdAt.toISOString(),
    ...(await renderReviewNotification(notification.inputs, env().appUrl)),
  };
}
