import { z } from "zod";
import type { EmailLinkDocument } from "#models/email-link";
import { User } from "#models/user";
import { FormError, ServiceError } from "~/lib/errors.server";
import { parseInput } from "~/lib/validation.server";
import { writes } from "~/db/limits.server";
import { notifications } from "~/mail/delivery.server";
import { requirePassword } from "~/accounts/log-in/passwords.server";
import { accountTexts } from "~/accounts/refusal-texts";
import { claimProven } from "./access.server";
import { queueAccountMail } from "./account-mails.server";
import {
  countLinkRequest,
  deadLink,
  endLinksOf,
  findLink,
  giveAddress,
  issueLink,
} from "./email-links.server";
import { currentPasswordField, emailField, type Proof } from "./fields.server";
import { keepReportsOf } from "./left-addresses.server";
import { type CurrentUser, findUserByEmail } from "./users.server";

/**
 * Sends a link to the wanted address, or tells its owner, which the user does not learn; tells the present one. Throws
 * `FormError`, `RateLimitError`, and what `countLinkRequest` throws.
 */
export async function requestAddressChange(
  user: CurrentUser,
  form: { newEmail: string; currentPassword: Proof },
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
  const asking = await requirePassword(user.id, currentPassword, "currentPassword");
  const { _id } = asking;
  const owner = await countLinkRequest("address", newEmail, clientAddress);
  // The wanted address may be another spelling of the user's own.
  const taken = owner && !owner._id.equals(_id);
  const link = { purpose: "address", email: newEmail, userId: _id } as const;
  await issueLink(link, async ({ url, expiresAt }, session) => {
    const present = await claimProven(asking, session);
    if (present?.email !== asking.email)
      throw new FormError({ currentPassword: accountTexts.wrongPassword });
    if (taken) await queueAccountMail("hasAccount", owner, {}, session);
    else
      await queueAccountMail("newAddress", { email: newEmail, _id }, { url }, session, expiresAt);
    await queueAccountMail("addressAskedFor", asking, { newEmail }, session);
  });
  return newEmail;
}

/** Null for a link that does not work, or is another user's. */
async function findOwnLink(user: CurrentUser, token: string): Promise<EmailLinkDocument | null> {
  const link = await findLink("address", token);
  return link?.userId?.toString() === user.id ? link : null;
}

/** Returns the address that a link of the user's has proven; null for a dead link. */
export const findAddressChange = async (user: CurrentUser, token: string) =>
  (await findOwnLink(user, token))?.email ?? null;

/**
 * Makes the proven address the user's, ends the account's links and tells the former address, all or nothing. Throws
 * `ServiceError` 404 for a dead link, 400 when another account has the address meanwhile, and `RateLimitError`.
 */
export async function changeAddress(user: CurrentUser, token: string): Promise<string> {
  await writes.consume(user.id);
  const link = await findOwnLink(user, token);
  if (!link?.userId) throw deadLink();
  const { userId: _id, email: newEmail } = link;
  const owner = await findUserByEmail(newEmail);
  // The link proves that its reader owns the address, so the page may name it.
  if (owner && !owner._id.equals(_id)) throw new ServiceError(400, accountTexts.addressTaken);
  await giveAddress(link, accountTexts.addressTaken, async (session) => {
    const present = { _id, email: user.email };
    const changed = { $set: { email: newEmail } };
    const { matchedCount } = await User.updateOne(present, changed, { session });
    if (matchedCount === 0) throw deadLink();
    await endLinksOf(_id, session);
    await keepReportsOf([present], session);
    await queueAccountMail("addressChanged", user, { newEmail }, session);
  });
  notifications.wake();
  return newEmail;
}
