import type { ClientSession, Types } from "mongoose";
import { Access } from "#models/access";

/**
 * Called first in each transaction that gives, uses or ends a right of the user: a log-in, a link, a token, an
 * operator's decision. Of two such transactions, the later one conflicts here, is run again, and reads what the other
 * has written; one that only read would be refused by nobody (docs/decisions/030-rights-are-written.md).
 */
export async function claimAccess(userId: Types.ObjectId, session: ClientSession): Promise<void> {
  await Access.updateOne({ _id: userId }, { $inc: { version: 1 } }, { session, upsert: true });
}
