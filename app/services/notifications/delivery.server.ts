import { randomUUID } from "node:crypto";
import AsyncLock from "async-lock";
import { Notification, type NotificationDocument } from "../../../models/notification";
import { type Clock, systemClock } from "../../infra/clock";
import { inTransaction } from "../../infra/transaction.server";
import { env } from "../../infra/env.server";
import { log } from "../../infra/log.server";
import { renderMail } from "./mail.server";
import { MailError, SEND_TIMEOUT_MS, sendGrid, type SendMail } from "./sendgrid.server";

/** How long one process may hold an e-mail before another one takes it over, in milliseconds. */
export const LEASE_MS = 3 * SEND_TIMEOUT_MS;

/** How long an e-mail is retried before it is given up, in milliseconds. */
export const GIVE_UP_AFTER_MS = 48 * 60 * 60 * 1_000;

const FIRST_RETRY_MS = 2_000;

const LONGEST_RETRY_MS = 60 * 60 * 1_000;

const POLL_MS = 2_000;

const PARALLEL = 8;

/** Delivers what is due in the outbox (docs/decisions/003-outbox.md). One per process; tests make their own. */
export class OutboxWorker {
  #timer: NodeJS.Timeout | undefined;
  #lanes = new Set<Promise<void>>();
  readonly #claims = new AsyncLock();
  #stopped = false;

  readonly #clock: Clock;

  /** With `send` null, mails are captured (state `kept`) instead of sent. */
  constructor(
    private readonly send: SendMail | null,
    { clock = systemClock }: { clock?: Clock } = {},
  ) {
    this.#clock = clock;
  }

  /** Looks every two seconds for what is due, until `stop`. */
  async start(): Promise<void> {
    // Refused credentials may have been replaced: this process tries their e-mails once more.
    await Notification.updateMany(
      {
        state: "dead",
        credentialsRefused: true,
        createdAt: { $gt: new Date(this.#clock().getTime() - GIVE_UP_AFTER_MS) },
      },
      { $set: { state: "pending", dueAt: this.#clock() }, $unset: { credentialsRefused: 1 } },
    );
    this.#timer = setInterval(() => this.wake(), POLL_MS);
    this.#timer.unref();
    this.wake();
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

  /** Takes nothing new and resolves when what is being delivered is recorded. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await Promise.all(this.#lanes);
  }

  async #deliverAllDue(): Promise<void> {
    for (let next; !this.#stopped && (next = await this.#claim());) await this.#deliver(next);
  }

  /** Leases the notifications of one e-mail: until the lease ends, no other process takes them. */
  async #claim(): Promise<NotificationDocument[] | null> {
    // One lane at a time, so that this process never conflicts with itself.
    return this.#claims.acquire(
      "claim",
      async () => (await this.#claimSingle()) ?? (await this.#claimDigest()),
    );
  }

  async #claimSingle(): Promise<NotificationDocument[] | null> {
    const now = this.#clock();
    const due = { state: "pending", dueAt: { $lte: now }, digest: { $ne: true } } as const;
    // Before the transaction, which is too expensive for every look of every process.
    if (!(await Notification.exists(due))) return null;
    // Not a findAndModify: docs/decisions/005-embedded-database.md
    return inTransaction(async (session) => {
      const next = await Notification.findOne(due, null, {
        session,
        sort: { dueAt: 1 },
      }).lean<NotificationDocument>();
      if (!next) return null;
      const lease = randomUUID();
      await Notification.updateOne({ _id: next._id }, toLease(lease, now), { session });
      return [{ ...next, lease, attempts: next.attempts + 1 }];
    });
  }

  /** Leases all that is due for one guide's daily e-mail, oldest review first. */
  async #claimDigest(): Promise<NotificationDocument[] | null> {
    const now = this.#clock();
    const due = { state: "pending", dueAt: { $lte: now }, digest: true } as const;
    if (!(await Notification.exists(due))) return null;
    // In one transaction, so that two processes never split the reviews of one e-mail between them.
    return inTransaction(async (session) => {
      const next = await Notification.findOne(due, "guideId", { session, sort: { dueAt: 1 } });
      if (!next) return null;
      const { guideId } = next;
      const lease = randomUUID();
      await Notification.updateMany({ ...due, guideId }, toLease(lease, now), { session });
      return Notification.find({ guideId, state: "pending", lease }, null, { session })
        .sort({ createdAt: 1, _id: 1 })
        .lean<NotificationDocument[]>();
    });
  }

  async #deliver(notifications: NotificationDocument[]): Promise<void> {
    const { attempts } = notifications[0]!;
    try {
      if (!this.send) return await this.#record(notifications, { state: "kept" });
      await this.send({ ...(await renderMail(notifications)), from: env().mailFrom });
      await this.#record(notifications, { state: "sent", sentAt: this.#clock() });
      log.info({ reviewIds: idsOf(notifications), attempts }, "guide notified");
    } catch (error) {
      await this.#recordFailure(notifications, error);
    }
  }

  async #recordFailure(notifications: NotificationDocument[], error: unknown): Promise<void> {
    const failure = error instanceof Error ? error.message : String(error);
    const now = this.#clock().getTime();
    const mailError = error instanceof MailError ? error : null;
    // In a digest, the reviews with the most attempts decide how long to wait.
    const attempts = Math.max(...notifications.map((notification) => notification.attempts));
    const delay = Math.max(backoff(attempts), mailError?.retryAfterMs ?? 0);
    const isOver = ({ createdAt }: NotificationDocument) =>
      mailError?.retryable === false || now + delay > createdAt.getTime() + GIVE_UP_AFTER_MS;

    const over = notifications.filter(isOver);
    if (over.length > 0) {
      log.error({ reviewIds: idsOf(over), attempts, failure }, "guide's e-mail given up");
      const credentialsRefused = mailError?.credentialsRefused ?? false;
      await this.#record(over, { state: "dead", failure, credentialsRefused });
    }
    const again = notifications.filter((notification) => !isOver(notification));
    if (again.length > 0) {
      const reviewIds = idsOf(again);
      log.warn({ reviewIds, attempts, failure, retryInMs: delay }, "guide's e-mail failed");
      await this.#record(again, { dueAt: new Date(now + delay), failure });
    }
  }

  /** Only the lease's holder records the outcome: a late process may have been replaced meanwhile. */
  async #record(
    notifications: NotificationDocument[],
    outcome: Partial<NotificationDocument>,
  ): Promise<void> {
    const { lease } = notifications[0]!;
    await Notification.updateMany(
      { _id: { $in: idsOf(notifications) }, lease, state: "pending" },
      { $set: outcome, $unset: { lease: 1 } },
    );
  }
}

const idsOf = (notifications: NotificationDocument[]) => notifications.map(({ _id }) => _id);

const toLease = (lease: string, now: Date) => ({
  $set: { dueAt: new Date(now.getTime() + LEASE_MS), lease },
  $inc: { attempts: 1 },
});

/** Doubles with every attempt, up to an hour; minus up to a quarter, so that retries spread out. */
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

/** Stops this process's worker; another process takes over what it had leased and not finished. */
export async function stopNotifications(): Promise<void> {
  await worker?.stop();
}

/** Makes this process's worker look now, not only at its next turn. */
export function wakeNotifications(): void {
  worker?.wake();
}
