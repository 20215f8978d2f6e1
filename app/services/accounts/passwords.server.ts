import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import AsyncLock from "async-lock";
import { z } from "zod";
import { Session } from "../../../models/session";
import { User, type UserDocument } from "../../../models/user";
import { inTransaction } from "../../infra/transaction.server";
import { FormError } from "../../infra/errors.server";
import { toObjectId } from "../../infra/ids.server";
import { writes, wrongPasswords } from "../limits.server";
import { parseInput } from "../../infra/validation.server";
import { newPasswordField } from "./fields.server";
import type { CurrentUser } from "./users.server";

export const WRONG_PASSWORD = "The password is wrong.";

/** A hash that no password matches, so that an unknown address takes as long as a wrong password. */
let dummyHash: Promise<string> | undefined;

/** Hashes a password with argon2id (the library's default), as a PHC string; OWASP's parameters: 19 MiB, 2 passes. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, {
    memoryCost: 19_456,
    timeCost: 2,
    parallelism: 1,
  });
}

/**
 * Returns the stored user when the password is theirs. Throws `FormError` at `field` when it is not, and
 * `RateLimitError` 400 after too many wrong ones, which are counted together with those of log-ins.
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

/** Whether the password is the user's; throws `RateLimitError` 400 after too many wrong ones. */
export function isPasswordOf(
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
  dummyHash ??= hashPassword(randomBytes(16).toString("hex"));
  const right = await verify(user?.passwordHash ?? (await dummyHash), password).catch(() => false);
  if (right) await wrongPasswords.reset(account);
  return right;
}

/**
 * Changes the user's password and ends all their log-ins; the route starts a new one. Throws
 * `FormError`, and `RateLimitError` 400 after too many wrong passwords.
 */
export async function changePassword(
  user: CurrentUser,
  form: { currentPassword: string; newPassword: string },
): Promise<void> {
  const schema = z.object({
    currentPassword: z.string().min(1, "Enter your current password."),
    newPassword: newPasswordField([user.name, user.email]),
  });
  const { currentPassword, newPassword } = parseInput(schema, form);
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
