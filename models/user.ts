import { Schema } from "mongoose";
import { define, type DocumentOf } from "./define";
import { asDate, asName, asText, readTolerantly } from "./reading";

export const REVIEW_MAILS = ["each", "daily", "none"] as const;
export type ReviewMails = (typeof REVIEW_MAILS)[number];

export const REPLY_MAILS = ["each", "none"] as const;
export type ReplyMails = (typeof REPLY_MAILS)[number];

const fields = {
  name: { type: String, default: "" },
  email: { type: String, required: true, trim: true },
  image: { type: String, default: null },
  /** argon2id in PHC string format; a user without one cannot log in with a password. */
  passwordHash: { type: String, default: null },
  /** Stored once the user has chosen, as are the next two; absent means "each". */
  reviewMails: { type: String, enum: REVIEW_MAILS },
  replyMails: { type: String, enum: REPLY_MAILS },
  /** False once the user has objected to being asked for reviews. */
  reviewRequests: Boolean,
  /** Possibly in the past. */
  suspendedUntil: Date,
};

export type UserDocument = DocumentOf<
  typeof fields,
  {
    reviewMails: ReviewMails;
    replyMails: ReplyMails;
    reviewRequests: boolean;
    suspendedUntil: Date | null;
  }
>;

const schema = new Schema<UserDocument>(fields);

/** E-mail addresses are compared without regard to case. */
export const EMAIL_COLLATION = { locale: "en", strength: 2 } as const;

/** Compares two addresses as that collation does (0 for the same); MongoDB and JavaScript both use ICU's. */
export const compareEmails = new Intl.Collator("en", { sensitivity: "accent" }).compare;

// Log-in, and one account an address: User.findOne({ email }).collation(EMAIL_COLLATION). Partial, because
// a platform may have any number of users without an address.
const WITH_ADDRESS = { email: { $gt: "" } };
schema.index(
  { email: 1 },
  { unique: true, collation: EMAIL_COLLATION, partialFilterExpression: WITH_ADDRESS },
);

/** Reads a user that comes from an aggregation; see `readTolerantly`. */
export const readUser = readTolerantly(schema, "users", {
  name: { read: asName, otherwise: "" },
  email: { read: asText, otherwise: "", expected: true },
  image: { read: asText, otherwise: null },
  passwordHash: { read: asText, otherwise: null },
  reviewMails: { read: (value) => REVIEW_MAILS.find((one) => one === value), otherwise: "each" },
  replyMails: { read: (value) => REPLY_MAILS.find((one) => one === value), otherwise: "each" },
  reviewRequests: {
    read: (value) => (typeof value === "boolean" ? value : undefined),
    otherwise: true,
  },
  suspendedUntil: { read: asDate, otherwise: null },
});

export const User = define("User", "users", schema);
