import type { ClientSession, Types } from "mongoose";
import {
  type AccountMailKind,
  type AccountMailInputs,
  renderAccountMail,
} from "#emails/account-mail";
import type { RenderedMail } from "#emails/layout";
import { keyedHash } from "~/infra/digest.server";
import { env } from "~/infra/env.server";
import { queueMail } from "~/mail/outbox.server";
import { canonicalEmail } from "~/infra/email-address.server";

/**
 * An e-mail is an account's, an address's without one (`account` null), or nobody's, so that it outlives the account
 * that it tells of.
 */
export type Reader = { email: string; name?: string } & (
  { _id: Types.ObjectId } | { id: string } | { account: null | "deleted" }
);

/** How the outbox names an address without an account. */
export const ownerOfAddress = (email: string) => keyedHash("address", canonicalEmail(email));

/**
 * The account's id, and its address's from where they were not logged in. Whoever has one of these names is the same
 * person.
 */
export const namesOf = ({ id, email }: { id: string; email: string }) => [
  id,
  ownerOfAddress(email),
];

/**
 * Puts an e-mail about an account into the outbox, in the transaction of what it tells of. With
 * `expiresAt` it is neither sent from then on, nor kept when it is given up: its link has expired, or its reader's
 * account is gone. Call `wakeNotifications` after the commit.
 * An imported account without an address is told nothing.
 */
export async function queueAccountMail<Mail extends AccountMailKind>(
  mail: Mail,
  to: Reader,
  inputs: AccountMailInputs[Mail],
  session: ClientSession,
  expiresAt?: Date,
): Promise<void> {
  const { email } = to;
  if (!email) return;
  const rendered = await renderAccountMail(mail, inputs, { to: email, appUrl: env().appUrl });
  await queueRendered(to, rendered, session, expiresAt);
}

/** The same with an e-mail that is already rendered. */
export async function queueRendered(
  to: Reader,
  rendered: RenderedMail,
  session: ClientSession,
  expiresAt?: Date,
): Promise<void> {
  const { email, name } = to;
  const owner = ownerOf(to);
  await queueMail(
    { to: { email, ...(name && { name }) }, ...rendered, ...(expiresAt && { expiresAt }) },
    session,
    owner === undefined ? {} : { owner },
  );
}

function ownerOf(to: Reader): string | undefined {
  if ("_id" in to) return to._id.toString();
  if ("id" in to) return to.id;
  return to.account === null ? ownerOfAddress(to.email) : undefined;
}
