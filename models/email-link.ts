import { Schema, type Types } from "mongoose";
import { define } from "./define";

export const LINK_PURPOSES = ["sign-up", "reset", "address"] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];

/** A link that was sent to an address and waits to be used, once. The token in it is never stored. */
export interface EmailLinkDocument {
  /** The purpose, and the account or else the address: a new link replaces the older one. */
  _id: string;
  purpose: LinkPurpose;
  /** SHA-256, in hex. */
  hash: string;
  /** Whoever has the link can read the e-mails of this address. */
  email: string;
  /** Absent where no account has the address. */
  userId?: Types.ObjectId;
  /** A path of this site, for a sign-up. */
  redirectTo?: string;
  expiresAt: Date;
}

const schema = new Schema<EmailLinkDocument>({
  _id: { type: String, required: true },
  purpose: { type: String, enum: LINK_PURPOSES, required: true },
  hash: { type: String, required: true },
  email: { type: String, required: true },
  userId: Schema.Types.ObjectId,
  redirectTo: String,
  expiresAt: { type: Date, required: true },
});

// Whoever opens the link: EmailLink.findOne({ hash, purpose, expiresAt: { $gt: now } })
schema.index({ hash: 1 }, { unique: true });
// An account's links, to show and to end them: EmailLink.deleteMany({ userId })
schema.index({ userId: 1 });
// The database itself removes expired links.
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const EmailLink = define("EmailLink", "tourReviews.emailLinks", schema);
