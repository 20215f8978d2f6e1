import { randomBytes } from "node:crypto";
import type { ClientSession, Types } from "mongoose";
import { z } from "zod";
import { AccessToken, type AccessTokenDocument } from "#models/access-token";
import { NO_ID } from "#models/reading";
import { DAY_MS, MINUTE_MS } from "~/lib/durations";
import { sha256 } from "~/lib/digest.server";
import { FormError, ServiceError } from "~/lib/errors.server";
import { toObjectId } from "~/db/ids.server";
import { inTransaction } from "~/db/transaction.server";
import { writes } from "~/db/limits.server";
import { type CursorPage, cutPage, reviewCursor } from "~/db/cursor.server";
import { parseInput } from "~/lib/validation.server";
import { notifications } from "~/mail/delivery.server";
import { requirePassword } from "~/accounts/log-in/passwords.server";
import { accountTexts } from "~/accounts/refusal-texts";
import { claimProven } from "./access.server";
import { currentPasswordField, nameField, type Proof } from "./fields.server";
import { queueAccountMail } from "./account-mails.server";
import type { Caller } from "./caller.server";
import {
  DEFAULT_LIFETIME,
  TOKEN_LIFETIMES,
  TOKENS_PER_PAGE,
  TOKENS_PER_USER,
} from "./token-limits";
import { type CurrentUser, findUser, requireUserByEmail } from "./users.server";

const TOKEN_PREFIX = "trv_";

const tokenNameField = nameField("a name for the token");

const LIFETIMES = Object.keys(TOKEN_LIFETIMES) as (keyof typeof TOKEN_LIFETIMES)[];

const LISTED_TOKENS = 200;

export type TokenInfo = ReturnType<typeof toTokenInfo>;

/** The times are in ISO 8601, UTC; null for never. */
export const toTokenInfo = (token: AccessTokenDocument) => ({
  id: token._id.toString(),
  name: token.name,
  createdAt: token.createdAt.toISOString(),
  lastUsedAt: token.lastUsedAt?.toISOString() ?? null,
  expiresAt: token.expiresAt?.toISOString() ?? null,
});

/**
 * Returns the token, for the only time, for an operator: its owner is sent nothing. Throws `ServiceError` 404 when
 * there is no such user, `FormError` when the name is refused or they have too many.
 */
export async function createToken(
  email: string,
  name: string,
  expiresAt: Date | null = null,
): Promise<string> {
  const { tokenName } = parseInput(z.object({ tokenName: tokenNameField }), { tokenName: name });
  const { _id } = await requireUserByEmail(email);
  return storeToken(_id, tokenName, expiresAt, new Date());
}

interface TokenForm {
  tokenName: string;
  expiry?: string | undefined;
  currentPassword: Proof;
}

/**
 * Returns the token, for the only time, and tells the user by e-mail; `expiry` is one of `TOKEN_LIFETIMES`. Throws
 * `FormError` and `RateLimitError`.
 */
export async function createTokenFor(user: Caller, form: TokenForm): Promise<string> {
  const schema = z.object({
    tokenName: tokenNameField,
    expiry: z
      .enum(LIFETIMES, { error: "Choose how long the token is valid." })
      .default(DEFAULT_LIFETIME),
    currentPassword: currentPasswordField,
  });
  const { tokenName, expiry, currentPassword } = parseInput(schema, form);
  await writes.consume(user.id);
  const owner = await requirePassword(user.id, currentPassword, "currentPassword");
  const { days } = TOKEN_LIFETIMES[expiry];
  const now = new Date();
  const expiresAt = days && new Date(now.getTime() + days * DAY_MS);
  const andThen = async (session: ClientSession) => {
    if (!(await claimProven(owner, session)))
      throw new FormError({ currentPassword: accountTexts.wrongPassword });
    await queueAccountMail("tokenCreated", owner, { tokenName, expiresAt }, session);
  };
  const token = await storeToken(owner._id, tokenName, expiresAt, now, { andThen });
  notifications.wake();
  return token;
}

/**
 * Returns a token of the platform's own programs, for the only time; it belongs to no user. Throws `FormError` when the
 * name is refused or there are too many.
 */
export async function createServiceToken(
  name: string,
  expiresAt: Date | null = null,
): Promise<string> {
  const { tokenName } = parseInput(z.object({ tokenName: tokenNameField }), { tokenName: name });
  return storeToken(NO_ID, tokenName, expiresAt, new Date(), { service: true });
}

async function storeToken(
  userId: Types.ObjectId,
  name: string,
  expiresAt: Date | null,
  now: Date,
  {
    service,
    andThen = async () => {},
  }: { service?: true; andThen?: (session: ClientSession) => Promise<void> } = {},
): Promise<string> {
  const tooMany = new FormError({ tokenName: accountTexts.tooManyTokens });
  if ((await countValidTokens(userId, now)) >= TOKENS_PER_USER) throw tooMany;
  const token = TOKEN_PREFIX + randomBytes(32).toString("base64url");
  const hash = sha256(token);
  const stored = { userId, service, name, hash, createdAt: now, expiresAt: expiresAt ?? undefined };
  await inTransaction(async (session) => {
    await AccessToken.create([stored], { session });
    await andThen(session);
  });
  // Counted again, since others may have been created at the same moment.
  if ((await countValidTokens(userId, now)) <= TOKENS_PER_USER) return token;
  await AccessToken.deleteOne({ hash });
  throw tooMany;
}

export const countValidTokens = (userId: Types.ObjectId, now: Date) =>
  // Tokens without an expiry are valid, too.
  AccessToken.countDocuments({ userId, expiresAt: { $not: { $lte: now } } });

/** Newest first, with those that expired within the last 30 days. A malformed cursor `after` is the first page. */
export async function listTokens(
  user: Caller,
  after: string | null = null,
): Promise<CursorPage<TokenInfo>> {
  // All of them, unless operators have made many for a few days: 50 are valid, and expired ones stay for 30 days.
  const tokens = await AccessToken.find({ userId: toObjectId(user.id) })
    .sort({ createdAt: -1, _id: -1 })
    .limit(LISTED_TOKENS)
    .lean<AccessTokenDocument[]>();
  const { rows, next } = cutPage(tokens, {
    place: reviewCursor.decode(after),
    size: TOKENS_PER_PAGE,
  });
  return { items: rows.map(toTokenInfo), next };
}

/** Returns the token's name; null when the user has no such token. */
export async function revokeToken(user: Caller, tokenId: string): Promise<string | null> {
  const _id = toObjectId(tokenId);
  if (!_id) return null;
  await writes.consume(user.id);
  const own = { _id, userId: toObjectId(user.id) };
  const token = await AccessToken.findOne(own, "name").lean<AccessTokenDocument>();
  const { deletedCount } = await AccessToken.deleteOne(own);
  return token && deletedCount > 0 ? token.name : null;
}

/** Revokes anybody's token, for an operator. Throws `ServiceError` 404 when there is none of that id. */
export async function revokeTokenById(tokenId: string): Promise<{ name: string; userId: string }> {
  const _id = toObjectId(tokenId);
  const token = _id && (await AccessToken.findByIdAndDelete(_id).lean<AccessTokenDocument>());
  if (!token) throw new ServiceError(404, `There is no access token ${tokenId}`);
  return { name: token.name, userId: token.userId.toString() };
}

/** The time of the last use is written at most once within it. */
const LAST_USED_MS = MINUTE_MS;

export async function findUserByToken(token: string): Promise<CurrentUser | null> {
  const found = await findValid(token);
  if (!found || found.service) return null;
  const [user] = await Promise.all([findUser(found.userId.toString()), noteUse(found)]);
  return user;
}

/** Returns the id of a service token; null for any other one. */
export async function findServiceToken(token: string): Promise<string | null> {
  const found = await findValid(token);
  if (!found?.service) return null;
  await noteUse(found);
  return found._id.toString();
}

async function findValid(token: string): Promise<AccessTokenDocument | null> {
  if (!token.startsWith(TOKEN_PREFIX)) return null;
  const found = await AccessToken.findOne({ hash: sha256(token) }).lean<AccessTokenDocument>();
  // A token with a malformed expiry is refused.
  const expiry: unknown = found?.expiresAt ?? null;
  return expiry === null || (expiry instanceof Date && expiry > new Date()) ? found : null;
}

async function noteUse({ _id, lastUsedAt }: AccessTokenDocument): Promise<void> {
  const now = new Date();
  const isStale = now.getTime() - (lastUsedAt?.getTime() ?? 0) > LAST_USED_MS;
  if (isStale) await AccessToken.updateOne({ _id }, { $set: { lastUsedAt: now } });
}
