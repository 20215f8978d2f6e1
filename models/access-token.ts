import { Schema } from "mongoose";
import { define, type DocumentOf } from "./define";

/** How long an expired token is still shown to its owner. */
const EXPIRED_KEPT_SECONDS = 30 * 24 * 60 * 60;

const fields = {
  /** All zeros for a service token. */
  userId: { type: Schema.Types.ObjectId, required: true },
  /** Whether it belongs to the platform's own programs, and to no user. */
  service: Boolean,
  name: { type: String, required: true },
  /** SHA-256, in hex. */
  hash: { type: String, required: true },
  createdAt: { type: Date, required: true },
  lastUsedAt: { type: Date, default: null },
  /** Absent for never. */
  expiresAt: Date,
};

/** A personal access token of an API client. The token itself is shown once and never stored. */
export type AccessTokenDocument = DocumentOf<typeof fields>;

const schema = new Schema<AccessTokenDocument>(fields);

// The user of a request: AccessToken.findOne({ hash })
schema.index({ hash: 1 }, { unique: true });
// A user's tokens, newest first: AccessToken.find({ userId }).sort({ createdAt: -1, _id: -1 })
schema.index({ userId: 1, createdAt: -1, _id: -1 });
// The database itself removes tokens that expired long ago.
schema.index({ expiresAt: 1 }, { expireAfterSeconds: EXPIRED_KEPT_SECONDS });

export const AccessToken = define("AccessToken", "tourReviews.accessTokens", schema);
