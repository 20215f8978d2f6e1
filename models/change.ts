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
  /** The figures until this line, which is the first of a month. */
  atMonthEnds?: MonthEnds;
}

/** A tour's figures at the end of each month from one, such as "2026-10", to another. */
export interface MonthEnds {
  from: string;
  to: string;
  count: number;
  mean: number;
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
  atMonthEnds: {
    type: new Schema({ from: String, to: String, count: Number, mean: Number }, { _id: false }),
  },
});

// A tour's lines in their order: Change.find({ tourId, version: { $gt } }).sort({ version: 1 })
schema.index({ tourId: 1, version: 1 }, { unique: true });
// Those of a review that is deleted: Change.updateMany({ review })
schema.index({ review: 1 }, { sparse: true });
// Those that are due to lose it: Change.find({ forgetAt: { $lte } })
schema.index({ forgetAt: 1 }, { sparse: true });
// Those of all tours: Change.find({ time: { $gt } }).sort({ time: 1, tourId: 1, version: 1 })
schema.index({ time: 1, tourId: 1, version: 1 });
// A tour's figures at the ends of months: Change.find({ tourId, "atMonthEnds.to": { $gte } })
schema.index(
  { tourId: 1, "atMonthEnds.to": 1 },
  { partialFilterExpression: { "atMonthEnds.to": { $gt: "" } } },
);

export const Change = define("Change", "tourReviews.changes", schema);
