import { Schema } from "mongoose";
import { define, type DocumentOf } from "./define";

const fields = {
  _id: { type: String, required: true },
  userId: Schema.Types.ObjectId,
  /** Everything else that Remix keeps in a session, such as flash messages. */
  data: { type: Schema.Types.Mixed, default: {} },
  expiresAt: { type: Date, required: true },
  /** Missing for anonymous sessions and for those of an earlier release, as are the next fields. */
  createdAt: Date,
  /** Exact to some minutes; the next two fields are from that use. */
  lastUsedAt: Date,
  browser: String,
  /** A /24 of IPv4 or a /48 of IPv6. */
  network: String,
};

/** A browser's log-in. Its id is the opaque value of the cookie. */
export type SessionDocument = DocumentOf<typeof fields, { data: Record<string, unknown> }>;

const schema = new Schema<SessionDocument>(fields, { minimize: false });

// The database itself removes expired sessions.
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
// A user's log-ins, to list them and to end them:
// Session.find({ userId }).sort({ lastUsedAt: -1 }), Session.deleteMany({ userId })
schema.index({ userId: 1, lastUsedAt: -1 });

export const Session = define("Session", "tourReviews.sessions", schema);
