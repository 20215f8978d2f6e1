import { Types } from "mongoose";
import { z } from "zod";
import { User } from "#models/user";
import { env } from "~/config/env.server";
import { ServiceError } from "~/lib/errors.server";
import { parseInput } from "~/lib/validation.server";
import { dayInWords } from "~/config/zones";
import { findSuspension } from "~/accounts/suspended.server";
import { ownerOfAddress } from "~/mail/outbox.server";
import { queueAccountMail } from "~/accounts/account-mails.server";
import {
  countLinkRequest,
  findLink,
  giveAddress,
  hashByLink,
  issueLink,
  tryLink,
} from "~/accounts/email-links.server";
import { emailField, nameField, newPasswordField } from "~/accounts/fields.server";
import { hasUser, type LogIn, toCurrentUser } from "~/accounts/users.server";
import { accountTexts } from "~/accounts/refusal-texts";

/**
 * Sends a link that creates an account, or tells the owner of the one that has the address: both take the same steps,
 * and nothing tells the caller which. Throws `FormError`, and what `countLinkRequest` throws.
 */
export async function requestSignUp(
  form: { email: string },
  { clientAddress, redirectTo }: { clientAddress: string; redirectTo: string },
): Promise<string> {
  const { email } = parseInput(z.object({ email: emailField }), form);
  const user = await countLinkRequest("sign-up", email, clientAddress);
  const link = { purpose: "sign-up", email, redirectTo } as const;
  // Issued also where the address has an account, so that both take the same time; that link is not sent.
  await issueLink(link, ({ url, expiresAt }, session) =>
    user
      ? queueAccountMail("hasAccount", user, {}, session)
      : queueAccountMail("signUp", { email, account: null }, { url }, session, expiresAt),
  );
  return email;
}

/**
 * Returns the proven address, whether an import has made its account meanwhile, and whether guests are asked for reviews;
 * null for a dead link.
 */
export async function findSignUp(token: string) {
  const link = await findLink("sign-up", token);
  if (!link) return null;
  const { email } = link;
  return { email, accountExists: await hasUser(email), asks: env().reviewRequests };
}

/**
 * Creates the account and uses the link up, both or neither. Throws `FormError`, `ServiceError` 404 for a dead link,
 * 400 when the address has an account meanwhile, 403 when it had one that was suspended, and `RateLimitError`.
 */
export const signUp = (
  token: string,
  form: { name: string; password: string },
  clientAddress: string,
): Promise<LogIn & { redirectTo: string }> =>
  tryLink("sign-up", token, clientAddress, async (link) => {
    const { email, redirectTo = "/" } = link;
    const schema = z.object({
      name: nameField("your name"),
      password: newPasswordField([form.name, email]),
    });
    const { name, password } = parseInput(schema, form);
    if (await hasUser(email)) throw new ServiceError(400, accountTexts.accountExists);
    await requireNotSuspended(email);
    const passwordHash = await hashByLink(link, password, clientAddress);
    const user = { _id: new Types.ObjectId(), name, email, image: null, passwordHash };
    await giveAddress(link, accountTexts.accountExists, (session) =>
      User.create([user], { session }),
    );
    return { user: toCurrentUser(user), proven: { _id: user._id, passwordHash }, redirectTo };
  });

/** Throws `ServiceError` 403 for the address of a deleted account while its suspension lasts. */
export async function requireNotSuspended(email: string): Promise<void> {
  const suspended = await findSuspension({ address: ownerOfAddress(email) }, new Date());
  if (suspended)
    throw new ServiceError(
      403,
      accountTexts.addressSuspended(dayInWords(suspended.until, env().timeZone)),
    );
}
