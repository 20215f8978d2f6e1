import mongoose from "mongoose";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { RateLimitError } from "~/infra/errors.server";
import { siteOf } from "~/infra/networks.server";
import { ExactLimiter } from "~/db/embedded/exact-limiter.server";

export interface RateLimitOptions {
  name: string;
  /** How many are allowed within a window, which starts with the first one. */
  points: number;
  windowMs: number;
  refusal: (wait: string) => string;
  status?: 400 | 429;
}

/**
 * In the database, so that all processes count together. While it does not answer, each process counts in its own
 * memory (docs/decisions/009-limits-in-the-database.md).
 */
export class RateLimit {
  #limiter: ExactLimiter | undefined;

  constructor(private readonly options: RateLimitOptions) {}

  /** One command; throws `RateLimitError` when that is one too many. */
  async consume(key: string): Promise<void> {
    try {
      await this.#counted.consume(key);
    } catch (refusal) {
      throw refusal instanceof RateLimiterRes ? this.#refuse(refusal) : refusal;
    }
  }

  /** Unless the window is over. */
  async refund(key: string): Promise<void> {
    await this.#counted.reward(key);
  }

  async reset(key: string): Promise<void> {
    await this.#counted.delete(key);
  }

  /** Made when first needed: by then there is a connection. */
  get #counted(): ExactLimiter {
    return (this.#limiter ??= this.#make());
  }

  #make(): ExactLimiter {
    const { name, points, windowMs } = this.options;
    const limit = { keyPrefix: name, points, duration: windowMs / 1_000 };
    const { databaseName } = mongoose.connection.db!;
    // Without waiting for the journal: a count that a crash loses harms nobody.
    const db = mongoose.connection.getClient().db(databaseName, { writeConcern: { w: 1 } });
    return new ExactLimiter(db, { ...limit, insuranceLimiter: new RateLimiterMemory(limit) });
  }

  #refuse({ msBeforeNext }: RateLimiterRes): RateLimitError {
    const { refusal, status = 429 } = this.options;
    const minutes = Math.max(1, Math.ceil(msBeforeNext / 60_000));
    return new RateLimitError(
      status,
      refusal(`${minutes} ${minutes === 1 ? "minute" : "minutes"}`),
      Math.max(1, Math.ceil(msBeforeNext / 1_000)),
    );
  }
}

/** How many times as much a /48 of IPv6 may do as one client: a customer may have its 65,536 networks. */
const SITE_FACTOR = 10;

/** By the client, and where that has IPv6 by its /48, too. */
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
    const site = siteOf(clientAddress);
    if (site) await this.#ofSite.consume(site);
  }

  async refund(clientAddress: string): Promise<void> {
    await this.#ofClient.refund(clientAddress);
    const site = siteOf(clientAddress);
    if (site) await this.#ofSite.refund(site);
  }
}

export type Count = readonly [limit: Pick<RateLimit, "consume" | "refund">, key: string];

export async function takeBack(counts: readonly Count[]): Promise<void> {
  await Promise.all(counts.map(([limit, key]) => limit.refund(key)));
}

/**
 * Counted first, as otherwise what is sent at once would all be done. Where the work fails, nothing is counted. Throws
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
