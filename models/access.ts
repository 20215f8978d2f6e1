import { Schema } from "mongoose";
import { define, type DocumentOf } from "./define";

const fields = {
  /** How many transactions have depended on, or changed, what the user may do. */
  version: { type: Number, required: true },
};

/** Makes transactions about one user's rights conflict; `_id` is the user's. */
export type AccessDocument = DocumentOf<typeof fields>;

const schema = new Schema<AccessDocument>(fields);

export const Access = define("Access", "tourReviews.access", schema);
