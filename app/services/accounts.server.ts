import { createHash, randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import AsyncLock from "async-lock";
import mongoose from "mongoose";
import { RateLimiterMongo, RateLimiterRes } from "rate-limiter-flexible";
import { AccessToken, type AccessTokenDocument } from "../../models/access-token";
import { EMAIL_COLLATION, User, type UserDocument } from "../../models/user";
import { ServiceError } from "./errors.server";
import { toObjectId } from "./ids.server";

/** Wrong passwords that an account takes within `LOCKOUT_MS` before it makes everyone wait. */
export const WRONG_PASSWORDS = 5;
export const LOCKOUT_MS = 15 * 60 * 1_000;

/** The current user as routes and services pass it around. */
export interface CurrentUser {
  id: string;
  name: string;
  email: string;
  image: string | null;
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

export const WRONG_LOGIN = "The e-mail address or the password is wrong.";

/** A hash that no password has, so that an unknown address takes as long as a wrong password. */
let decoy: Promise<string> | undefined;

/** Hashes a password with argon2id (the library's default), as a PHC string; OWASP's parameters: 19 MiB, 2 passes. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, {
    memoryCost: 19_456,
    timeCost: 2,
    parallelism: 1,
  });
}

/**
 * The user of that address and password. Throws `ServiceError` 400 with a text for the log-in form:
 * wrong pair, or too many wrong passwords lately.
 */
export async function verifyLogin(email: string, password: string): Promise<CurrentUser> {
  const user = await User.findOne({ email: email.trim() })
    .collation(EMAIL_COLLATION)
    .lean<UserDocument>();
  // By id: the database finds one account under more spellings than letter case explains.
  const account = user?._id.toString() ?? sha256(email.trim().toLowerCase());
  return attempts.acquire(account, () => attemptLogin(account, user, password));
}

// One attempt at a time for each account, so that a few right ones together are not taken for wrong ones.
const attempts = new AsyncLock({ maxPending: 500 });

async function attemptLogin(
  account: string,
  user: UserDocument | null,
  password: string,
): Promise<CurrentUser> {
  const limiter = wrongPasswords();
  // Counted before the check: otherwise attempts sent at once, to several processes, would all be checked.
  await limiter.consume(account).catch((refusal: unknown) => {
    throw refusal instanceof RateLimiterRes ? tooMany(refusal) : refusal;
  });
  decoy ??= hashPassword(randomBytes(16).toString("hex"));
  const right = await verify(user?.passwordHash ?? (await decoy), password).catch(() => false);
  if (!user || !right) throw new ServiceError(400, WRONG_LOGIN);
  await limiter.delete(account);
  return toCurrentUser(user);
}

// Made at the first log-in, when the connection that it stores in is there.
let limiter: RateLimiterMongo | undefined;
const wrongPasswords = () =>
  (limiter ??= new RateLimiterMongo({
    storeClient: mongoose.connection.getClient(),
    dbName: mongoose.connection.db!.databaseName,
    tableName: "rateLimits",
    keyPrefix: "login",
    points: WRONG_PASSWORDS,
    duration: LOCKOUT_MS / 1_000,
    disableIndexesCreation: true,
  }));

/** Builds the indexes that counting wrong passwords needs; awaited before the server listens. */
export async function prepareLogin(): Promise<void> {
  await wrongPasswords().createIndexes();
}

function tooMany(limit: RateLimiterRes): ServiceError {
  const minutes = Math.max(1, Math.ceil(limit.msBeforeNext / 60_000));
  return new ServiceError(
    400,
    `Too many wrong passwords for this account. Please wait ${minutes} ${minutes === 1 ? "minute" : "minutes"} and try again.`,
  );
}

/** Whether a user has that e-mail address. */
export async function hasUser(email: string): Promise<boolean> {
  return (await User.exists({ email }).collation(EMAIL_COLLATION)) !== null;
}

/** The user of that id, or null. */
export async function findUser(userId: string): Promise<CurrentUser | null> {
  const id = toObjectId(userId);
  const user = id && (await User.findById(id).lean<UserDocument>());
  return user ? toCurrentUser(user) : null;
}

const TOKEN_PREFIX = "trv_";

/**
 * Makes a personal access token for the user of that address and gives it, for the only time.
 * Throws `ServiceError` 404 when there is no such user.
 */
export async function createToken(email: string, name: string): Promise<string> {
  const user = await User.findOne({ email: email.trim() })
    .collation(EMAIL_COLLATION)
    .lean<UserDocument>();
  if (!user) throw new ServiceError(404, `There is no user with the e-mail address ${email}`);
  const token = TOKEN_PREFIX + randomBytes(32).toString("base64url");
  await AccessToken.create({
    userId: user._id,
    name,
    hash: sha256(token),
    createdAt: new Date(),
  });
  return token;
}

/** How exact "last used" is, in milliseconds: a busy client costs one write in this time. */
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

function toCurrentUser(user: UserDocument): CurrentUser {
  return {
    id: user._id.toString(),
    name: user.name,
    email: user.email,
    image: user.image ?? null,
  };
}
