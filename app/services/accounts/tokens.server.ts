import { randomBytes } from "node:crypto";
import { Types } from "mongoose";
import { z } from "zod";
import { AccessToken, type AccessTokenDocument } from "../../../models/access-token";
import { EMAIL_COLLATION, User, type UserDocument } from "../../../models/user";
import { sha256 } from "../../infra/digest.server";
import { ServiceError } from "../../infra/errors.server";
import { toObjectId } from "../../infra/ids.server";
import type { Caller } from "../caller.server";
import { writes } from "../limits.server";
import { parseInput } from "../../infra/validation.server";
import { nameField } from "./fields.server";
import { type CurrentUser, findUser } from "./users.server";

const TOKEN_PREFIX = "trv_";

/** A personal access token as its owner sees it after the first time. */
export interface TokenInfo {
  id: string;
  name: string;
  /** ISO 8601, UTC, as is the next one. */
  createdAt: string;
  lastUsedAt: string | null;
}

/**
 * Creates a personal access token for the user of that address and returns it, for the only time.
 * Throws `ServiceError` 404 when there is no such user.
 */
export async function createToken(email: string, name: string): Promise<string> {
  const user = await User.findOne({ email: email.trim() })
    .collation(EMAIL_COLLATION)
    .lean<UserDocument>();
  if (!user) throw new ServiceError(404, `There is no user with the e-mail address ${email}`);
  return storeToken(user._id, name);
}

/**
 * Creates a personal access token for the caller and returns it, for the only time. Throws `FormError`
 * when the name is refused.
 */
export async function createTokenFor(user: Caller, form: { tokenName: string }): Promise<string> {
  const { tokenName } = parseInput(
    z.object({ tokenName: nameField("a name for the token") }),
    form,
  );
  await writes.consume(user.id);
  return storeToken(new Types.ObjectId(user.id), tokenName);
}

async function storeToken(userId: Types.ObjectId, name: string): Promise<string> {
  const token = TOKEN_PREFIX + randomBytes(32).toString("base64url");
  await AccessToken.create({ userId, name, hash: sha256(token), createdAt: new Date() });
  return token;
}

/** The user's personal access tokens, newest first. */
export async function listTokens(user: Caller): Promise<TokenInfo[]> {
  const tokens = await AccessToken.find({ userId: toObjectId(user.id) })
    .sort({ createdAt: -1, _id: -1 })
    .lean<AccessTokenDocument[]>();
  return tokens.map(({ _id, name, createdAt, lastUsedAt }) => ({
    id: _id.toString(),
    name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }));
}

/** Revokes one of the user's tokens; returns its name, or null when the user has no such token. */
export async function revokeToken(user: Caller, tokenId: string): Promise<string | null> {
  const id = toObjectId(tokenId);
  if (!id) return null;
  await writes.consume(user.id);
  const own = { _id: id, userId: toObjectId(user.id) };
  const token = await AccessToken.findOne(own, "name").lean<AccessTokenDocument>();
  const { deletedCount } = await AccessToken.deleteOne(own);
  return token && deletedCount > 0 ? token.name : null;
}

/** How exact "last used" is, in milliseconds: within it a busy client causes one write. */
const LAST_USED_MS = 60_000;

/** The user whose personal access token that is, or null. */
export async function findUserByToken(token: string): Promise<CurrentUser | null> {
  if (!token.startsWith(TOKEN_PREFIX)) return null;
  const found = await AccessToken.findOne({ hash: sha256(token) }).lean<AccessTokenDocument>();
  if (!found) return null;
  const now = Date.now();
  if (now - (found.lastUsedAt?.getTime() ?? 0) > LAST_USED_MS)
    await AccessToken.updateOne({ _id: found._id }, { $set: { lastUsedAt: new Date(now) } });
  return findUser(found.userId.toString());
}
