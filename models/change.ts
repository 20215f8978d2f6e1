import { Schema, type Types } from "mongoose";
import { define } from "./define";

export const CHANGES = [
  "created",
  "edited",
  "deleted",
  "removed",
  "restored",
  "redacted",
  "imported",
  "rebuilt",
  "platform",
  "checkpoint",
] as const;

/** A change of a tour's reviews, without words and persons (docs/rules/reviews.md, Changes). */
export interface ChangeDocument {
  _id: Types.ObjectId;
  tourId: Types.ObjectId;
  /** From 1, without a gap. */
  version: number;
  type: (typeof CHANGES)[number];
  /** Absent 30 days after its author has deleted the review, and where several have changed. */
  review?: Types.ObjectId;
  forgetAt?: Date;
  /** The review's rating before and after it: null without a review, 0 for one whose rating does not count. */
  before: number | null;
  stars: number | null;
  /** How many reviews have each rating, with which a replay begins anew; null where it goes on. */
  ratings: [rating: number, count: number][] | null;
  /** The tour's figures after it. */
  count: number;
  mean: number;
  time: Date;
  /** The hash of the line before. */
  previous: string;
  /** The hash of all counts by rating after it, with the last line of a transaction. */
  state?: string;
}

const schema = new Schema<ChangeDocument>({
  tourId: { type: Schema.Types.ObjectId, required: true },
  version: { type: Number, required: true },
  type: { type: String, enum: CHANGES, required: true },
  review: Schema.Types.ObjectId,
  forgetAt: Date,
  before: { type: Number, default: null },
  stars: { type: Number, default: null },
  ratings: { type: [[Number]], default: null },
  count: { type: Number, required: true },
  mean: { type: Number, required: true },
  time: { type: Date, required: true },
  previous: { type: String, required: true },
  state: String,
});

// A tour's lines in their order: Change.find({ tourId, version: { $gt } }).sort({ version: 1 })
schema.index({ tourId: 1, version: 1 }, { unique: true });
// Those of a review that is deleted: Change.updateMany({ review })
schema.index({ review: 1 }, { sparse: true });
// Those that are due to lose it: Change.find({ forgetAt: { $lte } })
schema.index({ forgetAt: 1 }, { sparse: true });
// Those of all tours: Change.find({ time: { $gt } }).sort({ time: 1, tourId: 1, version: 1 })
schema.index({ time: 1, tourId: 1, version: 1 });

export const Change = define("Change", "tourReviews.changes", schema);
