import { Schema } from "mongoose";
import { define, type DocumentOf } from "./define";

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

/** A tour's figures at the end of each month from one, such as "2026-10", to another. */
export interface MonthEnds {
  from: string;
  to: string;
  count: number;
  mean: number;
}

const fields = {
  tourId: { type: Schema.Types.ObjectId, required: true },
  /** From 1, without a gap. */
  version: { type: Number, required: true },
  type: { type: String, enum: CHANGES, required: true },
  /** Absent 30 days after its author has deleted the review, and where several have changed. */
  review: Schema.Types.ObjectId,
  forgetAt: Date,
  /** No webhook is told of it (docs/rules/webhooks.md). */
  isQuiet: Boolean,
  /** The review's rating before and after it: null without a review, 0 for one whose rating does not count. */
  before: { type: Number, default: null },
  stars: { type: Number, default: null },
  /** How many reviews have each rating, with which a replay begins anew; null where it goes on. */
  ratings: { type: [[Number]], default: null },
  /** The tour's figures after it. */
  count: { type: Number, required: true },
  mean: { type: Number, required: true },
  time: { type: Date, required: true },
  /** The hash of the entry before. */
  previous: { type: String, required: true },
  /** The hash of all counts by rating after it, with the last entry of a transaction. */
  state: String,
  /** The figures until this entry, which is the first of a month. */
  atMonthEnds: {
    type: new Schema({ from: String, to: String, count: Number, mean: Number }, { _id: false }),
  },
};

/** A change of a tour's reviews, without words and persons (docs/rules/reviews.md, Changes). */
export type ChangeDocument = DocumentOf<
  typeof fields,
  { ratings: [rating: number, count: number][] | null; atMonthEnds?: MonthEnds }
>;

const schema = new Schema<ChangeDocument>(fields);

// A tour's entries in their order: Change.find({ tourId, version: { $gt } }).sort({ version: 1 })
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
