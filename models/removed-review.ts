import { Schema, type Types } from "mongoose";
import { define } from "./define";

/** A review that an operator has removed; `_id` is the review's. Its pair of tour and author stays taken. */
export interface RemovedReviewDocument {
  _id: Types.ObjectId;
  tourId: Types.ObjectId;
  userId: Types.ObjectId;
  removedAt: Date;
  caseId: Types.ObjectId;
  /** Its rating, for the public figures; null when it had none that counts. */
  rating: number | null;
  /** The whole document as it was stored; null when its author has deleted it, or its words were removed. */
  review: Record<string, unknown> | null;
}

const schema = new Schema<RemovedReviewDocument>({
  tourId: { type: Schema.Types.ObjectId, required: true },
  userId: { type: Schema.Types.ObjectId, required: true },
  removedAt: { type: Date, required: true },
  caseId: { type: Schema.Types.ObjectId, required: true },
  rating: { type: Number, default: null },
  review: { type: Schema.Types.Mixed, default: null },
});

// Check 6 of docs/rules/reviews.md (Posting): RemovedReview.exists({ tourId, userId })
schema.index({ tourId: 1, userId: 1 });
// An author's, to show, to export and to delete them: RemovedReview.find({ userId }).sort({ removedAt: -1 })
schema.index({ userId: 1, removedAt: -1 });

export const RemovedReview = define("RemovedReview", "tourReviews.removedReviews", schema);
