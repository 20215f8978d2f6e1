import type { mongo } from "mongoose";
import { type IRateLimiterMongoOptions, RateLimiterMongo } from "rate-limiter-flexible";
import { RateLimitCount, type RateLimitCountDocument } from "#models/rate-limit";
import { isDuplicateKeyError } from "~/infra/errors.server";
import { log } from "~/infra/log.server";

/** While others begin the same window. */
const MAX_ATTEMPTS = 5;

type Count = Omit<RateLimitCountDocument, "_id">;
const COLLECTION = RateLimitCount.collection.collectionName;

/**
 * The library's limiter with another upsert: the embedded database counts many simultaneous upserts of a new key, but
 * returns no document to most of them (docs/decisions/005-embedded-database.md). It overrides a private method.
 */
export class ExactLimiter extends RateLimiterMongo {
  readonly #counts: mongo.Collection<Count>;

  constructor(db: mongo.Db, options: Omit<IRateLimiterMongoOptions, "storeClient">) {
    super({ ...options, storeClient: db, tableName: COLLECTION, disableIndexesCreation: true });
    this.#counts = db.collection(COLLECTION);
  }

  /** The library calls it, and its insurance limiter when this rejects. */
  async _upsert(key: string, points: number, windowMs: number): Promise<Count> {
    try {
      return await this.#count(key, points, windowMs);
    } catch (error) {
      log.warn({ err: error }, "a limit is counted in this process alone");
      throw error;
    }
  }

  async #count(key: string, points: number, windowMs: number): Promise<Count> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const now = new Date();
      const begun = { key, points, expire: new Date(now.getTime() + windowMs) };
      // Most often this is the first of a window: one insert, which the unique index refuses to all others.
      if (points > 0 && (await this.#insert(begun))) return begun;
      // No updateOne with $inc: of many at once the embedded database loses some.
      const counted = await this.#counts.findOneAndUpdate(
        { key, expire: { $gt: now } },
        // A clock that was set back must not make a window longer; what it has counted stays counted.
        { $inc: { points }, $min: { expire: begun.expire } },
        { returnDocument: "after" },
      );
      if (counted) return counted;
      // The window is over, and with it what was counted.
      if (points < 0) return { ...begun, points: 0, expire: now };
      const begunAnew = await this.#counts.findOneAndUpdate(
        { key, expire: { $lte: now } },
        { $set: begun },
        { returnDocument: "after" },
      );
      if (begunAnew) return begunAnew;
    }
    throw new Error("The window of a rate limit could not be begun");
  }

  /** False if there is a count of that key. */
  async #insert(count: Count): Promise<boolean> {
    try {
      await this.#counts.insertOne({ ...count });
      return true;
    } catch (error) {
      if (isDuplicateKeyError(error)) return false;
      throw error;
    }
  }
}
