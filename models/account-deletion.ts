import { Schema } from "mongoose";
import { define, type DocumentOf } from "./define";

const fields = {
  /** Its names in e-mails (`owner` of models/notification.ts), reports and sanctions. */
  mailsOf: { type: [String], default: undefined },
  requestedAt: { type: Date, required: true },
  /** Then another process takes over, unless the lease is renewed. */
  leasedUntil: { type: Date, required: true },
  lease: String,
  attempts: { type: Number, default: 0 },
  /** The last booked tour that was processed, in the order of ids. */
  lookedThrough: Schema.Types.ObjectId,
};

/**
 * Written in the transaction that removed the user; their other data follows in steps, and at last this document. `_id` is
 * the user's.
 */
export type AccountDeletionDocument = DocumentOf<typeof fields>;

const schema = new Schema<AccountDeletionDocument>(fields);

// The worker's next: AccountDeletion.findOne({ leasedUntil: { $lte: now } })
schema.index({ leasedUntil: 1 });

export const AccountDeletion = define("AccountDeletion", "tourReviews.accountDeletions", schema);
