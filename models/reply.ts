import { Schema } from "mongoose";
import { define, type DocumentOf } from "./define";
import { MARK, type Mark } from "./review";

const fields = {
  tourId: { type: Schema.Types.ObjectId, required: true },
  /** The guide who wrote it, also when another one leads the tour by now. */
  userId: { type: Schema.Types.ObjectId, required: true },
  /** Null when it was withdrawn. */
  text: { type: String, default: null },
  createdAt: { type: Date, required: true },
  /** When its author last changed it; null if never. */
  editedAt: { type: Date, default: null },
  /** When an operator has taken it down, and why; null if not. */
  hidden: { ...MARK, default: null },
};

/** `_id` is the review's. A reply that was withdrawn stays without its text. */
export type ReplyDocument = DocumentOf<typeof fields, { hidden: Mark | null }>;

const schema = new Schema<ReplyDocument>(fields);

// A guide's, when the account is exported or deleted: Reply.find({ userId })
schema.index({ userId: 1 });
// How many of the reviews of a guide's tours are answered: Reply.countDocuments({ tourId: { $in }, text: { $type: "string" } })
schema.index({ tourId: 1 });

export const Reply = define("Reply", "tourReviews.replies", schema);
