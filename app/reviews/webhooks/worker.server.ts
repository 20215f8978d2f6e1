import { randomUUID } from "node:crypto";
import { Types } from "mongoose";
import type { ChangeDocument } from "#models/change";
import { Webhook, type WebhookDocument } from "#models/webhook";
import { type Clock, systemClock } from "~/lib/clock";
import { isDuplicateKeyError } from "~/lib/errors.server";
import { log } from "~/lib/log.server";
import { Poller } from "~/jobs/poller.server";
import { backoff } from "~/lib/retries.server";
import { webhookId } from "./addresses.server";
import { postEvent, WebhookError } from "./post-event.server";
import {
  isBeforeMissed,
  linesBehind,
  type Look,
  placeAt,
  type Progress,
  progressOf,
  settle,
  settledAt,
} from "./progress.server";

const TIMEOUT_MS = 10_000;

/** Lease duration. */
export const LEASE_MS = 3 * TIMEOUT_MS;

/** At-least-once: progress is saved this often, and a killed process' last deliveries are sent again. */
const RECORD_MS = 1_000;

const FIRST_RETRY_MS = 1_000;

const POLL_MS = 3_000;

/** The changes of such a moment are found by one look. */
const GATHER_MS = 1_000;

const BATCH = 100;

/** How many lines may be delivered behind the place; more wait until a transaction under way can add none before. */
export const MOST_UNSETTLED = 1_000;

/** State of the lease's holder for one address. */
interface Delivery {
  lease: string;
  /** Until it is due, only the last seconds are looked at. */
  isShort: boolean;
  dueAt: Date;
  attempts: number;
  failure?: string;
  progress: Progress;
}

interface Options {
  secrets: readonly Buffer[];
  clock?: Clock;
  timeoutMs?: number;
  find?: Look["find"];
}

/**
 * Tells one address of all changes of reviews, within a tour in the order of their versions (docs/rules/webhooks.md).
 * One for each process and address; tests make their own.
 */
export class WebhookWorker {
  readonly #poller = new Poller({
    every: () => POLL_MS,
    work: (stopped) => this.#deliverAll(stopped),
    onError: (error) => log.error({ err: error }, "the changes for webhooks cannot be read"),
  });
  readonly #id: string;
  readonly #host: string;
  readonly #clock: Clock;
  readonly #began: Date;
  #isWoken = false;
  #gathering: NodeJS.Timeout | undefined;

  constructor(
    private readonly url: string,
    private readonly options: Options,
  ) {
    this.#id = webhookId(url);
    this.#host = new URL(url).host;
    this.#clock = options.clock ?? systemClock;
    this.#began = this.#clock();
  }

  start(): void {
    this.#poller.start();
  }

  /** Delivers soon what has changed, not only at the next turn. */
  wake(): void {
    this.#gathering ??= setTimeout(() => void this.deliver(), GATHER_MS).unref();
  }

  /** Delivers what waits, unless another process does, or an attempt has failed; resolves when that is recorded. */
  deliver(): Promise<void> {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    this.#isWoken = true;
    return this.#poller.wake();
  }

  /** Ends an attempt that is under way, and resolves when what is delivered is recorded. */
  async stop(): Promise<void> {
    clearTimeout(this.#gathering);
    await this.#poller.stop();
  }

  async #deliverAll(stopped: AbortSignal): Promise<void> {
    const delivery = await this.#claim();
    if (!delivery) return;
    for (let goesOn = true; goesOn;) {
      const { more, failure } = await this.#deliverBatch(delivery, stopped);
      if (failure) return this.#recordFailure(delivery, failure);
      const pause = more ? LEASE_MS : stopped.aborted ? 0 : POLL_MS;
      // Short looks do not put off the next whole one.
      const dueAt = delivery.isShort && !more ? delivery.dueAt : this.#in(pause);
      goesOn = (await this.#record(delivery, dueAt, { keepLease: more })) && more;
    }
  }

  /** Leases the address: until the lease ends, no other process delivers to it. */
  async #claim(): Promise<Delivery | null> {
    const isWoken = this.#isWoken;
    this.#isWoken = false;
    const now = this.#clock();
    const seen = await Webhook.findById(this.#id, "dueAt lease attempts").lean<WebhookDocument>();
    if (!seen) {
      await this.#begin();
      return null;
    }
    const isDue = seen.dueAt <= now;
    const isIdle = seen.lease === undefined && seen.attempts === 0;
    if (!isDue && !(isWoken && isIdle)) return null;
    const lease = randomUUID();
    // Of processes that have seen it, the filter lets one have it.
    const found = await Webhook.findOneAndUpdate(
      { _id: this.#id, dueAt: seen.dueAt, lease: seen.lease ?? null },
      { $set: { lease, dueAt: this.#in(LEASE_MS) } },
      { returnDocument: "before" },
    ).lean<WebhookDocument>();
    if (!found) return null;
    const { dueAt, attempts, failure } = found;
    return { lease, isShort: !isDue, dueAt, attempts, failure, progress: progressOf(found) };
  }

  #in(ms: number): Date {
    return new Date(this.#clock().getTime() + ms);
  }

  /** An address is told of what happens from now on. */
  async #begin(): Promise<void> {
    const since = this.#began;
    const { origin, pathname } = new URL(this.url);
    const [dueAt, seenAt] = [since, this.#clock()];
    const state = { place: placeAt(since), since, dueAt, seenAt };
    await Webhook.create({ _id: this.#id, address: origin + pathname, ...state }).catch(
      (error: unknown) => {
        if (!isDuplicateKeyError(error)) throw error;
      },
    );
  }

  /** Sends until an attempt fails, a look has found nothing more, or it is time to record. */
  async #deliverBatch(
    delivery: Delivery,
    stopped: AbortSignal,
  ): Promise<{ more: boolean; failure?: WebhookError }> {
    const { secrets, timeoutMs = TIMEOUT_MS, find } = this.options;
    const { progress, isShort } = delivery;
    const [now, began] = [this.#clock(), performance.now()];
    const settled = settledAt(now);
    const look = await linesBehind(progress, BATCH, { now, isShort, find });
    const passed: ChangeDocument[] = [];
    let [sent, hasMissed] = [0, false];
    let failure: WebhookError | undefined;
    for (const line of look.lines) {
      const id = line._id.toString();
      if (!progress.delivered.has(id)) {
        if (stopped.aborted || (sent > 0 && performance.now() - began > RECORD_MS)) break;
        if (line.time >= settled && progress.delivered.size >= MOST_UNSETTLED) break;
        if (await isBeforeMissed(line, passed, progress)) {
          if (isShort) hasMissed = true;
          break;
        }
        try {
          await postEvent(this.url, line, { secrets, now: this.#clock(), timeoutMs, stopped });
        } catch (error) {
          if (!(error instanceof WebhookError)) throw error;
          if (!stopped.aborted) failure = error;
          break;
        }
        progress.delivered.add(id);
        sent++;
      }
      passed.push(line);
    }
    const areAll = look.areAll && passed.length === look.lines.length;
    if (sent > 0 || areAll) this.#recover(delivery);
    if (hasMissed) delivery.isShort = false;
    if (!isShort) settle(progress, { passed, areAll, now });
    return { more: (hasMissed || (sent > 0 && !areAll)) && !stopped.aborted, failure };
  }

  #recover(delivery: Delivery): void {
    const { attempts } = delivery;
    if (attempts > 0)
      log.info({ webhook: this.#id, host: this.#host, attempts }, "webhook delivers again");
    delivery.attempts = 0;
  }

  async #recordFailure(delivery: Delivery, { message, isGone, retryAfterMs }: WebhookError) {
    const attempts = ++delivery.attempts;
    const pause = Math.max(backoff(attempts, FIRST_RETRY_MS), retryAfterMs);
    const isRecorded = await this.#record(delivery, this.#in(pause), { failure: message });
    const isNew = attempts === 1 || (isGone && message !== delivery.failure);
    if (!isRecorded || !isNew) return;
    const context = { webhook: this.#id, failure: `${this.#host}: ${message}`, retryInMs: pause };
    if (isGone) log.error(context, "webhook is gone: take it out of WEBHOOK_URLS");
    else log.warn(context, "webhook failed");
  }

  /** Only the lease's holder records: a late process may have been replaced meanwhile. Returns whether it did. */
  async #record(
    { lease, attempts, progress }: Delivery,
    dueAt: Date,
    { keepLease = false, failure }: { keepLease?: boolean; failure?: string },
  ): Promise<boolean> {
    const delivered = [...progress.delivered].map((id) => new Types.ObjectId(id));
    const state = { place: progress.place, delivered, attempts, dueAt, seenAt: this.#clock() };
    const { matchedCount } = await Webhook.updateOne(
      { _id: this.#id, lease },
      {
        $set: { ...state, ...(failure !== undefined && { failure }) },
        $unset: {
          ...(!keepLease && { lease: true }),
          ...(failure === undefined && { failure: true }),
        },
      },
    );
    return matchedCount === 1;
  }
}
