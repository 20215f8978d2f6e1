import { MINUTE_MS } from "~/lib/durations";
import { addToCount, removeCount } from "~/db/embedded/exact-count.server";
import { cached } from "~/lib/cache.server";
import { type LimitState, RateLimitError } from "~/lib/errors.server";
import { log } from "~/lib/log.server";
import { ipv6Site } from "~/lib/networks.server";

export interface RateLimitOptions {
  name: string;
  /** How many are allowed within a window, which starts with the first one. */
  points: number;
  windowMs: number;
  refusal: (wait: string) => string;
  status?: 400 | 429;
}

/** The counts of this process for all limits, by their names; the oldest is forgotten. */
const ownCounts = cached<number>({ name: "limits", maxBytes: 4 * 1024 * 1024 });

/**
 * Counts in the database, so that all processes count together; while that does not answer, each process in its own
 * memory (docs/decisions/009-limits-in-the-database.md).
 */
export class RateLimit {
  constructor(private readonly options: RateLimitOptions) {}

  /**
   * Counts one more by one command, and returns how much is left. Throws `RateLimitError` when that is one too many.
   */
  async consume(key: string): Promise<LimitState> {
    const { points, msLeft } = await this.#add(key, 1);
    const state = this.#state(points, msLeft);
    if (points > this.options.points) throw this.#refuse(msLeft, state);
    return state;
  }

  /** Takes one back, unless the window is over. */
  async refund(key: string): Promise<void> {
    await this.#add(key, -1);
  }

  async reset(key: string): Promise<void> {
    ownCounts.delete(this.#counterName(key));
    await removeCount(this.#counterName(key)).catch(warn);
  }

  readonly #counterName = (key: string) => `${this.options.name}:${key}`;

  async #add(key: string, points: number): Promise<{ points: number; msLeft: number }> {
    const name = this.#counterName(key);
    const { windowMs } = this.options;
    try {
      const count = await addToCount(name, points, windowMs);
      return { points: count.points, msLeft: count.expire.getTime() - Date.now() };
    } catch (error) {
      warn(error);
      const counted = (ownCounts.get(name) ?? 0) + points;
      // A window begins with its first count.
      ownCounts.set(name, counted, { ttl: windowMs, noUpdateTTL: true });
      return { points: counted, msLeft: ownCounts.getRemainingTTL(name) };
    }
  }

  #state(counted: number, msLeft: number): LimitState {
    const { name, points, windowMs } = this.options;
    return {
      name,
      points,
      left: Math.max(0, points - counted),
      windowSeconds: Math.ceil(windowMs / 1_000),
      secondsLeft: Math.ceil(msLeft / 1_000),
    };
  }

  #refuse(msLeft: number, state: LimitState): RateLimitError {
    const { refusal, status = 429 } = this.options;
    const minutes = Math.max(1, Math.ceil(msLeft / MINUTE_MS));
    const seconds = Math.max(1, Math.ceil(msLeft / 1_000));
    const wait = `${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
    return new RateLimitError(status, refusal(wait), seconds, state);
  }
}

const warn = (error: unknown) =>
  log.warn({ err: error }, "a limit is counted in this process alone");

/** How many times as much a /48 of IPv6 may do as one client: a customer may have its 65,536 networks. */
const SITE_FACTOR = 10;

/** Counts by the client, and where that has IPv6 by its /48, too. */
export class NetworkLimit {
  readonly #ofClient: RateLimit;
  readonly #ofSite: RateLimit;

  constructor(options: RateLimitOptions) {
    const { name, points } = options;
    this.#ofClient = new RateLimit(options);
    this.#ofSite = new RateLimit({ ...options, name: `${name}-48`, points: points * SITE_FACTOR });
  }

  /** Throws `RateLimitError` when that is one too many. */
  async consume(clientAddress: string): Promise<void> {
    await this.#ofClient.consume(clientAddress);
    const site = ipv6Site(clientAddress);
    if (site) await this.#ofSite.consume(site);
  }

  async refund(clientAddress: string): Promise<void> {
    await this.#ofClient.refund(clientAddress);
    const site = ipv6Site(clientAddress);
    if (site) await this.#ofSite.refund(site);
  }
}

export type Count = readonly [
  limit: { consume(key: string): Promise<unknown>; refund(key: string): Promise<void> },
  key: string,
];

export async function takeBack(counts: readonly Count[]): Promise<void> {
  await Promise.all(counts.map(([limit, key]) => limit.refund(key)));
}

/**
 * Counts first, as otherwise what is sent at once would all be done, and takes it back where the work fails. Throws
 * `RateLimitError`.
 */
export async function countBefore<Result>(
  counts: readonly Count[],
  work: () => Promise<Result>,
): Promise<Result> {
  for (const [limit, key] of counts) await limit.consume(key);
  try {
    return await work();
  } catch (error) {
    await takeBack(counts);
    throw error;
  }
}
