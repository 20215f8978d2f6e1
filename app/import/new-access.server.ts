import type { ClientSession, Types } from "mongoose";
import { Operator } from "#models/operator";
import { asName, asText } from "#models/reading";
import { claimAccess } from "~/accounts/access.server";
import { queueAccountMail } from "~/accounts/account-mails.server";
import { keepReportsOf } from "~/accounts/left-addresses.server";
import { endClaimedAccess } from "~/accounts/log-in/sessions.server";
import { inTransaction } from "~/db/transaction.server";
import { canonicalEmail } from "~/lib/email-address.server";
import { ServiceError } from "~/lib/errors.server";
import { log } from "~/lib/log.server";
import { texts } from "~/lib/refusal-texts";
import { notifications } from "~/mail/delivery.server";

/** The means to log in that a record gives a user anew; `newEmail` is null where the address stays. */
interface NewAccess {
  password: boolean;
  newEmail: string | null;
}

/** Returns how a user's stored record and its new fields differ in what logs them in; null where they do not. */
export function toNewAccess(
  before: Record<string, unknown>,
  { email, passwordHash }: { email?: string; passwordHash?: string },
): NewAccess | null {
  const known = asText(before.email) ?? "";
  const newEmail =
    email !== undefined && canonicalEmail(email) !== canonicalEmail(known) ? email : null;
  const password = passwordHash !== undefined;
  return password || newEmail !== null ? { password, newEmail } : null;
}

/**
 * Ends all log-ins, links and tokens of a user whom a service token has given another password or address in this
 * transaction, and tells the owner at the former address and the new one. Throws `ServiceError` 403 for an operator,
 * whose decisions a platform's program must not be able to make. Call `notifications.wake` after the commit.
 */
export async function replaceAccess(
  { _id, email, name }: Record<string, unknown> & { _id: Types.ObjectId },
  access: NewAccess,
  session: ClientSession,
): Promise<void> {
  await claimAccess(_id, session);
  if (await Operator.exists({ _id }).session(session))
    throw new ServiceError(403, texts.operatorAccount);
  await endClaimedAccess(_id, session);
  const former = { _id, email: asText(email) ?? "", name: asName(name) ?? "" };
  const { password, newEmail } = access;
  // Nobody has proven the new one: its e-mail holds no word that a stranger could choose.
  const told = newEmail === null ? [former] : [former, { _id, email: newEmail }];
  for (const recipient of told)
    await queueAccountMail("changedByPlatform", recipient, access, session);
  const changed = { password, address: newEmail !== null };
  log.info({ userId: _id, ...changed }, "a service token changes how a user logs in");
}

/** Stores a user with `store`, and replaces their access, both or neither; nothing where `store` returns null. */
export async function storeNewAccess<Stored>(
  before: Record<string, unknown> & { _id: Types.ObjectId },
  access: NewAccess,
  store: (session: ClientSession) => Promise<Stored | null>,
): Promise<Stored | null> {
  const stored = await inTransaction(async (session) => {
    const written = await store(session);
    if (written === null) return null;
    await replaceAccess(before, access, session);
    const former = { _id: before._id, email: asText(before.email) ?? "" };
    if (access.newEmail !== null) await keepReportsOf([former], session);
    return written;
  });
  notifications.wake();
  return stored;
}
