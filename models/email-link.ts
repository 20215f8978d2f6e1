import { Schema } from "mongoose";
import { define, type DocumentOf } from "./define";

export const LINK_PURPOSES = ["sign-up", "reset", "address"] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];

const fields = {
  /** The purpose, and the account or else the address: a new link replaces the older one. */
  _id: { type: String, required: true },
  purpose: { type: String, enum: LINK_PURPOSES, required: true },
  /** SHA-256, in hex. */
  hash: { type: String, required: true },
  /** The link proves that its reader receives the e-mails of this address. */
  email: { type: String, required: true },
  /** Absent where no account has the address. */
  userId: Schema.Types.ObjectId,
  /** A path of this site, for a sign-up. */
  redirectTo: String,
  expiresAt: { type: Date, required: true },
};

/** A link that was sent to an address and waits to be used, once. The token in it is never stored. */
export type EmailLinkDocument = DocumentOf<typeof fields>;

const schema = new Schema<EmailLinkDocument>(fields);

// A link that is opened: EmailLink.findOne({ hash, purpose, expiresAt: { $gt: now } })
schema.index({ hash: 1 }, { unique: true });
// An account's links, to show and to end them: EmailLink.deleteMany({ userId })
schema.index({ userId: 1 });
// The database itself removes expired links.
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const EmailLink = define("EmailLink", "tourReviews.emailLinks", schema);
