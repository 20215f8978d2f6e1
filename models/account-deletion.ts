import { Schema, type Types } from "mongoose";
import { define } from "./define";

/** Written in the transaction that removed the user; their other data follows in steps, and at last this document. */
export interface AccountDeletionDocument {
  /** The user's id. */
  _id: Types.ObjectId;
  /** Its names in e-mails (`owner` of models/notification.ts), reports and sanctions. */
  mailsOf?: string[];
  requestedAt: Date;
  /** Then another process takes over, unless the lease is renewed. */
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
