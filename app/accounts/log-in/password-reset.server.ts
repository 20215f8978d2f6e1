import { z } from "zod";
import { AccessToken } from "#models/access-token";
import { Session } from "#models/session";
import { User, type UserDocument } from "#models/user";
import { env } from "~/infra/env.server";
import { inTransaction } from "~/db/transaction.server";
import { parseInput } from "~/infra/validation.server";
import { wakeNotifications } from "~/mail/delivery.server";
import { queueAccountMail } from "~/accounts/account-mails.server";
import {
  countLinkRequest,
  deadLink,
  endLinksOf,
  findLink,
  hashByLink,
  issueLink,
  oneTryAtATime,
  requireLink,
  spendLink,
} from "~/accounts/email-links.server";
import { emailField, knownEmailField, newPasswordField } from "~/accounts/fields.server";
import { countValidTokens } from "~/accounts/tokens.server";
import { findUserByEmail } from "~/accounts/users.server";
import { forgetNetworks } from "./known-networks.server";
import { forgetWrongPasswords } from "./log-in.server";

/**
 * Sends a link to the account of that address, also one that has no password yet. To an address without an account
 * goes an e-mail that says so: both take the same steps, and nothing tells the caller which. Throws `FormError`,
 * `ServiceError` 503 where e-mails do not arrive, and `RateLimitError` 429.
 */
export async function requestReset(
  form: { email: string },
  clientAddress: string,
): Promise<string> {
  const { email } = parseInput(z.object({ email: knownEmailField }), form);
  await countLinkRequest("reset", email, clientAddress);
  const user = await findUserByEmail(email);
  const unknown = emailField.safeParse(email);
  // To the stored address: the database finds an account under more spellings than its own.
  const link = user
    ? { email: user.email, userId: user._id }
    : // Sent to nobody: it is there so that a stopwatch tells nothing.
      { email };
  await issueLink({ purpose: "reset", ...link }, async ({ url, expiresAt }, session) => {
    if (user) await queueAccountMail("reset", user, { name: user.name, url }, session, expiresAt);
    else if (unknown.success)
      await queueAccountMail(
        "noAccount",
        { email: unknown.data, account: null },
        { appUrl: env().appUrl },
        session,
      );
  });
  wakeNotifications();
  return email;
}

/** The account's address and how many valid access tokens it has; null for a link that does not work. */
export async function findReset(token: string): Promise<{ email: string; tokens: number } | null> {
  const link = await findLink("reset", token);
  const user = link?.userId && (await User.exists({ _id: link.userId, email: link.email }));
  return user ? { email: link.email, tokens: await countValidTokens(user._id, new Date()) } : null;
}

/**
 * Sets the new password, ends all log-ins and links of the account and tells its owner, all or nothing; with
 * `revokeTokens` it revokes all access tokens, too. Throws `FormError`, `ServiceError` 404 for a link that does not
 * work, and `RateLimitError`.
 */
export const resetPassword = (
  token: string,
  form: { newPassword: string; revokeTokens: boolean },
  clientAddress: string,
): Promise<{ email: string; revoked: number }> =>
  oneTryAtATime(token, clientAddress, () => attempt(token, form, clientAddress));

async function attempt(
  token: string,
  form: { newPassword: string; revokeTokens: boolean },
  clientAddress: string,
): Promise<{ email: string; revoked: number }> {
  const link = await requireLink("reset", token);
  const { userId: _id, email } = link;
  // The address stands here too: a link that was sent to a former one is dead.
  const account = { _id, email };
  const user = _id && (await User.findOne(account).lean<UserDocument>());
  if (!user) throw deadLink();
  const { newPassword } = parseInput(
    z.object({ newPassword: newPasswordField([user.name, email]) }),
    form,
  );
  const passwordHash = await hashByLink(link, newPassword, clientAddress);
  const revoked = await inTransaction(async (session) => {
    await spendLink(link, session);
    const { matchedCount } = await User.updateOne(account, { $set: { passwordHash } }, { session });
    if (matchedCount === 0) throw deadLink();
    await Session.deleteMany({ userId: user._id }, { session });
    await endLinksOf(user._id, session);
    await forgetNetworks(user._id, session);
    const { deletedCount } = form.revokeTokens
      ? await AccessToken.deleteMany({ userId: user._id }, { session })
      : { deletedCount: 0 };
    const inputs = { name: user.name, appUrl: env().appUrl, tokensRevoked: deletedCount > 0 };
    await queueAccountMail("passwordChanged", user, inputs, session);
    return deletedCount;
  });
  wakeNotifications();
  // Whoever was locked out by somebody's guesses is so no longer.
  await forgetWrongPasswords(user._id.toString(), clientAddress);
  return { email, revoked };
}
