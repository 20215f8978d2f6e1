import { randomUUID } from "node:crypto";
import type { UpdateQuery } from "mongoose";
import pLimit from "p-limit";
import {
  Notification,
  NOTIFICATION_KINDS,
  type NotificationDocument,
  type NotificationKind,
  type ReviewNotification,
} from "#models/notification";
import { processJob } from "~/jobs/job.server";
import { type Clock, systemClock } from "~/lib/clock";
import { inTransaction } from "~/db/transaction.server";
import { env } from "~/config/env.server";
import { log } from "~/lib/log.server";
import { mailAttempts } from "~/lib/metrics.server";
import { Poller } from "~/jobs/poller.server";
import { backoff } from "~/lib/retries.server";
import { lookBeforeSending } from "./last-look.server";
import { renderMail } from "./mail.server";
import { noteSent } from "./review-requests.server";
import { MailError, SEND_TIMEOUT_MS, sendGrid, type SendMail } from "./sendgrid.server";

/** Lease duration: afterwards another process may deliver the e-mail. */
export const LEASE_MS = 3 * SEND_TIMEOUT_MS;

const FIRST_RETRY_MS = 2_000;

const POLL_MS = 2_000;

const PARALLEL = 8;

/** Delivers what is due in the outbox (docs/decisions/003-outbox.md). One per process; tests make their own. */
export class OutboxWorker {
  readonly #poller = new Poller({
    every: () => POLL_MS,
    // It does not wait for them: others may be due before a slow one has ended.
    work: () => Promise.resolve(this.wake()),
    onError: () => {},
  });
  #lanes = new Set<Promise<void>>();
  readonly #claims = pLimit(1);
  #stopped = false;

  readonly #clock: Clock;

  /** With `send` null, e-mails are captured. */
  constructor(
    private readonly send: SendMail | null,
    { clock = systemClock }: { clock?: Clock } = {},
  ) {
    this.#clock = clock;
  }

  start(): void {
    this.#poller.start();
  }

  /** Starts to deliver what is due now, in the background and beside deliveries under way. */
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

  /** Takes nothing new, and resolves when what is being delivered is recorded. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#poller.stop();
    await Promise.all(this.#lanes);
  }

  async #deliverAllDue(): Promise<void> {
    for (let next; !this.#stopped && (next = await this.#claim());) await this.#deliver(next);
  }

  /** Leases one e-mail: until the lease ends, no other process takes it. */
  async #claim(): Promise<NotificationDocument | null> {
    // One lane at a time, so that this process never conflicts with itself.
    return this.#claims(async () => {
      for (const kind of NOTIFICATION_KINDS) {
        const claim = kind === "digest" ? this.#claimDigest() : this.#claimSingle(kind);
        const claimed = await claim;
        if (claimed) return claimed;
      }
      return null;
    });
  }

  async #claimSingle(kind: NotificationKind): Promise<NotificationDocument | null> {
    const now = this.#clock();
    const due = dueOf(kind, now);
    // Not sorted: the index has the earliest first.
    for (let next; (next = await Notification.findOne(due).lean<NotificationDocument>());) {
      const lease = randomUUID();
      // Of processes that have found the same one, the filter lets one have it.
      const filter = { _id: next._id, ...due };
      const { modifiedCount } = await Notification.updateOne(filter, toLease(lease, now));
      if (modifiedCount === 1) return { ...next, lease, attempts: next.attempts + 1 };
    }
    return null;
  }

  /** Leases all that is due for one guide's daily e-mail, and returns the one with the most attempts. */
  async #claimDigest(): Promise<NotificationDocument | null> {
    const now = this.#clock();
    const due = dueOf("digest", now);
    // Before the transaction, which is too expensive for every look of every process.
    if (!(await Notification.exists(due))) return null;
    // In one transaction, so that two processes never split the reviews of one e-mail between them.
    return inTransaction(
      async (session) => {
        const next = await Notification.findOne(due, null, { session }).lean<ReviewNotification>();
        if (!next) return null;
        const lease = randomUUID();
        await Notification.updateMany({ guideId: next.guideId, ...due }, toLease(lease, now), {
          session,
        });
        return Notification.findOne({ lease }, null, { session })
          .sort({ attempts: -1 })
          .lean<ReviewNotification>();
      },
      { timeoutMs: LEASE_MS / 2 },
    );
  }

  async #deliver(leased: NotificationDocument): Promise<void> {
    const { _id, kind, attempts } = leased;
    try {
      if (kind === "account" && leased.mail!.expiresAt && leased.mail!.expiresAt <= this.#clock())
        throw new ExpiredError("The link in it has expired");
      if (!(await this.#isStillDue(leased))) return;
      const state = this.send ? "sent" : "captured";
      await this.send?.({ ...(await renderMail(leased)), from: env().mailFrom });
      // At once: a process that is killed between has it sent again.
      await Promise.all([this.#end(leased, state), this.#noteSent(leased)]);
      mailAttempts.inc({ result: state });
      if (state === "sent") log.info({ mail: _id, kind, attempts }, "e-mail sent");
    } catch (error) {
      await this.#recordFailure(leased, error);
    }
  }

  async #isStillDue(leased: NotificationDocument): Promise<boolean> {
    const found = await lookBeforeSending(leased, this.#clock());
    if (found === "due") return true;
    const putOff = { $set: found, $inc: { attempts: -1 }, $unset: { lease: 1 } };
    if (found !== "dropped")
      await this.#record(leased, putOff as UpdateQuery<NotificationDocument>);
    return false;
  }

  async #noteSent(leased: NotificationDocument): Promise<void> {
    if (leased.kind === "account" && leased.asks) await noteSent(leased.asks, this.#clock());
  }

  async #recordFailure(leased: NotificationDocument, error: unknown): Promise<void> {
    const { _id, kind, attempts } = leased;
    const failure = error instanceof Error ? error.message : String(error);
    const mailError = error instanceof MailError ? error : null;
    const delay = Math.max(backoff(attempts, FIRST_RETRY_MS), mailError?.retryAfterMs ?? 0);
    const dueAt = new Date(this.#clock().getTime() + delay);

    const isFinal = error instanceof ExpiredError || mailError?.retryable === false;
    // The reviews of a digest may have waited since different days.
    const over = isFinal ? {} : { retryUntil: { $lt: dueAt } };
    const givenUp = await this.#end(leased, "dead", { failure }, over);
    mailAttempts.inc({ result: givenUp > 0 ? "given_up" : "failed" });
    if (givenUp > 0) log.error({ mail: _id, kind, attempts, failure }, "e-mail given up");
    const retried = await this.#record(leased, { $set: { dueAt, failure }, $unset: { lease: 1 } });
    if (retried === 0) return;
    const context = { mail: _id, kind, attempts, failure, retryInMs: delay };
    if (mailError?.senderRefused)
      log.error(
        context,
        "SendGrid refuses SENDGRID_API_KEY or MAIL_FROM; e-mails wait for two days",
      );
    else log.warn(context, "e-mail failed");
  }

  /** An e-mail about an account is kept only for /dev/mail, or, without a link in it, for an operator's retry. */
  #end(
    leased: NotificationDocument,
    state: "sent" | "captured" | "dead",
    fields: Pick<NotificationDocument, "failure"> = {},
    filter: object = {},
  ): Promise<number> {
    const $set = { state, endedAt: this.#clock(), ...fields };
    if (state === "captured") return this.#record(leased, { $set }, filter);
    const kept = state === "dead" && leased.kind === "account" && !leased.mail?.expiresAt;
    return this.#record(leased, { $set, $unset: { lease: 1, ...(!kept && { mail: 1 }) } }, filter);
  }

  /** Only the lease's holder records the outcome: a late process may have been replaced meanwhile. */
  async #record(
    leased: NotificationDocument,
    outcome: UpdateQuery<NotificationDocument>,
    filter: object = {},
  ): Promise<number> {
    const mine = { lease: leased.lease, ...filter };
    const { modifiedCount } = await Notification.updateMany(mine, outcome);
    return modifiedCount;
  }
}

class ExpiredError extends Error {}

const dueOf = (kind: NotificationKind, now: Date) =>
  ({ state: "pending", kind, dueAt: { $lte: now } }) as const;

const toLease = (lease: string, now: Date) => ({
  $set: { dueAt: new Date(now.getTime() + LEASE_MS), lease },
  $inc: { attempts: 1 },
});

const LIBRARY_MS = 5_000;

export const notifications = processJob(() => {
  const { sendgridApiKey, sendgridBaseUrl } = env();
  // Not only with the first e-mail, which may come after somebody has replaced the packages of the running site.
  setTimeout(() => void import("@sendgrid/mail").catch(() => undefined), LIBRARY_MS).unref();
  return new OutboxWorker(sendgridApiKey ? sendGrid(sendgridApiKey, sendgridBaseUrl) : null);
});
