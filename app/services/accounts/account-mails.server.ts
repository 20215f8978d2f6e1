import type { ClientSession, Types } from "mongoose";
import {
  type AccountMailKind,
  type AccountMailInputs,
  renderAccountMail,
} from "../../../emails/account-mail";
import { keyedHash } from "../../infra/digest.server";
import { env } from "../../infra/env.server";
import { queueMail } from "../notifications/outbox.server";
import { canonicalEmail } from "../../infra/email-address.server";

/** Who reads an e-mail, and whose it is: an account's, or an address's without one (`account` null). */
type Reader = { email: string; name?: string } & (
  { _id: Types.ObjectId } | { id: string } | { account: null }
);

const ofAddress = (email: string) => keyedHash("address", canonicalEmail(email));

/** How the outbox names whose e-mails about accounts these are: an account's, and its address's before it had one. */
export const ownersOf = ({ id, email }: { id: string; email: string }) => [id, ofAddress(email)];

/**
 * Puts an e-mail about an account into the outbox, in the transaction of what it tells of. With
 * `expiresAt` it is not sent any more once its link has expired. Call `wakeNotifications` after the commit.
 * An imported account without an address is told nothing.
 */
export async function queueAccountMail<Mail extends AccountMailKind>(
  mail: Mail,
  to: Reader,
  inputs: AccountMailInputs[Mail],
  session: ClientSession,
  expiresAt?: Date,
): Promise<void> {
  const { email, name } = to;
  if (!email) return;
  const rendered = await renderAccountMail(mail, inputs, { to: email, appUrl: env().appUrl });
  const owner = "_id" in to ? to._id.toString() : "id" in to ? to.id : ofAddress(email);
  await queueMail(
    { to: { email, ...(name && { name }) }, ...rendered, ...(expiresAt && { expiresAt }) },
    session,
    { owner },
  );
}
