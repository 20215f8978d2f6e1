import type { ClientSession, Types } from "mongoose";
import { Operator } from "#models/operator";
import { asName, asText } from "#models/reading";
import { claimAccess } from "~/accounts/access.server";
import { queueAccountMail } from "~/accounts/account-mails.server";
import { endAccess } from "~/accounts/log-in/sessions.server";
import { inTransaction } from "~/db/transaction.server";
import { canonicalEmail } from "~/infra/email-address.server";
import { ServiceError } from "~/infra/errors.server";
import { log } from "~/infra/log.server";
import { texts } from "~/infra/refusal-texts";
import { wakeNotifications } from "~/mail/delivery.server";

/** The means to log in that a record gives a user anew; `newEmail` is null where the address stays. */
interface NewAccess {
  password: boolean;
  newEmail: string | null;
}

/** Returns how a user's stored record and its new fields differ in what logs them in; null where they do not. */
export function newAccessOf(
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
 * Stores a user whom a service token gives another password or address, ends all log-ins, links and tokens, and tells the
 * owner at the former address and the new one: all or nothing. Returns what `store` returns, and does nothing more where
 * that is null. Throws `ServiceError` 403 for an operator, whose decisions a platform's program must not be able to make.
 */
export async function storeNewAccess<Stored>(
  before: Record<string, unknown> & { _id: Types.ObjectId },
  access: NewAccess,
  store: (session: ClientSession) => Promise<Stored | null>,
): Promise<Stored | null> {
  const { _id } = before;
  const stored = await inTransaction(async (session) => {
    await claimAccess(_id, session);
    if (await Operator.exists({ _id }).session(session))
      throw new ServiceError(403, texts.operatorAccount);
    const written = await store(session);
    if (written === null) return null;
    await endAccess(_id, session);
    const former = { _id, email: asText(before.email) ?? "", name: asName(before.name) ?? "" };
    await queueAccountMail("changedByPlatform", former, access, session);
    // Nobody has proven this one: it holds no word that a stranger could choose.
    if (access.newEmail !== null)
      await queueAccountMail("changedByPlatform", { _id, email: access.newEmail }, access, session);
    return written;
  });
  if (stored === null) return null;
  log.info(
    { userId: _id, ...access, newEmail: access.newEmail !== null },
    "a service token has changed how a user logs in",
  );
  wakeNotifications();
  return stored;
}
