import { Schema, type Types } from "mongoose";
import type { Content } from "./content";
import { define } from "./define";

/** Inputs of the guide's e-mail (docs/rules/mail.md, Notifications), as they were when the review was committed. */
export interface ReviewNotificationInputs extends Content {
  guideName: string;
  guideEmail: string;
  explorerName: string;
  tourTitle: string;
  rating: number;
  tourSlug: string;
}

/** Sets these fields of an e-mail's inputs. */
export const asInputs = (inputs: Partial<ReviewNotificationInputs | Content>) =>
  Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`inputs.${name}`, value]));

/** An address of e-mails, with the name that is shown beside it. */
export interface Mailbox {
  email: string;
  name?: string;
}

/** An e-mail that is not about reviews, ready to send. It may hold a link that lets its recipient act. */
export interface AccountMail {
  to: Mailbox;
  subject: string;
  text: string;
  html: string;
  /** When its link expires that lets its recipient act, or, about a deleted account, when it would be given up. */
  expiresAt?: Date;
  unsubscribeUrl?: string;
}

/** A `digest` is a review that waits for its guide's daily e-mail, which tells of all that wait. */
export const NOTIFICATION_KINDS = ["account", "review", "digest"] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/**
 * - `pending`: due at `dueAt`, or leased until then by a process that is delivering it
 * - `sent`: SendGrid accepted it
 * - `captured`: no SendGrid is configured; shown at /dev/mail
 * - `dead`: given up, see `failure`
 */
export const NOTIFICATION_STATES = ["pending", "sent", "captured", "dead"] as const;
export type NotificationState = (typeof NOTIFICATION_STATES)[number];

/** An entry of the outbox, written in the transaction of the event that it reports. */
interface Delivery {
  _id: Types.ObjectId;
  kind: NotificationKind;
  state: NotificationState;
  createdAt: Date;
  dueAt: Date;
  /** A failure after this is final. */
  retryUntil: Date;
  attempts: number;
  /** Only the holder of the present lease records the outcome. All documents of an e-mail have the same one. */
  lease?: string;
  endedAt?: Date;
  /** Why the last attempt failed, or was put off. */
  failure?: string;
}

/** A review that is reported to its guide; `_id` is the review's. */
export interface ReviewNotification extends Delivery {
  kind: "review" | "digest";
  guideId: Types.ObjectId;
  explorerId: Types.ObjectId;
  inputs: ReviewNotificationInputs;
}

/** Its text is kept until it has been sent; without `expiresAt` also when it was given up. */
export interface AccountNotification extends Delivery {
  kind: "account";
  /** An account's id, or a keyed hash of an address without one; absent when it says that an account is gone. */
  owner?: string;
  /** The review whose reply it tells of. */
  replyTo?: Types.ObjectId;
  /** The ids of the review requests that it sends. */
  asks?: string[];
  mail?: AccountMail;
}

/** A change of which an address of WEBHOOK_URLS is told. Without a state: no look for e-mails finds it. */
export interface EventNotification {
  _id: Types.ObjectId;
  kind: "event";
  /** The address (models/webhook.ts). */
  webhook: string;
  /** The entry of the log of changes. */
  change: Types.ObjectId;
  /** The entry's time. */
  createdAt: Date;
}

/** An e-mail. */
export type NotificationDocument = ReviewNotification | AccountNotification;

const ENDED_KEPT_SECONDS = 30 * 24 * 60 * 60;

const schema = new Schema<
  Delivery &
    Partial<Omit<ReviewNotification, keyof Delivery>> &
    Partial<Omit<AccountNotification, keyof Delivery>> &
    Partial<Pick<EventNotification, "webhook" | "change">>
>({
  kind: { type: String, enum: NOTIFICATION_KINDS, required: true },
  state: { type: String, enum: NOTIFICATION_STATES, required: true },
  owner: String,
  replyTo: Schema.Types.ObjectId,
  asks: { type: [String], default: undefined },
  guideId: Schema.Types.ObjectId,
  explorerId: Schema.Types.ObjectId,
  inputs: {
    type: {
      guideName: String,
      guideEmail: String,
      explorerName: String,
      tourTitle: String,
      rating: Number,
      comment: { type: String, default: null },
      tourSlug: String,
    } satisfies Record<keyof ReviewNotificationInputs, unknown>,
    _id: false,
  },
  mail: {
    type: {
      to: { email: String, name: String },
      subject: String,
      text: String,
      html: String,
      expiresAt: Date,
      unsubscribeUrl: String,
    },
    _id: false,
  },
  webhook: String,
  change: Schema.Types.ObjectId,
  createdAt: { type: Date, required: true },
  dueAt: { type: Date, required: true },
  retryUntil: { type: Date, required: true },
  attempts: { type: Number, default: 0 },
  lease: String,
  endedAt: Date,
  failure: String,
});

// The worker's next: Notification.findOne({ state: "pending", kind, dueAt: { $lte: now } })
schema.index({ state: 1, kind: 1, dueAt: 1 });
// A guide's daily e-mail: Notification.updateMany({ guideId, state, kind, dueAt: { $lte: now } }, …)
schema.index({ guideId: 1, state: 1, kind: 1, dueAt: 1 });
// The documents of one mail: Notification.updateMany({ lease }, …)
schema.index({ lease: 1 }, { sparse: true });
// An explorer's reviews, when the account is deleted: Notification.deleteMany({ explorerId })
schema.index({ explorerId: 1 });
// An account's: Notification.find({ owner }), Notification.deleteMany({ owner, state })
schema.index({ owner: 1 }, { sparse: true });
// The one that waits about a reply: Notification.deleteMany({ replyTo, state, lease })
schema.index({ replyTo: 1 }, { sparse: true });
// The events of an address, the oldest first, each once: Notification.find({ webhook })
schema.index({ webhook: 1, change: 1 }, { unique: true, sparse: true });
// Names and comments are kept only as long as questions about an e-mail may come up. The newest captured:
// Notification.find({ state: "captured" }).sort({ endedAt: -1 })
schema.index({ endedAt: 1 }, { expireAfterSeconds: ENDED_KEPT_SECONDS });

export const Notification = define("Notification", "tourReviews.notifications", schema);
