import type { ClientSession } from "mongoose";
import { z } from "zod";
import { User, type UserDocument } from "#models/user";
import { countBefore } from "~/db/rate-limits.server";
import { inTransaction } from "~/db/transaction.server";
import { FormError } from "~/lib/errors.server";
import { toObjectId } from "~/db/ids.server";
import { ownWrongPasswords, rightPasswords } from "~/accounts/limits.server";
import { writes } from "~/db/limits.server";
import { parseInput } from "~/lib/validation.server";
import { notifications } from "~/mail/delivery.server";
import { queueAccountMail } from "~/accounts/account-mails.server";
import {
  currentPasswordField,
  PlatformLogIn,
  newPasswordField,
  type Proof,
} from "~/accounts/fields.server";
import type { CurrentUser, ProvenUser } from "~/accounts/users.server";
import { accountTexts } from "~/accounts/refusal-texts";
import { oneAttemptAtATime } from "./attempts.server";
import { hashPassword, hasPassword, verifyPassword } from "./hashing.server";
import { endAccess } from "./sessions.server";

/** False for an account of a platform or an import that has none, or a hash that is not argon2. */
export async function hasOwnPassword(userId: string): Promise<boolean> {
  const user = await User.findById(toObjectId(userId), "passwordHash").lean<UserDocument>();
  return hasPassword(user?.passwordHash ?? null);
}

/**
 * Re-authenticates a user. Returns the account, which the change that follows claims (`claimProven`). Throws
 * `FormError` at `field` when the password is wrong or there is none, and `RateLimitError` 400 after too many wrong
 * ones, which are counted separately from those of log-ins: anybody can send these.
 */
export const requirePassword = (userId: string, proof: Proof, field: string) =>
  oneAttemptAtATime([userId], () => provePassword(userId, proof, field));

async function provePassword(
  userId: string,
  proof: Proof,
  field: string,
): Promise<UserDocument & ProvenUser> {
  const user = await User.findById(toObjectId(userId)).lean<UserDocument>();
  if (user && proof instanceof PlatformLogIn) return { ...user, sessionId: proof.sessionId };
  if (user && !hasPassword(user.passwordHash))
    throw new FormError({ [field]: accountTexts.noPassword });
  const isRight =
    typeof proof === "string" &&
    (await countBefore([[ownWrongPasswords, userId]], () =>
      verifyPassword(user?.passwordHash, proof),
    ));
  if (!isRight || !user) throw new FormError({ [field]: accountTexts.wrongPassword });
  await ownWrongPasswords.reset(userId);
  await rightPasswords.consume(userId);
  return user;
}

/**
 * Sets the password as `storePassword` does, and returns what the new log-in that the route starts depends on. Throws as
 * `requirePassword` does.
 */
export async function changePassword(
  user: CurrentUser,
  form: { currentPassword: string; newPassword: string },
): Promise<ProvenUser> {
  const schema = z.object({
    currentPassword: currentPasswordField,
    newPassword: newPasswordField([user.name, user.email]),
  });
  const { currentPassword, newPassword } = parseInput(schema, form);
  await writes.consume(user.id);
  const proven = await oneAttemptAtATime([user.id], () =>
    replacePassword(user, currentPassword, newPassword),
  );
  notifications.wake();
  return proven;
}

async function replacePassword(
  user: CurrentUser,
  currentPassword: Proof,
  newPassword: string,
): Promise<ProvenUser> {
  const owner = await provePassword(user.id, currentPassword, "currentPassword");
  const passwordHash = await hashPassword(newPassword);
  // The filter has the proven password, too: another change may have come first.
  const proven = { _id: owner._id, passwordHash: owner.passwordHash };
  const stored = await inTransaction((session) =>
    storePassword(owner, proven, { passwordHash, revokeTokens: false }, session),
  );
  if (!stored) throw new FormError({ currentPassword: accountTexts.wrongPassword });
  return { _id: owner._id, passwordHash };
}

/**
 * Sets the password of the user whom the filter `account` still matches, ends their log-ins and links and tells them.
 * Returns how many access tokens it revoked; null where the filter matches nobody.
 */
export async function storePassword(
  user: UserDocument,
  account: Partial<UserDocument>,
  { passwordHash, revokeTokens }: { passwordHash: string; revokeTokens: boolean },
  session: ClientSession,
): Promise<{ tokens: number } | null> {
  const { matchedCount } = await User.updateOne(account, { $set: { passwordHash } }, { session });
  if (matchedCount === 0) return null;
  const { tokens } = await endAccess(user._id, session, { keepTokens: !revokeTokens });
  await queueAccountMail("passwordChanged", user, { tokensRevoked: tokens > 0 }, session);
  return { tokens };
}
