import { Schema, type Types } from "mongoose";
import { define } from "./define";

/** The seven inputs of the guide's e-mail (spec.md, Events), as they were when the review was committed. */
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

/** The outbox: one document an e-mail, written in the transaction of the review that it tells of. */
export interface NotificationDocument {
  /** The review's id. */
  _id: Types.ObjectId;
  inputs: ReviewNotificationInputs;
  state: NotificationState;
  createdAt: Date;
  dueAt: Date;
  attempts: number;
  /** Fencing token of the current lease: only its holder may record the outcome. */
  lease?: string;
  sentAt?: Date;
  /** Why the last attempt failed. */
  failure?: string;
  /** The refusal was one of credentials, which new ones may mend. */
  credentialsRefused?: boolean;
}

const schema = new Schema<NotificationDocument>({
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
  state: { type: String, enum: ["pending", "sent", "kept", "dead"], required: true },
  createdAt: { type: Date, required: true },
  dueAt: { type: Date, required: true },
  attempts: { type: Number, default: 0 },
  lease: String,
  sentAt: Date,
  failure: String,
  credentialsRefused: Boolean,
});

// The worker's next: Notification.findOneAndUpdate({ state: "pending", dueAt: { $lte: now } }, …).sort({ dueAt: 1 })
schema.index({ state: 1, dueAt: 1 });

export const Notification = define("Notification", "notifications", schema);
