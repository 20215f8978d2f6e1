import mongoose, { mongo } from "mongoose";
import {
  RateLimiterMemory,
  RateLimiterMongo,
  RateLimiterRes,
  type IRateLimiterMongoOptions,
} from "rate-limiter-flexible";
import { log } from "./log.server";
import { RateLimitError } from "./errors.server";

const COLLECTION = "rateLimits";
const MOST_TRIES = 5;

interface Count {
  key: string;
  points: number;
  /** The end of the window. */
  expire: Date;
}

/**
 * The library's limiter, with an upsert of its own: where many are the first at once, the embedded
 * database counts them all and tells most of them nothing.
 */
class ExactLimiter extends RateLimiterMongo {
  readonly #counts: mongo.Collection<Count>;

  constructor(db: mongo.Db, options: Omit<IRateLimiterMongoOptions, "storeClient">) {
    super({ ...options, storeClient: db, tableName: COLLECTION, disableIndexesCreation: true });
    this.#counts = db.collection(COLLECTION);
  }

  /** Called by the library, which turns to its insurance when this fails. */
  async _upsert(key: string, points: number, windowMs: number): Promise<Count> {
    try {
      return await this.#count(key, points, windowMs);
    } catch (error) {
      log.warn({ err: error }, "a limit is counted in this process alone");
      throw error;
    }
  }

  async #count(key: string, points: number, windowMs: number): Promise<Count> {
    for (let time = 0; time < MOST_TRIES; time++) {
      const now = new Date();
      // A findAndModify, because the embedded database forgets some of many updates at once.
      const counted = await this.#counts.findOneAndUpdate(
        { key, expire: { $gt: now } },
        { $inc: { points } },
        { returnDocument: "after" },
      );
      if (counted) return counted;
      // One of many begins the window, and then all of them count.
      const begun = { points: 0, expire: new Date(now.getTime() + windowMs) };
      await this.#counts.insertOne({ key, ...begun }).catch(async (error: unknown) => {
        if (!(error instanceof mongo.MongoServerError && error.code === 11000)) throw error;
        await this.#counts.updateOne({ key, expire: { $lte: now } }, { $set: begun });
      });
    }
    throw new Error("The window of a limit does not begin");
  }
}

/** A limit's size and its words. */
export interface RateLimitOptions {
  /** Names what is counted in the database. */
  name: string;
  /** How many are allowed within a window, which begins with the first. */
  points: number;
  windowMs: number;
  /** What is said to one too many, and how long to wait. */
  refusal: (wait: string) => string;
  /** The status of that answer. */
  status?: 400 | 429;
}

/**
 * Counts something by key in the database, so that all processes count together. While the database
 * does not answer, each process counts in its own memory.
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

  /** Throws `RateLimitError` when the next one would be one too many; counts nothing. */
  async check(key: string): Promise<void> {
    const counted = await this.#counted.get(key);
    if (counted && counted.consumedPoints >= this.options.points) throw this.#refuse(counted);
  }

  /** Begins anew with that key. */
  async forget(key: string): Promise<void> {
    await this.#counted.delete(key);
  }

  /** Builds the indexes that counting needs. */
  async createIndexes(): Promise<void> {
    await this.#counted.createIndexes();
  }

  /** Made when first needed: by then there is a connection. */
  get #counted(): ExactLimiter {
    return (this.#limiter ??= this.#make());
  }

  #make(): ExactLimiter {
    const { name, points, windowMs } = this.options;
    const limit = { keyPrefix: name, points, duration: windowMs / 1_000 };
    const { databaseName } = mongoose.connection.db!;
    // Without waiting for the journal: a count that a crash takes along harms nobody.
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

/** Wrong passwords that an account takes within `LOCKOUT_MS` before it makes everyone wait. */
export const WRONG_PASSWORDS = 5;
export const LOCKOUT_MS = 15 * 60 * 1_000;

/** By account. */
export const wrongPasswords = new RateLimit({
  name: "login",
  points: WRONG_PASSWORDS,
  windowMs: LOCKOUT_MS,
  status: 400,
  refusal: (wait) =>
    `Too many wrong passwords for this account. Please wait ${wait} and try again.`,
});

/** By client address, which many may share. */
export const failedLogins = new RateLimit({
  name: "login-address",
  points: 100,
  windowMs: LOCKOUT_MS,
  refusal: (wait) =>
    `Too many failed log-ins from your network. Please wait ${wait} and try again.`,
});

/** By client address. */
export const signUps = new RateLimit({
  name: "signup",
  points: 60,
  windowMs: 60 * 60 * 1_000,
  refusal: (wait) => `Too many new accounts from your network. Please wait ${wait} and try again.`,
});

export const TOO_MANY_REQUESTS = "Too many requests";
/** More than anybody does by hand, and enough for a client that brings along a customer's history. */
export const WRITES_A_MINUTE = 600;

/** By user: what changes reviews, accounts, departures or settings. */
export const writes = new RateLimit({
  name: "write",
  points: WRITES_A_MINUTE,
  windowMs: 60_000,
  refusal: () => TOO_MANY_REQUESTS,
});

/** Builds the index of the limits, which share a collection; awaited before the server listens. */
export const prepareRateLimits = () => writes.createIndexes();
