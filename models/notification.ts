import { Schema, type Types } from "mongoose";
import { define } from "./define";

/** The seven inputs of the guide's e-mail (docs/rules.md, Notifications), as they were when the review was committed. */
export interface ReviewNotificationInputs {
  guideName: string;
  guideEmail: string;
  explorerName: string;
  tourTitle: string;
  rating: number;
  comment: string | null;
  tourSlug: string;
}

/**
 * - `pending`: due at `dueAt`, or leased until then by a process that is delivering it
 * - `sent`: SendGrid accepted it
 * - `kept`: no SendGrid is configured; shown at /dev/mail
 * - `dead`: given up, see `failure`
 */
export type NotificationState = "pending" | "sent" | "kept" | "dead";

/**
 * The outbox: one document a review, written in that review's own transaction. Each makes a mail of
 * its own; those marked `digest` are sent together, one mail a guide.
 */
export interface NotificationDocument {
  /** The review's id. */
  _id: Types.ObjectId;
  /** The guide who is told. */
  guideId: Types.ObjectId;
  /** The author of the review. */
  explorerId: Types.ObjectId;
  inputs: ReviewNotificationInputs;
  /** Waits for the guide's daily mail. */
  digest?: boolean;
  state: NotificationState;
  createdAt: Date;
  dueAt: Date;
  attempts: number;
  /** Fencing token of the current lease: only its holder may record the outcome. */
  lease?: string;
  sentAt?: Date;
  /** Why the last attempt failed. */
  failure?: string;
  /** SendGrid refused the API key, which may have been replaced since. */
  credentialsRefused?: boolean;
}

/** How long a mail that was sent stays in the outbox. */
const SENT_KEPT_SECONDS = 30 * 24 * 60 * 60;

const schema = new Schema<NotificationDocument>({
  guideId: { type: Schema.Types.ObjectId, required: true },
  explorerId: { type: Schema.Types.ObjectId, required: true },
  inputs: {
    type: {
      guideName: String,
      guideEmail: String,
      explorerName: String,
      tourTitle: String,
      rating: Number,
      comment: { type: String, default: null },
      tourSlug: String,
    },
    _id: false,
    required: true,
  },
  digest: Boolean,
  state: { type: String, enum: ["pending", "sent", "kept", "dead"], required: true },
  createdAt: { type: Date, required: true },
  dueAt: { type: Date, required: true },
  attempts: { type: Number, default: 0 },
  lease: String,
  sentAt: Date,
  failure: String,
  credentialsRefused: Boolean,
});

// The worker's next: Notification.find({ state: "pending", dueAt: { $lte: now } }).sort({ dueAt: 1 })
schema.index({ state: 1, dueAt: 1 });
// All that a guide's mail of the day tells of: Notification.updateMany({ guideId, state, digest, dueAt: { $lte: now } }, …)
schema.index({ guideId: 1, state: 1, dueAt: 1 });
// What an explorer's account leaves behind: Notification.find({ explorerId }), Notification.deleteMany(…)
schema.index({ explorerId: 1 });
// Somebody's name and words are not kept for longer than a question about a mail may come up.
schema.index({ sentAt: 1 }, { expireAfterSeconds: SENT_KEPT_SECONDS });

export const Notification = define("Notification", "tourReviews.notifications", schema);
