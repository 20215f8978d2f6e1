import { Schema, type Types } from "mongoose";
import { define } from "./define";

/**
 * The user is removed already, their other data follows in steps. Written in the transaction that removed the user,
 * and deleted when no data is left.
 */
export interface AccountDeletionDocument {
  /** The user's id. */
  _id: Types.ObjectId;
  /**
   * The `owner` (models/notification.ts) of the e-mails about accounts that are deleted with it.
   */
  mailsOf?: string[];
  requestedAt: Date;
  /** The end of a process's lease, unless it renews it; then another process takes over. */
  leasedUntil: Date;
  lease?: string;
  /** The last booked tour that was processed, in the order of ids. */
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
