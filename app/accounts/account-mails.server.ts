import type { ClientSession } from "mongoose";
import {
  type AccountMailInputs,
  type AccountMailKind,
  renderAccountMail,
} from "#emails/account-mail";
import { env } from "~/config/env.server";
import { queueMail, type Recipient } from "~/mail/outbox.server";

/** Puts an e-mail about an account into the outbox; see `queueMail`. */
export async function queueAccountMail<Kind extends AccountMailKind>(
  kind: Kind,
  to: Recipient,
  inputs: AccountMailInputs[Kind],
  session: ClientSession,
  expiresAt?: Date,
): Promise<void> {
  const { appUrl, contact, timeZone } = env();
  const { email, name } = to;
  const mail = renderAccountMail(kind, inputs, {
    to: email,
    name,
    appUrl,
    contact,
    timeZone,
  });
  await queueMail(to, { ...mail, expiresAt }, session);
}
