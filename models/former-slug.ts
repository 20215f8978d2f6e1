import { Schema, type Types } from "mongoose";
import { define } from "./define";

/** A slug that a tour had. One that a tour has now counts before it. */
export interface FormerSlugDocument {
  /** The slug, in Unicode's form C. */
  _id: string;
  tourId: Types.ObjectId;
}

const schema = new Schema<FormerSlugDocument>({
  _id: { type: String, required: true },
  tourId: { type: Schema.Types.ObjectId, required: true },
});

export const FormerSlug = define("FormerSlug", "tourReviews.formerSlugs", schema);
