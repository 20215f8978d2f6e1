import { Schema } from "mongoose";
import { define } from "./define";

/**
 * Says of an account that was deleted here, or of its address, that no import may bring it back. It tells
 * nobody whose it was (app/services/accounts/erasures.server.ts).
 */
export interface ErasureDocument {
  /** A keyed hash of the user's id, or of the address. */
  _id: string;
  erasedAt: Date;
}

/**
 * How long an erasure is remembered: three years, the common limitation period, in which copies of the data
 * may still be imported and the erasure may have to be proven. After that the hash would be kept for nothing.
 */
export const ERASURE_KEPT_SECONDS = 3 * 365 * 24 * 60 * 60;

const schema = new Schema<ErasureDocument>({
  _id: { type: String, required: true },
  erasedAt: { type: Date, required: true },
});

// The database itself forgets old ones.
schema.index({ erasedAt: 1 }, { expireAfterSeconds: ERASURE_KEPT_SECONDS });

export const Erasure = define("Erasure", "tourReviews.erasures", schema);
