import { Schema, type Types } from "mongoose";
import { define } from "./define";

/** Says of a user that they decide about what is reported; `_id` is the user's. */
export interface OperatorDocument {
  _id: Types.ObjectId;
  since: Date;
}

const schema = new Schema<OperatorDocument>({ since: { type: Date, required: true } });

export const Operator = define("Operator", "tourReviews.operators", schema);
