import type { mongo } from "mongoose";
import { type IRateLimiterMongoOptions, RateLimiterMongo } from "rate-limiter-flexible";
import { RateLimitCount, type RateLimitCountDocument } from "../../models/rate-limit";
import { isDuplicateKeyError } from "./errors.server";
import { log } from "./log.server";

const MOST_TRIES = 5;

type Count = Omit<RateLimitCountDocument, "_id">;
const COLLECTION = RateLimitCount.collection.collectionName;

/**
 * The library's limiter, with an upsert of its own: of many first requests at once the embedded
 * database counts all and answers few (docs/decisions/005-embedded-database.md).
 */
export class ExactLimiter extends RateLimiterMongo {
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
      // A findAndModify: of many updates at once the embedded database loses some
      // (docs/decisions/005-embedded-database.md).
      const counted = await this.#counts.findOneAndUpdate(
        { key, expire: { $gt: now } },
        { $inc: { points } },
        { returnDocument: "after" },
      );
      if (counted) return counted;
      // One of many begins the window, and then all of them count.
      const begun = { points: 0, expire: new Date(now.getTime() + windowMs) };
      await this.#counts.insertOne({ key, ...begun }).catch(async (error: unknown) => {
        if (!isDuplicateKeyError(error)) throw error;
        await this.#counts.updateOne({ key, expire: { $lte: now } }, { $set: begun });
      });
    }
    throw new Error("The window of a limit does not begin");
  }
}
