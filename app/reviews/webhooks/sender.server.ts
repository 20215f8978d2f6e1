import { Change, type ChangeDocument } from "#models/change";
import { type EventNotification, Notification } from "#models/notification";
import { Webhook, type WebhookDocument } from "#models/webhook";
import { HOUR_MS } from "~/lib/durations";
import { env } from "~/config/env.server";
import { BATCH } from "~/db/batches";
import { inTransaction } from "~/db/transaction.server";
import { DueWork, type Leased } from "~/jobs/due-work.server";
import { processJob } from "~/jobs/job.server";
import { Poller } from "~/jobs/poller.server";
import { isDuplicateKeyError } from "~/lib/errors.server";
import { log } from "~/lib/log.server";
import { queueFrom, webhookId } from "./addresses.server";
import { KNOWN_AFTER_MS, readWebhooks } from "./events.server";
import { postEvent, WebhookError } from "./post-event.server";

const TIMEOUT_MS = 10_000;

/** Lease duration: afterwards another process may deliver to the address. */
export const LEASE_MS = 3 * TIMEOUT_MS;

/** At-least-once: a killed process' deliveries of such a while are sent again. */
const RECORD_MS = 1_000;

const POLL_MS = 2_000;

const SEEN_MS = HOUR_MS;

const addresses = new DueWork(Webhook, {
  until: "dueAt",
  leaseMs: LEASE_MS,
  firstRetryMs: 1_000,
});

interface Options {
  /** One signature for each. */
  secrets: readonly Buffer[];
  timeoutMs?: number;
}

/**
 * Delivers the events of the outbox (docs/decisions/003-outbox.md), one at a time to each address. One for each process;
 * tests make their own.
 */
export class WebhookSender {
  readonly #poller = new Poller({
    // Without addresses there is only to forget those of before.
    every: () => (this.#urls.size > 0 ? POLL_MS : SEEN_MS),
    work: (stopped) => this.#turn(stopped),
    onError: (error) => log.error({ err: error }, "the events for webhooks cannot be read"),
  });
  readonly #urls: Map<string, string>;
  /** Those to which this process delivers. No address waits for another one. */
  readonly #lanes = new Map<string, Promise<void>>();
  #nextSweep = 0;

  constructor(
    urls: readonly string[],
    private readonly options: Options,
  ) {
    this.#urls = new Map(urls.map((url) => [webhookId(url), url]));
  }

  start(): void {
    this.#poller.start();
  }

  /** Delivers what waits and is due, unless another process does; resolves when that is recorded. */
  async wake(): Promise<void> {
    await this.#poller.wake();
    await Promise.all(this.#lanes.values());
  }

  /** Ends attempts that are under way, and resolves when what is delivered is recorded. */
  async stop(): Promise<void> {
    await this.#poller.stop();
    await Promise.all(this.#lanes.values());
  }

  async #turn(stopped: AbortSignal): Promise<void> {
    const known = new Map((await readWebhooks()).map((webhook) => [webhook._id, webhook]));
    for (const [id, url] of this.#urls) {
      const webhook = known.get(id);
      await keepAddress(url, webhook);
      if (!webhook || webhook.dueAt.getTime() > Date.now() || this.#lanes.has(id)) continue;
      const lane = this.#deliverAll(webhook, stopped)
        .catch((error: unknown) => log.error({ err: error }, "a webhook's events cannot be read"))
        .finally(() => this.#lanes.delete(id));
      this.#lanes.set(id, lane);
    }
    if (performance.now() < this.#nextSweep) return;
    await removeForgotten(stopped);
    this.#nextSweep = performance.now() + SEEN_MS;
  }

  async #deliverAll({ _id: id, from }: WebhookDocument, stopped: AbortSignal): Promise<void> {
    // Before the claim, which is a write.
    if (!from && !(await Notification.exists({ webhook: id }))) return;
    const leased = await addresses.claim({ _id: id });
    if (!leased) return;
    const mine = { _id: id, lease: leased.lease };
    if (leased.from) {
      await queueFrom(id, leased.from);
      await addresses.record(mine, { $unset: { from: 1 } });
    }
    let hasFailed = leased.failure !== undefined;
    /** Failures in a row until now: the claim has counted this attempt, too. */
    let attempts = leased.attempts - 1;
    for (;;) {
      const { settled, failure } = await this.#deliverSome(id, stopped);
      if (settled.length > 0) {
        attempts = 0;
        await inTransaction((session) =>
          Notification.deleteMany({ _id: { $in: settled } }, { session }),
        );
        if (hasFailed) await this.#recover(leased);
        hasFailed = false;
      }
      if (failure) return this.#recordFailure({ ...leased, attempts: attempts + 1 }, failure);
      if (settled.length === 0 || stopped.aborted) {
        await addresses.giveBack(mine, 0, { attempts });
        return;
      }
      if (!(await addresses.renew(mine, { attempts }))) return;
    }
  }

  /** Sends the next events until an attempt fails or it is time to record; returns the rows that are done with. */
  async #deliverSome(id: string, stopped: AbortSignal) {
    const { secrets, timeoutMs = TIMEOUT_MS } = this.options;
    const began = performance.now();
    // Not sorted: the index has the oldest first.
    const events = await Notification.find({ webhook: id })
      .limit(BATCH)
      .lean<EventNotification[]>();
    const entries = await Change.find({ _id: { $in: events.map(({ change }) => change) } }).lean<
      ChangeDocument[]
    >();
    const settled: EventNotification["_id"][] = [];
    let failure: WebhookError | undefined;
    for (const { _id, change } of events) {
      if (stopped.aborted || performance.now() - began > RECORD_MS) break;
      // Somebody may have removed the entry.
      const entry = entries.find((one) => one._id.equals(change));
      try {
        if (entry) await postEvent(this.#urls.get(id)!, entry, { secrets, timeoutMs, stopped });
      } catch (error) {
        if (!(error instanceof WebhookError)) throw error;
        if (!stopped.aborted) failure = error;
        break;
      }
      settled.push(_id);
    }
    return { settled, failure };
  }

  async #recover({ _id, lease, attempts }: Leased<WebhookDocument>): Promise<void> {
    await addresses.record({ _id, lease }, { $unset: { failure: 1 } });
    const context = { webhook: _id, host: this.#hostOf(_id), attempts: attempts - 1 };
    log.info(context, "webhook delivers again");
  }

  async #recordFailure(
    { _id, lease, attempts, failure }: Leased<WebhookDocument>,
    { message, isGone, retryAfterMs }: WebhookError,
  ): Promise<void> {
    const pause = addresses.pause({ attempts }, retryAfterMs);
    const fields = { attempts, failure: message };
    const isRecorded = (await addresses.giveBack({ _id, lease }, pause, fields)) > 0;
    if (!isRecorded || !(attempts === 1 || (isGone && message !== failure))) return;
    const context = {
      webhook: _id,
      failure: `${this.#hostOf(_id)}: ${message}`,
      retryInMs: pause,
    };
    if (isGone) log.error(context, "webhook is gone: take it out of WEBHOOK_URLS");
    else log.warn(context, "webhook failed");
  }

  #hostOf(id: string): string {
    return new URL(this.#urls.get(id)!).host;
  }
}

/** Notes that an address is in the settings. */
async function keepAddress(url: string, known: WebhookDocument | undefined): Promise<void> {
  const _id = webhookId(url);
  const now = Date.now();
  if (known) {
    if (known.seenAt.getTime() < now - SEEN_MS)
      await Webhook.updateOne({ _id }, { seenAt: new Date(now) });
    return;
  }
  const { origin, pathname } = new URL(url);
  const since = new Date(now);
  const times = { since, from: since, dueAt: new Date(now + KNOWN_AFTER_MS), seenAt: since };
  await Webhook.create({ _id, address: origin + pathname, ...times }).catch((error: unknown) => {
    // Another process was first.
    if (!isDuplicateKeyError(error)) throw error;
  });
}

/** Removes the events of addresses that have not been in the settings for 30 days. */
async function removeForgotten(stopped: AbortSignal): Promise<void> {
  const waiting = await Notification.distinct("webhook", { webhook: { $gt: "" } });
  for (const webhook of waiting) {
    if (await Webhook.exists({ _id: webhook })) continue;
    while (!stopped.aborted) {
      const some = await Notification.find({ webhook }, "_id").limit(BATCH).lean();
      if (some.length === 0) break;
      const ids = some.map(({ _id }) => _id);
      await inTransaction((session) => Notification.deleteMany({ _id: { $in: ids } }, { session }));
    }
  }
}

export const webhooks = processJob(() => {
  const { webhookUrls, webhookSecrets: secrets } = env();
  return new WebhookSender(webhookUrls, { secrets });
});
