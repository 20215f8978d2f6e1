import { Schema, type Types } from "mongoose";
import { define } from "./define";

/** The key of a user's POST, written in the transaction that created its review. */
export interface IdempotencyKeyDocument {
  _id: Types.ObjectId;
  userId: Types.ObjectId;
  key: string;
  /** The review as it was answered, in JSON. */
  answer: string;
  expiresAt: Date;
}

const schema = new Schema<IdempotencyKeyDocument>({
  userId: { type: Schema.Types.ObjectId, required: true },
  key: { type: String, required: true },
  answer: { type: String, required: true },
  expiresAt: { type: Date, required: true },
});

// One review a key, and "was it used?": IdempotencyKey.findOne({ userId, key, expiresAt: { $gt: now } })
schema.index({ userId: 1, key: 1 }, { unique: true });
// The database itself removes expired keys.
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const IdempotencyKey = define("IdempotencyKey", "tourReviews.idempotencyKeys", schema);
