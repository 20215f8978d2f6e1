import { Schema, type Types } from "mongoose";
import { define } from "./define";
import { MARK, type Mark } from "./review";

/** `_id` is the review's. A reply that was withdrawn stays without its text. */
export interface ReplyDocument {
  _id: Types.ObjectId;
  tourId: Types.ObjectId;
  /** The guide who wrote it, also when another one leads the tour by now. */
  userId: Types.ObjectId;
  /** Null when it was withdrawn. */
  text: string | null;
  createdAt: Date;
  /** When its author last changed it; null if never. */
  editedAt: Date | null;
  /** When the review's author was last told by e-mail; null if never. */
  toldAt: Date | null;
  /** When an operator has taken it down, and why; null if not. */
  hidden: Mark | null;
}

const schema = new Schema<ReplyDocument>({
  tourId: { type: Schema.Types.ObjectId, required: true },
  userId: { type: Schema.Types.ObjectId, required: true },
  text: { type: String, default: null },
  createdAt: { type: Date, required: true },
  editedAt: { type: Date, default: null },
  toldAt: { type: Date, default: null },
  hidden: { ...MARK, default: null },
});

// A guide's, when the account is exported or deleted: Reply.find({ userId })
schema.index({ userId: 1 });

export const Reply = define("Reply", "tourReviews.replies", schema);
