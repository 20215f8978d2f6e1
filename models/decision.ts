import { Schema } from "mongoose";
import { ACTIONS, GROUNDS, ITEM_KINDS } from "./case";
import { define, type DocumentOf } from "./define";

const id = { type: Schema.Types.ObjectId, required: true };

const fields = {
  at: { type: Date, required: true },
  caseId: id,
  kind: { type: String, enum: ITEM_KINDS, required: true },
  reviewId: id,
  tourId: id,
  operatorId: id,
  action: { type: String, enum: ACTIONS, required: true },
  ground: { type: String, enum: GROUNDS, required: true },
  /** The review's rating; null when it has none that counts. */
  rating: { type: Number, default: null },
  waitedSince: { type: Date, required: true },
  onAppeal: { type: Boolean, required: true },
  /** Whether it reverses what was decided before. */
  overturns: { type: Boolean, required: true },
};

/**
 * A row of the log of decisions, which is only ever added to. It has no words and no names
 * (docs/decisions/013-replies-and-decisions.md).
 */
export type DecisionDocument = DocumentOf<typeof fields>;

const schema = new Schema<DecisionDocument>(fields);

// The public figures: Decision.aggregate([{ $match: { at: { $gte: … } } }, …])
schema.index({ at: 1 });

export const Decision = define("Decision", "tourReviews.decisions", schema);
