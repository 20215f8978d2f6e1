import { Schema } from "mongoose";
import { define, type DocumentOf } from "./define";

const fields = {
  /** The limit's name and what it counts by, such as `login:` and a user's id. */
  key: { type: String, required: true },
  points: { type: Number, required: true },
  expire: { type: Date, required: true },
};

/** How often something was done within a window, counted over all processes. */
export type RateLimitCountDocument = DocumentOf<typeof fields>;

const schema = new Schema<RateLimitCountDocument>(fields);

// One count per key, and the query that counts: findOneAndUpdate({ key, expire: { $gt: now } }, …)
schema.index({ key: 1 }, { unique: true });
// The database itself removes windows that have ended.
schema.index({ expire: -1 }, { expireAfterSeconds: 0 });

export const RateLimitCount = define("RateLimitCount", "tourReviews.rateLimits", schema);
