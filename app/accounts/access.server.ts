import type { ClientSession, Types } from "mongoose";
import { Access } from "#models/access";
import { Session } from "#models/session";
import { User, type UserDocument } from "#models/user";
import { activeUser, type ProvenUser } from "./users.server";

/**
 * Called in each transaction that gives, uses or ends a right of the user: a log-in, a link, a token, an operator's
 * decision. Of two such transactions, the later one conflicts here, is run again, and reads what the other has
 * written; one that only read would be refused by nobody (docs/decisions/002-rights-are-written.md).
 */
export async function claimAccess(userId: Types.ObjectId, session: ClientSession): Promise<void> {
  await Access.updateOne({ _id: userId }, { $inc: { version: 1 } }, { session, upsert: true });
}

/**
 * Claims the access of a user, and returns their account as it is in the transaction; null where its password is another
 * one than when it was proven, the session has ended, or nobody may act as the user any more.
 */
export async function claimProven(
  { _id, passwordHash, sessionId }: ProvenUser,
  session: ClientSession,
): Promise<UserDocument | null> {
  await claimAccess(_id, session);
  if (sessionId !== undefined && !(await claimSession(sessionId, session))) return null;
  const user = await User.findById(_id, null, { session }).lean<UserDocument>();
  return user?.passwordHash === passwordHash && activeUser(user) ? user : null;
}

/** Writes the session, so that a log-out at the same moment conflicts. */
async function claimSession(_id: string, session: ClientSession): Promise<boolean> {
  const used = { $set: { lastUsedAt: new Date() } };
  return (await Session.updateOne({ _id }, used, { session })).matchedCount > 0;
}
