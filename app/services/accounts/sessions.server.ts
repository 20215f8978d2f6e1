import { randomBytes } from "node:crypto";
import { Types } from "mongoose";
import { Session, type SessionDocument } from "../../../models/session";

/** What a session holds: who is logged in, and what else the site keeps for the visitor. */
export interface StoredSession {
  userId?: string;
  [field: string]: unknown;
}

/** Stores a new session until `expiresAt`; returns its id, which nobody can guess. */
export async function createSession(
  { userId, ...data }: StoredSession,
  expiresAt: Date,
): Promise<string> {
  const session = await Session.create({
    _id: randomBytes(32).toString("base64url"),
    ...(userId && { userId: new Types.ObjectId(userId) }),
    data,
    expiresAt,
  });
  return session._id;
}

/** The session of that id; null when it has ended or expired. */
export async function readSession(id: string): Promise<StoredSession | null> {
  // The database clears expired sessions about once a minute only.
  const session = await Session.findOne({
    _id: id,
    expiresAt: { $gt: new Date() },
  }).lean<SessionDocument>();
  if (!session) return null;
  return { ...session.data, ...(session.userId && { userId: session.userId.toString() }) };
}

/** Replaces what a session holds beside its user. A session that was ended meanwhile stays ended. */
export async function updateSession(id: string, { userId: _, ...data }: StoredSession) {
  await Session.updateOne({ _id: id }, { $set: { data } });
}

/** Ends a session. */
export async function deleteSession(id: string): Promise<void> {
  await Session.deleteOne({ _id: id });
}
