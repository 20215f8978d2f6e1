import { Schema, type Types } from "mongoose";
import { define } from "./define";

/** How often something was done within a window, counted over all processes. */
export interface RateLimitCountDocument {
  _id: Types.ObjectId;
  /** The limit's name and what it counts by, such as `login:` and a user's id. */
  key: string;
  points: number;
  expire: Date;
}

const schema = new Schema<RateLimitCountDocument>({
  key: { type: String, required: true },
  points: { type: Number, required: true },
  expire: { type: Date, required: true },
});

// One count per key, and the query that counts: findOneAndUpdate({ key, expire: { $gt: now } }, …)
schema.index({ key: 1 }, { unique: true });
// The database itself removes windows that have ended.
schema.index({ expire: -1 }, { expireAfterSeconds: 0 });

export const RateLimitCount = define("RateLimitCount", "tourReviews.rateLimits", schema);
