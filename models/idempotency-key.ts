import { Schema, type Types } from "mongoose";
import { define } from "./define";

/** The key of a user's POST, written in the transaction that created its review. */
export interface IdempotencyKeyDocument {
  _id: Types.ObjectId;
  userId: Types.ObjectId;
  key: string;
  /** See `hashOf`. */
  bodyHash: string;
  reviewId: Types.ObjectId;
  /** That of the review, and its author as they were answered. */
  createdAt: Date;
  author: { name: string; image: string | null };
  expiresAt: Date;
}

const schema = new Schema<IdempotencyKeyDocument>({
  userId: { type: Schema.Types.ObjectId, required: true },
  key: { type: String, required: true },
  bodyHash: { type: String, required: true },
  reviewId: { type: Schema.Types.ObjectId, required: true },
  createdAt: { type: Date, required: true },
  author: { type: { name: String, image: String }, _id: false, required: true },
  expiresAt: { type: Date, required: true },
});

// One review a key, and "was it used?": IdempotencyKey.findOne({ userId, key, expiresAt: { $gt: now } })
schema.index({ userId: 1, key: 1 }, { unique: true });
// The database itself removes expired keys.
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const IdempotencyKey = define("IdempotencyKey", "tourReviews.idempotencyKeys", schema);
