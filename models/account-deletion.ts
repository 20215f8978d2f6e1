import { Schema, type Types } from "mongoose";
import { define } from "./define";

/**
 * An account that is being deleted: its user is gone already, what they have left is removed bit by bit.
 * Written in the transaction that removed the user, gone when nothing is left.
 */
export interface AccountDeletionDocument {
  /** The user's id. */
  _id: Types.ObjectId;
  /** Whose e-mails about accounts go with it (`owner` in models/notification.ts). */
  mailsOf?: string[];
  requestedAt: Date;
  /** Until when a process is at it, unless it renews that: then another one goes on. */
  leasedUntil: Date;
  /** Names the process that is at it. */
  lease?: string;
  /** The last of the booked tours that were looked through, in the order of their ids. */
  lookedThrough?: Types.ObjectId;
}

const schema = new Schema<AccountDeletionDocument>({
  mailsOf: { type: [String], default: undefined },
  requestedAt: { type: Date, required: true },
  leasedUntil: { type: Date, required: true },
  lease: String,
  lookedThrough: Schema.Types.ObjectId,
});

// The worker's next: AccountDeletion.find({ leasedUntil: { $lte: now } }).sort({ leasedUntil: 1 })
schema.index({ leasedUntil: 1 });

export const AccountDeletion = define("AccountDeletion", "tourReviews.accountDeletions", schema);
