import mongoose from "mongoose";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { RateLimitError } from "./errors.server";
import { ExactLimiter } from "./exact-limiter.server";

/** A limit: what it counts, how many it allows, and what it says. */
export interface RateLimitOptions {
  /** Names what is counted in the database. */
  name: string;
  /** How many are allowed within a window, which starts with the first one. */
  points: number;
  windowMs: number;
  /** The text of the refusal; `wait` says for how long. */
  refusal: (wait: string) => string;
  /** The status of the refusal; 429 by default. */
  status?: 400 | 429;
}

/**
 * Counts something by key in the database, so that all processes count together. While the database
 * does not answer, each process counts in its own memory (docs/decisions/009-limits-in-the-database.md).
 */
export class RateLimit {
  #limiter: ExactLimiter | undefined;

  constructor(private readonly options: RateLimitOptions) {}

  /** Counts one, with one command; throws `RateLimitError` when that is one too many. */
  async consume(key: string): Promise<void> {
    try {
      await this.#counted.consume(key);
    } catch (refusal) {
      throw refusal instanceof RateLimiterRes ? this.#refuse(refusal) : refusal;
    }
  }

  /** Takes one back that was counted, unless its window is over. */
  async refund(key: string): Promise<void> {
    await this.#counted.reward(key);
  }

  /** Sets that key's count back to none. */
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
