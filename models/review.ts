import { Schema, Types } from "mongoose";
import { type Ground, GROUNDS } from "./case";
import type { Content } from "./content";
import { define, type DocumentOf } from "./define";
import { asDate, asId, asNumberWithin, asText, NO_ID, readTolerantly } from "./reading";

/** Left with a review or a reply by an operator's decision. */
export interface Mark {
  at: Date;
  ground: Ground;
  caseId: Types.ObjectId;
}

export const MARK = {
  type: { at: Date, ground: { type: String, enum: GROUNDS }, caseId: Schema.Types.ObjectId },
  _id: false,
};

const content = {
  /** A platform's review may have a fraction between; what is no number from 1 to 5 is read as null. */
  rating: { type: Number, required: true, min: 1, max: 5, validate: Number.isInteger },
  comment: { type: String, default: null },
} satisfies Record<keyof Content, unknown>;

const fields = {
  tourId: { type: Schema.Types.ObjectId, required: true },
  userId: { type: Schema.Types.ObjectId, required: true },
  ...content,
  createdAt: { type: Date, required: true },
  /** When the author last changed it; absent if never. */
  editedAt: Date,
  /** Whether its author had a completed booking of the tour when last checked. */
  verified: Boolean,
  /** "platform" when that posted it for its author; a platform may have something else under that name. */
  postedBy: String,
  /** Set when an operator has removed its comment, until its author writes a new one. */
  redaction: MARK,
};

export type ReviewDocument = DocumentOf<typeof fields, Content & { redaction?: Mark }>;

const schema = new Schema<ReviewDocument>(fields);

// One review per user and tour (docs/rules/reviews.md, Reviews), and "have I reviewed it?": Review.findOne({ tourId, userId })
// Partial, because a platform may have records without them.
const ANY_ID = { $gt: new Types.ObjectId("0".repeat(24)) };
schema.index(
  { tourId: 1, userId: 1 },
  { unique: true, partialFilterExpression: { tourId: ANY_ID, userId: ANY_ID } },
);
// A tour's list, newest first, larger id first on a tie: Review.find({ tourId }).sort({ createdAt: -1, _id: -1 })
schema.index({ tourId: 1, createdAt: -1, _id: -1 });
// The mean and the counts, from the index alone: Review.aggregate([{ $match: { tourId } }, { $group: { _id: "$rating" } }])
// A tour's reviews of one number of stars, newest first: Review.find({ tourId, rating }).sort({ createdAt: -1, _id: -1 })
schema.index({ tourId: 1, rating: 1, createdAt: -1, _id: -1 });
// The same of the reviews with a comment, and how many there are: Review.find({ tourId, rating, comment: { $gt: "" } })
// Another direction of the stars than above, as MongoDB before 5.0 has no two indexes of the same key.
schema.index(
  { tourId: 1, rating: -1, createdAt: -1, _id: -1 },
  { partialFilterExpression: { comment: { $gt: "" } } },
);
// An author's reviews, newest first: Review.find({ userId }).sort({ createdAt: -1, _id: -1 })
schema.index({ userId: 1, createdAt: -1, _id: -1 });

/** Returns a review's stored rating as a number, or undefined when it is not a rating. */
export const asRating = asNumberWithin(1, 5);

/** Reads a review that comes from the driver itself; see `readTolerantly`. */
export const readReview = readTolerantly(schema, "reviews", {
  tourId: { read: asId, otherwise: NO_ID, expected: true },
  userId: { read: asId, otherwise: NO_ID, expected: true },
  rating: { read: asRating, otherwise: null, expected: true },
  comment: { read: asText, otherwise: null },
  // ObjectIds begin with the time at which they were made.
  createdAt: {
    read: asDate,
    otherwise: (id) => (id instanceof Types.ObjectId ? id.getTimestamp() : new Date(0)),
    expected: true,
  },
  editedAt: { read: asDate, otherwise: undefined },
  redaction: { read: asMark, otherwise: undefined },
});

/** A platform may have something else under that name. */
function asMark(value: unknown): Mark | undefined {
  const { at, ground, caseId } = Object(value) as Partial<Record<keyof Mark, unknown>>;
  const isMark = asDate(at) && asId(caseId) && GROUNDS.includes(ground as Ground);
  return isMark ? (value as Mark) : undefined;
}

export const Review = define("Review", "reviews", schema);
