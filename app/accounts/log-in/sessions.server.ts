import { randomBytes } from "node:crypto";
import type { ClientSession, Types } from "mongoose";
import { AccessToken } from "#models/access-token";
import { EmailLink } from "#models/email-link";
import { Operator } from "#models/operator";
import { Session, type SessionDocument } from "#models/session";
import { readUser, User, type UserDocument } from "#models/user";
import { MINUTE_MS } from "~/lib/durations";
import { sha256 } from "~/lib/digest.server";
import { toObjectId } from "~/db/ids.server";
import { joinById } from "~/db/join.server";
import { inTransaction } from "~/db/transaction.server";
import { ServiceError } from "~/lib/errors.server";
import { claimAccess, claimProven } from "~/accounts/access.server";
import type { Caller } from "~/accounts/caller.server";
import { writes } from "~/db/limits.server";
import {
  ACTIVE_FIELDS,
  activeUser,
  type CurrentUser,
  type ProvenUser,
} from "~/accounts/users.server";
import { accountTexts } from "~/accounts/refusal-texts";
import { browserName } from "./browser.server";
import { forgetNetworks, noteNetwork } from "./known-networks.server";

export interface StoredSession {
  userId?: string;
  [field: string]: unknown;
}

export interface SessionClient {
  userAgent?: string;
  clientAddress?: string;
  network?: string;
}

/** The time of the last use is written at most once within it. */
const LAST_USED_MS = 5 * MINUTE_MS;

export const SESSIONS_PER_USER = 100;

const clientFields = ({ userAgent, network }: SessionClient, lastUsedAt: Date) => {
  const browser = browserName(userAgent);
  return { lastUsedAt, ...(browser && { browser }), ...(network && { network }) };
};

/**
 * Creates a session of a user who is `proven`, or an anonymous one, and returns its id. The user's oldest sessions end
 * when there is no room, and only the newest has a review that waits. Throws `ServiceError` 400 where the account has
 * changed since it was proven.
 */
export async function createSession(
  { proven, ...data }: { proven?: ProvenUser; [field: string]: unknown },
  expiresAt: Date,
  client: SessionClient = {},
): Promise<string> {
  const _id = randomBytes(32).toString("base64url");
  if (!proven) {
    await Session.create({ _id, data, expiresAt });
    return _id;
  }
  const userId = proven._id;
  if (data.waiting) await Session.updateMany({ userId }, { $unset: { "data.waiting": 1 } });
  const createdAt = new Date();
  const used = clientFields(client, createdAt);
  const created = { _id, userId, createdAt, ...used, data, expiresAt };
  await inTransaction(async (session) => {
    if (!(await claimProven(proven, session))) throw new ServiceError(400, accountTexts.logInAgain);
    await Session.create([created], { session });
  });
  await Promise.all([endOldest(userId), noteClient(userId, client)]);
  return _id;
}

async function noteClient(userId: Types.ObjectId, { clientAddress, network }: SessionClient) {
  if (clientAddress && network) await noteNetwork(userId, clientAddress);
}

async function endOldest(userId: Types.ObjectId): Promise<void> {
  const oldest = await Session.find({ userId }, "_id")
    .sort({ lastUsedAt: -1 })
    .skip(SESSIONS_PER_USER)
    .limit(SESSIONS_PER_USER)
    .lean<{ _id: string }[]>();
  if (oldest.length > 0) await Session.deleteMany({ _id: { $in: oldest.map(({ _id }) => _id) } });
}

/** Returns a stored session, with its user unless nobody may act as them; null when it has ended or expired. */
export async function readSession(
  id: string,
  client: SessionClient = {},
): Promise<(StoredSession & { user?: CurrentUser }) | null> {
  const now = new Date();
  // One command, because every request of a user waits for it.
  const [session] = await Session.aggregate<
    SessionDocument & { users: UserDocument[]; operators: unknown[] }
  >([
    // The database clears expired sessions about once a minute only.
    { $match: { _id: id, expiresAt: { $gt: now } } },
    joinById(User, "userId", "users"),
    joinById(Operator, "userId", "operators"),
    // A platform may keep more of a user than is wanted here.
    {
      $project: {
        userId: 1,
        lastUsedAt: 1,
        data: 1,
        "operators._id": 1,
        "users._id": 1,
        ...Object.fromEntries(ACTIVE_FIELDS.map((field) => [`users.${field}`, 1])),
      },
    },
  ]);
  if (!session) return null;
  const { userId, lastUsedAt, data, users, operators } = session;
  if (!userId) return { ...data };
  if (now.getTime() - (lastUsedAt?.getTime() ?? 0) > LAST_USED_MS)
    await Promise.all([
      Session.updateOne({ _id: id }, { $set: clientFields(client, now) }),
      noteClient(userId, client),
    ]);
  const [user] = users;
  if (user) readUser(user);
  const active = activeUser(user);
  const isOperator = operators.length > 0;
  return {
    ...data,
    userId: userId.toString(),
    user: active ? { ...active, isOperator } : undefined,
  };
}

/** Updates a session; one that was ended meanwhile stays ended. */
export async function updateSession(id: string, { userId: _, ...data }: StoredSession) {
  await Session.updateOne({ _id: id }, { $set: { data } });
}

export async function deleteSession(id: string): Promise<void> {
  await Session.deleteOne({ _id: id });
}

/** Lists a user's log-ins: `presentId` first and the last used ones after it, up to 100. */
export async function listSessions(user: Caller, presentId: string): Promise<SessionInfo[]> {
  const sessions = await findSessions(user);
  return sessions
    .map((session) => ({ ...toSessionInfo(session), present: session._id === presentId }))
    .sort((a, b) => Number(b.present) - Number(a.present));
}

export type SessionInfo = ReturnType<typeof toSessionInfo> & { present: boolean };

/** The times are in ISO 8601; null for a session from before they were stored. */
const toSessionInfo = ({ _id, browser, createdAt, lastUsedAt }: SessionDocument) => ({
  // Names the session, and is of no use to log in: the real id stays secret.
  id: sha256(_id),
  browser: browser ?? null,
  createdAt: createdAt?.toISOString() ?? null,
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});

export const countSessions = (userId: Types.ObjectId) =>
  Session.countDocuments({ userId, expiresAt: { $gt: new Date() } });

function findSessions(user: Caller): Promise<SessionDocument[]> {
  return Session.find({ userId: toObjectId(user.id), expiresAt: { $gt: new Date() } })
    .sort({ lastUsedAt: -1 })
    .limit(SESSIONS_PER_USER)
    .lean<SessionDocument[]>();
}

/** False when there is no such log-in. */
export async function endSessionOf(user: Caller, id: string): Promise<boolean> {
  await writes.consume(user.id);
  const session = (await findSessions(user)).find(({ _id }) => sha256(_id) === id);
  if (!session) return false;
  const { deletedCount } = await Session.deleteOne({ _id: session._id, userId: session.userId });
  return deletedCount > 0;
}

export async function endOtherSessions(user: Caller, presentId: string): Promise<void> {
  await writes.consume(user.id);
  await Session.deleteMany({ userId: toObjectId(user.id), _id: { $ne: presentId } });
}

interface EndOptions {
  keepTokens?: boolean;
}
type Ended = Promise<{ logIns: number; tokens: number }>;

/**
 * Ends a user's sessions, links and, unless they are kept, access tokens. Returns how many log-ins and tokens there
 * were.
 */
export async function endAccess(
  userId: Types.ObjectId,
  session: ClientSession,
  options?: EndOptions,
): Ended {
  await claimAccess(userId, session);
  return endClaimedAccess(userId, session, options);
}

/** The same in a transaction that has claimed the user's access already. */
export async function endClaimedAccess(
  userId: Types.ObjectId,
  session: ClientSession,
  { keepTokens = false }: EndOptions = {},
): Ended {
  await EmailLink.deleteMany({ userId }, { session });
  const { deletedCount: logIns } = await Session.deleteMany({ userId }, { session });
  const { deletedCount: tokens } = keepTokens
    ? { deletedCount: 0 }
    : await AccessToken.deleteMany({ userId }, { session });
  await forgetNetworks(userId, session);
  return { logIns, tokens };
}

export const logOutEverywhere = ({ _id }: { _id: Types.ObjectId }) =>
  inTransaction((session) => endAccess(_id, session));
