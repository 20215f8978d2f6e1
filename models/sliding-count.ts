import { Schema } from "mongoose";
import { define } from "./define";

/** The last things that a sliding limit has let pass; `_id` is the limit's name and what it counts by. */
export interface SlidingCountDocument {
  _id: string;
  recent: { id: string; at: Date }[];
  /** It increases with each that passes: of two at once, the later one looks again. */
  version: number;
  expiresAt: Date;
}

const schema = new Schema<SlidingCountDocument>({
  _id: { type: String, required: true },
  recent: { type: [{ id: String, at: Date }], _id: false },
  version: { type: Number, required: true },
  expiresAt: { type: Date, required: true },
});

// The database itself removes those that keep nothing waiting any more.
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const SlidingCount = define("SlidingCount", "tourReviews.slidingCounts", schema);
