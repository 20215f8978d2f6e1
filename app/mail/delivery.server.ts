import type { Model, UpdateQuery } from "mongoose";
import pLimit from "p-limit";
import {
  Notification,
  NOTIFICATION_KINDS,
  type NotificationDocument,
  type ReviewNotification,
} from "#models/notification";
import { DueWork, type Leased } from "~/jobs/due-work.server";
import { processJob } from "~/jobs/job.server";
import { inTransaction } from "~/db/transaction.server";
import { env } from "~/config/env.server";
import { log } from "~/lib/log.server";
import { Poller } from "~/jobs/poller.server";
import { checkBeforeSending } from "./check-before-sending.server";
import { renderMail } from "./mail.server";
import { mailAttempts } from "./outbox-metrics.server";
import { noteSent } from "./review-requests.server";
import { MailError, SEND_TIMEOUT_MS, sendGrid, type SendMail } from "./sendgrid.server";

/** Lease duration: afterwards another process may deliver the e-mail. */
export const LEASE_MS = 3 * SEND_TIMEOUT_MS;

const FIRST_RETRY_MS = 2_000;

const POLL_MS = 2_000;

const PARALLEL = 8;

const outbox = new DueWork<NotificationDocument>(Notification as Model<NotificationDocument>, {
  until: "dueAt",
  leaseMs: LEASE_MS,
  firstRetryMs: FIRST_RETRY_MS,
});

type LeasedMail = Leased<NotificationDocument>;

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

  /** With `send` null, e-mails are captured. */
  constructor(private readonly send: SendMail | null) {}

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

  async #claim(): Promise<LeasedMail | null> {
    // One lane at a time, so that this process never conflicts with itself.
    return this.#claims(async () => {
      for (const kind of NOTIFICATION_KINDS) {
        const due = { state: "pending", kind } as const;
        const claimed = await (kind === "digest" ? claimDigest() : outbox.claim(due));
        if (claimed) return claimed;
      }
      return null;
    });
  }

  async #deliver(leased: LeasedMail): Promise<void> {
    const { _id, kind, attempts } = leased;
    try {
      const expiresAt = leased.kind === "account" ? leased.mail?.expiresAt : undefined;
      if (expiresAt && expiresAt <= new Date())
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

  async #isStillDue(leased: LeasedMail): Promise<boolean> {
    const found = await checkBeforeSending(leased, new Date());
    if (found === "due") return true;
    const putOff = { $set: found, $inc: { attempts: -1 }, $unset: { lease: 1 } };
    if (found !== "dropped")
      await outbox.record(leaseFilter(leased), putOff as UpdateQuery<NotificationDocument>);
    return false;
  }

  async #noteSent(leased: NotificationDocument): Promise<void> {
    if (leased.kind === "account" && leased.asks) await noteSent(leased.asks, new Date());
  }

  async #recordFailure(leased: LeasedMail, error: unknown): Promise<void> {
    const { _id, kind, attempts } = leased;
    const failure = error instanceof Error ? error.message : String(error);
    const mailError = error instanceof MailError ? error : null;
    const delay = outbox.pause(leased, mailError?.retryAfterMs);
    const dueAt = new Date(Date.now() + delay);

    const isFinal = error instanceof ExpiredError || mailError?.retryable === false;
    // The reviews of a digest may have waited since different days.
    const over = isFinal ? {} : { retryUntil: { $lt: dueAt } };
    const givenUp = await this.#end(leased, "dead", { failure }, over);
    mailAttempts.inc({ result: givenUp > 0 ? "given_up" : "failed" });
    if (givenUp > 0) log.error({ mail: _id, kind, attempts, failure }, "e-mail given up");
    if ((await outbox.giveBack(leaseFilter(leased), delay, { failure })) === 0) return;
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
    leased: LeasedMail,
    state: "sent" | "captured" | "dead",
    fields: Pick<NotificationDocument, "failure"> = {},
    filter: object = {},
  ): Promise<number> {
    const $set = { state, endedAt: new Date(), ...fields };
    const ended = { ...leaseFilter(leased), ...filter };
    if (state === "captured") return outbox.record(ended, { $set });
    const kept = state === "dead" && leased.kind === "account" && !leased.mail?.expiresAt;
    return outbox.record(ended, { $set, $unset: { lease: 1, ...(!kept && { mail: 1 }) } });
  }
}

/** All documents of one e-mail. */
const leaseFilter = ({ lease }: LeasedMail) => ({ lease });

/** Leases all that is due for one guide's daily e-mail, and returns the one with the most attempts. */
async function claimDigest(): Promise<LeasedMail | null> {
  const due = outbox.due({ state: "pending", kind: "digest" });
  // Asked before the transaction, which is too expensive for every poll of every process.
  if (!(await Notification.exists(due))) return null;
  // In one transaction, so that two processes never split the reviews of one e-mail between them.
  return inTransaction(
    async (session) => {
      const next = await Notification.findOne(due, null, { session }).lean<ReviewNotification>();
      if (!next) return null;
      const { lease, update } = outbox.newLease();
      await Notification.updateMany({ guideId: next.guideId, ...due }, update, { session });
      return Notification.findOne({ lease }, null, { session })
        .sort({ attempts: -1 })
        .lean<LeasedMail>();
    },
    { timeoutMs: LEASE_MS / 2 },
  );
}

class ExpiredError extends Error {}

const LIBRARY_MS = 5_000;

export const notifications = processJob(() => {
  const { sendgridApiKey, sendgridBaseUrl } = env();
  // Loaded soon after the start and not with the first e-mail, before which somebody may have replaced the packages of
  // the running site.
  setTimeout(() => void import("@sendgrid/mail").catch(() => undefined), LIBRARY_MS).unref();
  return new OutboxWorker(sendgridApiKey ? sendGrid(sendgridApiKey, sendgridBaseUrl) : null);
});
