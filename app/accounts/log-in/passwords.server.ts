import { z } from "zod";
import { Session } from "#models/session";
import { User, type UserDocument } from "#models/user";
import { countBefore } from "~/db/rate-limits.server";
import { inTransaction } from "~/db/transaction.server";
import { env } from "~/infra/env.server";
import { FormError } from "~/infra/errors.server";
import { toObjectId } from "~/db/ids.server";
import { ownWrongPasswords, writes } from "~/db/limits.server";
import { parseInput } from "~/infra/validation.server";
import { wakeNotifications } from "~/mail/delivery.server";
import { queueAccountMail } from "~/accounts/account-mails.server";
import { endLinksOf } from "~/accounts/email-links.server";
import { currentPasswordField, newPasswordField } from "~/accounts/fields.server";
import type { CurrentUser } from "~/accounts/users.server";
import { oneAttemptAtATime } from "./attempts.server";
import { hashPassword, hasPassword, isPasswordOf } from "./hashing.server";
import { forgetNetworks } from "./known-networks.server";

export const WRONG_PASSWORD = "The password is wrong.";

/** Of an account that a platform or an import has made, perhaps with a hash that is not argon2. */
export const NO_PASSWORD =
  "Your account has no password here yet. Open the page /reset for a link to set one.";

/** An account that a platform or an import has made may have none. */
export async function hasOwnPassword(userId: string): Promise<boolean> {
  const user = await User.findById(toObjectId(userId), "passwordHash").lean<UserDocument>();
  return hasPassword(user?.passwordHash ?? null);
}

/**
 * Throws `FormError` at `field` when the password is wrong or there is none, and `RateLimitError` 400 after too many
 * wrong ones, which are counted separately from those of log-ins: anybody can send these.
 */
export async function requirePassword(
  userId: string,
  password: string,
  field: string,
): Promise<UserDocument> {
  return oneAttemptAtATime([userId], () => provePassword(userId, password, field));
}

async function provePassword(userId: string, password: string, field: string) {
  const user = await User.findById(toObjectId(userId)).lean<UserDocument>();
  if (user && !hasPassword(user.passwordHash)) throw new FormError({ [field]: NO_PASSWORD });
  const isRight = await countBefore([[ownWrongPasswords, userId]], () =>
    isPasswordOf(user?.passwordHash, password),
  );
  if (!isRight || !user) throw new FormError({ [field]: WRONG_PASSWORD });
  await ownWrongPasswords.reset(userId);
  return user;
}

/**
 * Ends all log-ins and links, and tells the user by e-mail; the route starts a new log-in. Throws `FormError`, and
 * `RateLimitError` after too many wrong passwords.
 */
export async function changePassword(
  user: CurrentUser,
  form: { currentPassword: string; newPassword: string },
): Promise<void> {
  const schema = z.object({
    currentPassword: currentPasswordField,
    newPassword: newPasswordField([user.name, user.email]),
  });
  const { currentPassword, newPassword } = parseInput(schema, form);
  await writes.consume(user.id);
  await oneAttemptAtATime([user.id], () => replacePassword(user, currentPassword, newPassword));
  wakeNotifications();
}

async function replacePassword(user: CurrentUser, currentPassword: string, newPassword: string) {
  const { _id, passwordHash } = await provePassword(user.id, currentPassword, "currentPassword");
  const newHash = await hashPassword(newPassword);
  const { appUrl } = env();
  await inTransaction(async (session) => {
    // The proven password stands here too: another change may have come first.
    const { matchedCount } = await User.updateOne(
      { _id, passwordHash },
      { $set: { passwordHash: newHash } },
      { session },
    );
    if (matchedCount === 0) throw new FormError({ currentPassword: WRONG_PASSWORD });
    await Session.deleteMany({ userId: _id }, { session });
    await endLinksOf(_id, session);
    await forgetNetworks(_id, session);
    const inputs = { name: user.name, appUrl, tokensRevoked: false };
    await queueAccountMail("passwordChanged", user, inputs, session);
  });
}
