import { Schema } from "mongoose";
import { define, type DocumentOf } from "./define";

const fields = {
  tourId: { type: Schema.Types.ObjectId, required: true },
  userId: { type: Schema.Types.ObjectId, required: true },
  removedAt: { type: Date, required: true },
  caseId: { type: Schema.Types.ObjectId, required: true },
  /** Its rating, for the public figures; null when it had none that counts. */
  rating: { type: Number, default: null },
  /** The whole document as it was stored; null when its author has deleted it, or its words were removed. */
  review: { type: Schema.Types.Mixed, default: null },
};

/** A review that an operator has removed; `_id` is the review's. Its pair of tour and author stays taken. */
export type RemovedReviewDocument = DocumentOf<
  typeof fields,
  { review: Record<string, unknown> | null }
>;

const schema = new Schema<RemovedReviewDocument>(fields);

// Check 6 of docs/rules/reviews.md (Posting): RemovedReview.exists({ tourId, userId })
schema.index({ tourId: 1, userId: 1 });
// An author's, to show, to export and to delete them: RemovedReview.find({ userId }).sort({ removedAt: -1 })
schema.index({ userId: 1, removedAt: -1 });

export const RemovedReview = define("RemovedReview", "tourReviews.removedReviews", schema);
