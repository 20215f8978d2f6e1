import { createHash, randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import AsyncLock from "async-lock";
import { mongo, Types } from "mongoose";
import { z } from "zod";
import { AccessToken, type AccessTokenDocument } from "../../../models/access-token";
import { Session } from "../../../models/session";
import { EMAIL_COLLATION, User, type UserDocument } from "../../../models/user";
import { inTransaction } from "../../infra/database.server";
import { FormError, ServiceError } from "../../infra/errors.server";
import { toObjectId } from "../../infra/ids.server";
import { failedLogins, signUps, wrongPasswords, writes } from "../../infra/rate-limits.server";

/** Lengths that forms of accounts take, in characters. */
export const NAME_MAX_LENGTH = 80;
export const EMAIL_MAX_LENGTH = 254;
export const PASSWORD_MIN_LENGTH = 10;
export const PASSWORD_MAX_LENGTH = 200;

/** The current user as routes and services pass it around. */
export interface CurrentUser {
  id: string;
  name: string;
  email: string;
  image: string | null;
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

export const WRONG_LOGIN = "The e-mail address or the password is wrong.";
export const WRONG_PASSWORD = "The password is wrong.";
export const EMAIL_TAKEN =
  "There is already an account with this e-mail address. Log in, or use another address.";

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

/** The parsed form. Throws `FormError` with one text for every field that is refused. */
export function parseForm<Schema extends z.ZodType>(
  schema: Schema,
  form: z.input<Schema>,
): z.output<Schema> {
  const result = schema.safeParse(form);
  if (result.success) return result.data;
  const fields: Record<string, string> = {};
  for (const { path, message } of result.error.issues) fields[String(path[0])] ??= message;
  throw new FormError(fields);
}

/** Characters as a person counts them: an emoji of two UTF-16 units is one. */
const length = (text: string) => [...text].length;

/** What somebody or something is called, on one line; `what` is how a refusal names it. */
export const nameField = (what: string) =>
  z
    .string()
    .transform((value) => value.replace(/[\s\p{Cc}]+/gu, " ").trim())
    // Invisible characters alone are no name.
    .refine((value) => /[^\p{C}\p{Z}]/u.test(value), { error: `Enter ${what}.` })
    .refine((value) => length(value) <= NAME_MAX_LENGTH, {
      error: `Enter ${what} in at most ${NAME_MAX_LENGTH} characters.`,
    });

const emailField = z
  .string()
  .trim()
  .pipe(
    z
      .email({ error: "Enter an e-mail address, such as name@example.com." })
      .max(EMAIL_MAX_LENGTH, `Enter an address of at most ${EMAIL_MAX_LENGTH} characters.`),
  );

/** A password to be; it can be none of the `known` texts, which are the first that others try. */
const newPasswordField = (known: string[]) =>
  z
    .string()
    .refine((value) => length(value) >= PASSWORD_MIN_LENGTH, {
      error: `Choose a password of at least ${PASSWORD_MIN_LENGTH} characters.`,
    })
    .refine((value) => length(value) <= PASSWORD_MAX_LENGTH, {
      error: `Choose a password of at most ${PASSWORD_MAX_LENGTH} characters.`,
    })
    .refine((value) => !known.some((text) => folded(text) === folded(value)), {
      error: "Choose a password that is not your name or your e-mail address.",
    });

const folded = (text: string) => text.trim().toLowerCase();

/**
 * Makes an account for a client at that address. Throws `FormError` with every refused field's text,
 * a taken address included, and `RateLimitError`.
 */
export async function signUp(
  form: { name: string; email: string; password: string },
  clientAddress: string,
): Promise<CurrentUser> {
  const schema = z.object({
    name: nameField("your name"),
    email: emailField,
    password: newPasswordField([form.name, form.email]),
  });
  const { name, email, password } = parseForm(schema, form);
  await signUps.consume(clientAddress);
  const passwordHash = await hashPassword(password);
  const user = { _id: new Types.ObjectId(), name, email, image: null, passwordHash };
  try {
    await User.create(user);
  } catch (error) {
    // The unique index decides, also between two that sign up at once.
    if (error instanceof mongo.MongoServerError && error.code === 11000)
      throw new FormError({ email: EMAIL_TAKEN });
    throw error;
  }
  return toCurrentUser(user);
}

/**
 * The user of that address and password, for a client whose failed log-ins are counted too. Throws
 * `ServiceError` as `verifyLogin` does, and `RateLimitError` 429.
 */
export async function logIn(
  email: string,
  password: string,
  clientAddress: string,
): Promise<CurrentUser> {
  await failedLogins.check(clientAddress);
  try {
    return await verifyLogin(email, password);
  } catch (error) {
    // Counted only now, so that many who log in together behind one address are not refused.
    if (error instanceof ServiceError) await failedLogins.consume(clientAddress);
    throw error;
  }
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
  if (!(await isPasswordOf(account, user, password)) || !user)
    throw new ServiceError(400, WRONG_LOGIN);
  return toCurrentUser(user);
}

/**
 * The stored user, whose password that is. Throws `FormError` at `field` when it is another one, and
 * `ServiceError` after too many: wrong ones are counted together with those of log-ins.
 */
export async function requirePassword(
  userId: string,
  password: string,
  field: string,
): Promise<UserDocument> {
  const user = await User.findById(toObjectId(userId)).lean<UserDocument>();
  if (!(await isPasswordOf(userId, user, password)) || !user)
    throw new FormError({ [field]: WRONG_PASSWORD });
  return user;
}

// One attempt at a time for each account, so that a few right ones together are not taken for wrong ones.
const attempts = new AsyncLock({ maxPending: 500 });

/** Whether the password is the user's; throws `ServiceError` when that was asked too often lately. */
function isPasswordOf(
  account: string,
  user: UserDocument | null,
  password: string,
): Promise<boolean> {
  return attempts.acquire(account, () => attempt(account, user, password));
}

async function attempt(
  account: string,
  user: UserDocument | null,
  password: string,
): Promise<boolean> {
  // Counted before the check: otherwise attempts sent at once, to several processes, would all be checked.
  await wrongPasswords.consume(account);
  decoy ??= hashPassword(randomBytes(16).toString("hex"));
  const right = await verify(user?.passwordHash ?? (await decoy), password).catch(() => false);
  if (right) await wrongPasswords.forget(account);
  return right;
}

/**
 * Gives the user another password and ends all log-ins of the old one; the caller starts a new one.
 * Throws `FormError`, and `ServiceError` after too many wrong passwords.
 */
export async function changePassword(
  user: CurrentUser,
  form: { currentPassword: string; newPassword: string },
): Promise<void> {
  const schema = z.object({
    currentPassword: z.string().min(1, "Enter your current password."),
    newPassword: newPasswordField([user.name, user.email]),
  });
  const { currentPassword, newPassword } = parseForm(schema, form);
  await writes.consume(user.id);
  const { _id, passwordHash } = await requirePassword(user.id, currentPassword, "currentPassword");
  const newHash = await hashPassword(newPassword);
  await inTransaction(async (session) => {
    // The proven password stands here too: another change may have come first.
    const { matchedCount } = await User.updateOne(
      { _id, passwordHash },
      { $set: { passwordHash: newHash } },
      { session },
    );
    if (matchedCount === 0) throw new FormError({ currentPassword: WRONG_PASSWORD });
    await Session.deleteMany({ userId: _id }, { session });
  });
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

/** A personal access token as its owner sees it after the first time. */
export interface TokenInfo {
  id: string;
  name: string;
  /** ISO 8601, UTC, as is the next one. */
  createdAt: string;
  lastUsedAt: string | null;
}

/**
 * Makes a personal access token for the user of that address and gives it, for the only time.
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
 * Makes a personal access token for the user and gives it, for the only time. Throws `FormError`
 * when the name will not do.
 */
export async function createTokenFor(
  user: { id: string },
  form: { tokenName: string },
): Promise<string> {
  const { tokenName } = parseForm(z.object({ tokenName: nameField("a name for the token") }), form);
  await writes.consume(user.id);
  return storeToken(new Types.ObjectId(user.id), tokenName);
}

async function storeToken(userId: Types.ObjectId, name: string): Promise<string> {
  const token = TOKEN_PREFIX + randomBytes(32).toString("base64url");
  await AccessToken.create({ userId, name, hash: sha256(token), createdAt: new Date() });
  return token;
}

/** The user's personal access tokens, newest first. */
export async function listTokens(user: { id: string }): Promise<TokenInfo[]> {
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

/** Makes a token of the user's own nobody's; gives its name, or null when the user has no such token. */
export async function revokeToken(user: { id: string }, tokenId: string): Promise<string | null> {
  const id = toObjectId(tokenId);
  if (!id) return null;
  await writes.consume(user.id);
  const own = { _id: id, userId: toObjectId(user.id) };
  const token = await AccessToken.findOne(own, "name").lean<AccessTokenDocument>();
  const { deletedCount } = await AccessToken.deleteOne(own);
  return token && deletedCount > 0 ? token.name : null;
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
