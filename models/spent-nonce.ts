import { Schema } from "mongoose";
import { define } from "./define";

/** The nonce of a single sign-on, which logs somebody in only once. */
export interface SpentNonceDocument {
  _id: string;
  /** No cookie that holds the nonce is taken after that. */
  expiresAt: Date;
}

const schema = new Schema<SpentNonceDocument>({
  _id: { type: String, required: true },
  expiresAt: { type: Date, required: true },
});

// The database itself removes what nobody can use any more.
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const SpentNonce = define("SpentNonce", "tourReviews.spentNonces", schema);
