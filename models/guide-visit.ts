import { Schema } from "mongoose";
import { define, type DocumentOf } from "./define";

const fields = {
  /** Later reviews are new to them: when the visit before ended. */
  since: { type: Date, required: true },
  /** The visit's latest request. */
  seenAt: { type: Date, required: true },
};

/** `_id` is the guide's. */
export type GuideVisitDocument = DocumentOf<typeof fields>;

const schema = new Schema<GuideVisitDocument>(fields);

export const GuideVisit = define("GuideVisit", "tourReviews.guideVisits", schema);
