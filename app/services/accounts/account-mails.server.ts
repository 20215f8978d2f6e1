import type { ClientSession } from "mongoose";
import {
  type AccountMailKind,
  type AccountMailInputs,
  renderAccountMail,
} from "../../../emails/account-mail";
import { env } from "../../infra/env.server";
import { queueMail } from "../notifications/outbox.server";

/**
 * Puts an e-mail about an account into the outbox, in the transaction of what it tells of. With
 * `expiresAt` it is not sent any more once its link has expired. Call `wakeNotifications` after the commit.
 * An imported account without an address is told nothing.
 */
export async function queueAccountMail<Mail extends AccountMailKind>(
  mail: Mail,
  to: { email: string; name?: string },
  inputs: AccountMailInputs[Mail],
  session: ClientSession,
  expiresAt?: Date,
): Promise<void> {
  const { email, name } = to;
  if (!email) return;
  const rendered = await renderAccountMail(mail, inputs, { to: email, appUrl: env().appUrl });
  await queueMail(
    { to: { email, ...(name && { name }) }, ...rendered, ...(expiresAt && { expiresAt }) },
    session,
  );
}
