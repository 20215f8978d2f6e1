import { z } from "zod";
import { User } from "#models/user";
import { env } from "~/infra/env.server";
import { isDuplicateKeyError, ServiceError } from "~/infra/errors.server";
import { inTransaction } from "~/db/transaction.server";
import { parseInput } from "~/infra/validation.server";
import { writes } from "~/db/limits.server";
import { wakeNotifications } from "~/mail/delivery.server";
import { requirePassword } from "~/accounts/log-in/passwords.server";
import { queueAccountMail } from "./account-mails.server";
import {
  countLinkRequest,
  deadLink,
  endLinksOf,
  findLink,
  issueLink,
  spendLink,
} from "./email-links.server";
import { forgetErasedAddress } from "./erasures.server";
import { currentPasswordField, emailField } from "./fields.server";
import { ADDRESS_TOO_CLOSE, type CurrentUser, findUserByEmail, hasUser } from "./users.server";

export const ADDRESS_TAKEN = "Another account has taken this e-mail address in the meantime.";

/**
 * Sends a link to the wanted address, and tells the present one. The owner of an account with that address is told
 * instead, which the user does not learn. Throws `FormError`, `ServiceError` 503 where e-mails do not arrive, and
 * `RateLimitError`.
 */
export async function requestAddressChange(
  user: CurrentUser,
  form: { newEmail: string; currentPassword: string },
  clientAddress: string,
): Promise<string> {
  const schema = z.object({
    newEmail: emailField.refine((value) => value !== user.email, {
      error: "This is already your address.",
    }),
    currentPassword: currentPasswordField,
  });
  const { newEmail, currentPassword } = parseInput(schema, form);
  await writes.consume(user.id);
  const { _id, name, email } = await requirePassword(user.id, currentPassword, "currentPassword");
  await countLinkRequest("address", newEmail, clientAddress);
  const owner = await findUserByEmail(newEmail);
  // In another spelling it may be the user's own.
  const taken = owner && !owner._id.equals(_id);
  const link = { purpose: "address", email: newEmail, userId: _id } as const;
  const { appUrl } = env();
  await issueLink(link, async ({ url, expiresAt }, session) => {
    if (taken) await queueAccountMail("hasAccount", owner, { name: owner.name, appUrl }, session);
    else
      await queueAccountMail("newAddress", { email: newEmail, _id }, { url }, session, expiresAt);
    const inputs = { name, newEmail, appUrl };
    await queueAccountMail("addressAskedFor", { email, name, _id }, inputs, session);
  });
  wakeNotifications();
  return newEmail;
}

/** Null for a link that does not work. */
export async function findAddressChange(user: CurrentUser, token: string): Promise<string | null> {
  const link = await findLink("address", token);
  return link?.userId?.toString() === user.id ? link.email : null;
}

/**
 * Makes the proven address the user's, ends all other links of the account and tells the former address, all or
 * nothing. Throws `ServiceError` 404 for a link that does not work, 400 when another account has the address
 * meanwhile.
 */
export async function changeAddress(user: CurrentUser, token: string): Promise<string> {
  await writes.consume(user.id);
  const link = await findLink("address", token);
  if (!link?.userId || link.userId.toString() !== user.id) throw deadLink();
  const { userId: _id, email: newEmail } = link;
  const owner = await findUserByEmail(newEmail);
  // Whoever has the link has proven the address, so it may be said.
  if (owner && !owner._id.equals(_id)) throw new ServiceError(400, ADDRESS_TAKEN);
  try {
    await inTransaction(async (session) => {
      await spendLink(link, session);
      const { matchedCount } = await User.updateOne(
        { _id, email: user.email },
        { $set: { email: newEmail } },
        { session },
      );
      if (matchedCount === 0) throw deadLink();
      await forgetErasedAddress(newEmail, session);
      await endLinksOf(_id, session);
      const inputs = { name: user.name, newEmail, contact: env().contact };
      await queueAccountMail("addressChanged", user, inputs, session);
    });
  } catch (error) {
    if (!isDuplicateKeyError(error, "email")) throw error;
    // The unique index decides, which takes more for one address than we do.
    throw new ServiceError(400, (await hasUser(newEmail)) ? ADDRESS_TAKEN : ADDRESS_TOO_CLOSE);
  }
  wakeNotifications();
  return newEmail;
}
