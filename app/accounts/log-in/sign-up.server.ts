import { Types } from "mongoose";
import { z } from "zod";
import { User } from "#models/user";
import { env } from "~/infra/env.server";
import { isDuplicateKeyError, ServiceError } from "~/infra/errors.server";
import { inTransaction } from "~/db/transaction.server";
import { parseInput } from "~/infra/validation.server";
import { dayInWords } from "~/infra/zones";
import { findSuspension } from "~/accounts/suspended.server";
import { wakeNotifications } from "~/mail/delivery.server";
import { ownerOfAddress, queueAccountMail } from "~/accounts/account-mails.server";
import {
  countLinkRequest,
  findLink,
  hashByLink,
  issueLink,
  oneTryAtATime,
  requireLink,
  spendLink,
} from "~/accounts/email-links.server";
import { forgetErasedAddress } from "~/accounts/erasures.server";
import { emailField, nameField, newPasswordField } from "~/accounts/fields.server";
import {
  ADDRESS_TOO_CLOSE,
  type CurrentUser,
  findUserByEmail,
  hasUser,
  toCurrentUser,
} from "~/accounts/users.server";

export const ACCOUNT_EXISTS =
  "There is already an account with this e-mail address. Log in, or set a new password for it.";

/**
 * Sends a link that creates an account: nothing is created before. The owner of an account with that address gets an
 * e-mail instead, and the caller cannot tell the difference: both cases take the same steps. Throws `FormError`,
 * `ServiceError` 503 where e-mails do not arrive, and `RateLimitError` 429.
 */
export async function requestSignUp(
  form: { email: string },
  { clientAddress, redirectTo }: { clientAddress: string; redirectTo: string },
): Promise<string> {
  const { email } = parseInput(z.object({ email: emailField }), form);
  await countLinkRequest("sign-up", email, clientAddress);
  const user = await findUserByEmail(email);
  // Also for an account, so that both cases take the same time; that link is not sent.
  await issueLink(
    { purpose: "sign-up", email, redirectTo },
    async ({ url, expiresAt }, session) => {
      const { appUrl } = env();
      if (user) await queueAccountMail("hasAccount", user, { name: user.name, appUrl }, session);
      else await queueAccountMail("signUp", { email, account: null }, { url }, session, expiresAt);
    },
  );
  wakeNotifications();
  return email;
}

/**
 * The address that a sign-up's link has proven, and whether it has an account meanwhile, as an import may
 * have made; null for a link that does not work.
 */
export async function findSignUp(
  token: string,
): Promise<{ email: string; accountExists: boolean } | null> {
  const link = await findLink("sign-up", token);
  return link && { email: link.email, accountExists: await hasUser(link.email) };
}

/**
 * Creates the account and uses the link up, both or neither. Throws `FormError`, `ServiceError` 404 for a link that
 * does not work, 400 when the address has an account meanwhile, 403 when it is that of an account that was deleted
 * while it was suspended, and `RateLimitError`.
 */
export const signUp = (token: string, form: NewAccount, clientAddress: string) =>
  oneTryAtATime(token, clientAddress, () => attempt(token, form, clientAddress));

interface NewAccount {
  name: string;
  password: string;
}

async function attempt(
  token: string,
  form: NewAccount,
  clientAddress: string,
): Promise<{ user: CurrentUser; redirectTo: string }> {
  const link = await requireLink("sign-up", token);
  const { email, redirectTo = "/" } = link;
  const schema = z.object({
    name: nameField("your name"),
    password: newPasswordField([form.name, email]),
  });
  const { name, password } = parseInput(schema, form);
  if (await hasUser(email)) throw new ServiceError(400, ACCOUNT_EXISTS);
  const suspended = await findSuspension({ address: ownerOfAddress(email) }, new Date());
  if (suspended)
    throw new ServiceError(
      403,
      `The account of this address was suspended. You can sign up with it again from ${dayInWords(suspended.until!, env().timeZone)}.`,
    );
  const passwordHash = await hashByLink(link, password, clientAddress);
  const user = { _id: new Types.ObjectId(), name, email, image: null, passwordHash };
  try {
    await inTransaction(async (session) => {
      await spendLink(link, session);
      await User.create([user], { session });
      await forgetErasedAddress(email, session);
    });
  } catch (error) {
    if (!isDuplicateKeyError(error, "email")) throw error;
    // The unique index decides, also between two that arrive at once. It takes more for one address than we do.
    throw new ServiceError(400, (await hasUser(email)) ? ACCOUNT_EXISTS : ADDRESS_TOO_CLOSE);
  }
  return { user: toCurrentUser(user), redirectTo };
}
