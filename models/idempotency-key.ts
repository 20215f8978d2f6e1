import { Schema } from "mongoose";
import { define, type DocumentOf } from "./define";

const fields = {
  userId: { type: Schema.Types.ObjectId, required: true },
  key: { type: String, required: true },
  /** SHA-256 of the parsed body (`bodyHash` of app/reviews/post.server.ts). */
  bodyHash: { type: String, required: true },
  reviewId: { type: Schema.Types.ObjectId, required: true },
  /** The time of the review, and its author, as the first answer had them. */
  createdAt: { type: Date, required: true },
  author: { type: { name: String, image: String }, _id: false, required: true },
  expiresAt: { type: Date, required: true },
};

/** The key of a user's POST, written in the transaction that created its review. */
export type IdempotencyKeyDocument = DocumentOf<
  typeof fields,
  { author: { name: string; image: string | null } }
>;

const schema = new Schema<IdempotencyKeyDocument>(fields);

// One review a key, and "was it used?": IdempotencyKey.findOne({ userId, key, expiresAt: { $gt: now } })
schema.index({ userId: 1, key: 1 }, { unique: true });
// The database itself removes expired keys.
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const IdempotencyKey = define("IdempotencyKey", "tourReviews.idempotencyKeys", schema);
