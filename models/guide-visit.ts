import { Schema, type Types } from "mongoose";
import { define } from "./define";

export interface GuideVisitDocument {
  /** The guide's id. */
  _id: Types.ObjectId;
  /** Later reviews are new to them: when the visit before ended. */
  since: Date;
  /** The visit's latest request. */
  seenAt: Date;
}

const schema = new Schema<GuideVisitDocument>({
  since: { type: Date, required: true },
  seenAt: { type: Date, required: true },
});

export const GuideVisit = define("GuideVisit", "tourReviews.guideVisits", schema);
