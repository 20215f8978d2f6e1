import { z } from "zod";
import { User, type UserDocument } from "#models/user";
import { inTransaction } from "~/db/transaction.server";
import { parseInput } from "~/lib/validation.server";
import { notifications } from "~/mail/delivery.server";
import { queueAccountMail } from "~/accounts/account-mails.server";
import {
  countLinkRequest,
  deadLink,
  findLink,
  hashByLink,
  issueLink,
  spendLink,
  tryLink,
} from "~/accounts/email-links.server";
import { emailField, knownEmailField, newPasswordField } from "~/accounts/fields.server";
import { countValidTokens } from "~/accounts/tokens.server";
import { forgetAttempts } from "./log-in.server";
import { storePassword } from "./passwords.server";

/**
 * Sends a link to the account of that address, or tells the address that there is none: both take the same steps, and
 * nothing tells the caller which. Throws `FormError`, and what `countLinkRequest` throws.
 */
export async function requestReset(
  form: { email: string },
  clientAddress: string,
): Promise<string> {
  const { email } = parseInput(z.object({ email: knownEmailField }), form);
  const user = await countLinkRequest("reset", email, clientAddress);
  const unknown = emailField.safeParse(email);
  // To the stored address: the database finds an account under more spellings than its own. A link without an account
  // is sent to nobody: it is there so that a stopwatch tells nothing.
  const link = { purpose: "reset", email: user?.email ?? email, userId: user?._id } as const;
  await issueLink(link, async ({ url, expiresAt }, session) => {
    if (user) await queueAccountMail("reset", user, { url }, session, expiresAt);
    else if (unknown.success)
      await queueAccountMail("noAccount", { email: unknown.data, account: null }, {}, session);
  });
  return email;
}

/** Returns the account's address and how many valid access tokens it has; null for a dead link. */
export async function findReset(token: string) {
  const link = await findLink("reset", token);
  const user = link?.userId && (await User.exists({ _id: link.userId, email: link.email }));
  return user ? { email: link.email, tokens: await countValidTokens(user._id, new Date()) } : null;
}

/**
 * Sets the new password as `storePassword` does, and uses the link up. Returns the account's address and how many
 * tokens were revoked. Throws `FormError`, `ServiceError` 404 for a dead link, and `RateLimitError`.
 */
export const resetPassword = (
  token: string,
  form: { newPassword: string; revokeTokens: boolean },
  clientAddress: string,
): Promise<{ email: string; revoked: number }> =>
  tryLink("reset", token, clientAddress, async (link) => {
    const { userId: _id, email } = link;
    // The filter has the address, too: a link that was sent to a former address does not work.
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
      const { revokeTokens } = form;
      const stored = await storePassword(user, account, { passwordHash, revokeTokens }, session);
      if (!stored) throw deadLink();
      return stored.tokens;
    });
    notifications.wake();
    // A reset ends a lockout that somebody else's guesses caused.
    await forgetAttempts(user._id.toString(), clientAddress);
    return { email, revoked };
  });
