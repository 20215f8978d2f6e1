import { Schema, type Types } from "mongoose";
import { define, type DocumentOf } from "./define";

/** Why a guest is not asked. */
export const NOT_ASKED = [
  "before",
  "imported",
  "late",
  "account",
  "suspended",
  "objected",
  "tour",
  "guide",
  "reviewed",
  "removed",
  "disputed",
  "cancelled",
] as const;
export type NotAsked = (typeof NOT_ASKED)[number];

const fields = {
  /** The ids of guest and tour (`requestId`), so that there is one request for each pair. */
  _id: { type: String, required: true },
  tourId: { type: Schema.Types.ObjectId, required: true },
  userId: { type: Schema.Types.ObjectId, required: true },
  /** When the booked departure began; without any date, when it was completed. */
  departedAt: { type: Date, required: true },
  /** When its next e-mail is due; absent when there is none to come. */
  dueAt: Date,
  /** When the first e-mail and the reminder were put into the outbox. */
  askedAt: Date,
  remindedAt: Date,
  /** When the first one was sent. */
  sentAt: Date,
  notAsked: { type: String, enum: NOT_ASKED },
  /** SHA-256 of the link's token, in hex. */
  hash: String,
  expiresAt: Date,
  /** The review that was posted by the link, which is then used up. */
  reviewId: Schema.Types.ObjectId,
  /** When the guest said that they did not take part, which uses it up, too. */
  absentAt: Date,
};

/** One guest is asked once for a review of one tour (docs/rules/review-requests.md, Review requests). */
export type ReviewRequestDocument = DocumentOf<typeof fields, { _id: string; notAsked?: NotAsked }>;

const schema = new Schema<ReviewRequestDocument>(fields);

// Requests that are due: ReviewRequest.find({ dueAt: { $lte } })
schema.index({ dueAt: 1 }, { sparse: true });
// A guest's that are due; all of a guest's, to export and to delete them: ReviewRequest.find({ userId, dueAt: { $lte } })
schema.index({ userId: 1, dueAt: 1 });
// Guests of a tour who were asked: ReviewRequest.aggregate([{ $match: { tourId: { $in }, sentAt: { $gt } } }, …])
schema.index({ tourId: 1, sentAt: 1 });
// A link that is opened: ReviewRequest.findOne({ hash })
schema.index({ hash: 1 }, { unique: true, sparse: true });

export const ReviewRequest = define("ReviewRequest", "tourReviews.reviewRequests", schema);

export const requestId = ({ tourId, userId }: Record<"tourId" | "userId", Types.ObjectId>) =>
  `${tourId.toString()} ${userId.toString()}`;

const askingFields = { _id: { type: String, required: true } };

/** Exists while guests are asked for reviews: those whose bookings were completed before it was created are not. */
export type AskingDocument = DocumentOf<typeof askingFields, { _id: "asking" }>;

export const Asking = define(
  "Asking",
  "tourReviews.asking",
  new Schema<AskingDocument>(askingFields),
);
