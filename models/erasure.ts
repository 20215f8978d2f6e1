import { Schema } from "mongoose";
import { define } from "./define";

/** No import may bring the account back. It tells nobody whose it was (app/accounts/erasures.server.ts). */
export interface ErasureDocument {
  /** A keyed hash of the user's id, or of the address. */
  _id: string;
  erasedAt: Date;
}

/** The common limitation period, in which copies may still be imported, and the erasure may have to be proven. */
export const ERASURE_KEPT_SECONDS = 3 * 365 * 24 * 60 * 60;

const schema = new Schema<ErasureDocument>({
  _id: { type: String, required: true },
  erasedAt: { type: Date, required: true },
});

// The database itself forgets old ones.
schema.index({ erasedAt: 1 }, { expireAfterSeconds: ERASURE_KEPT_SECONDS });

export const Erasure = define("Erasure", "tourReviews.erasures", schema);
