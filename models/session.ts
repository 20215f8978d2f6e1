import { Schema, type Types } from "mongoose";
import { define } from "./define";

/** A browser's log-in. Its id is the opaque value of the cookie. */
export interface SessionDocument {
  _id: string;
  userId?: Types.ObjectId;
  /** Everything else that Remix keeps in a session, such as flash messages. */
  data: Record<string, unknown>;
  expiresAt: Date;
}

const schema = new Schema<SessionDocument>(
  {
    _id: { type: String, required: true },
    userId: Schema.Types.ObjectId,
    data: { type: Schema.Types.Mixed, default: {} },
    expiresAt: { type: Date, required: true },
  },
  { minimize: false },
);

// The database itself clears away what has expired.
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
// A user's log-ins, to count and to end them: Session.deleteMany({ userId })
schema.index({ userId: 1 });

export const Session = define("Session", "tourReviews.sessions", schema);
