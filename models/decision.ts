import { Schema, type Types } from "mongoose";
import { ACTIONS, type Action, GROUNDS, type Ground, ITEM_KINDS, type ItemKind } from "./case";
import { define } from "./define";

/**
 * A row of the log of decisions, which is only ever added to. It has no words and no names
 * (docs/decisions/029-decisions.md).
 */
export interface DecisionDocument {
  _id: Types.ObjectId;
  at: Date;
  caseId: Types.ObjectId;
  kind: ItemKind;
  reviewId: Types.ObjectId;
  tourId: Types.ObjectId;
  operatorId: Types.ObjectId;
  action: Action;
  ground: Ground;
  /** The review's rating; null when it has none that counts. */
  rating: number | null;
  waitedSince: Date;
  onAppeal: boolean;
  /** Whether it reverses what was decided before. */
  overturns: boolean;
}

const id = { type: Schema.Types.ObjectId, required: true };

const schema = new Schema<DecisionDocument>({
  at: { type: Date, required: true },
  caseId: id,
  kind: { type: String, enum: ITEM_KINDS, required: true },
  reviewId: id,
  tourId: id,
  operatorId: id,
  action: { type: String, enum: ACTIONS, required: true },
  ground: { type: String, enum: GROUNDS, required: true },
  rating: { type: Number, default: null },
  waitedSince: { type: Date, required: true },
  onAppeal: { type: Boolean, required: true },
  overturns: { type: Boolean, required: true },
});

// The public figures: Decision.aggregate([{ $match: { at: { $gte: … } } }, …])
schema.index({ at: 1 });

export const Decision = define("Decision", "tourReviews.decisions", schema);
