import { z } from "zod";
import { AccountDeletion } from "#models/account-deletion";
import { EmailLink } from "#models/email-link";
import { Notification } from "#models/notification";
import { Reply } from "#models/reply";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { FormError, ServiceError } from "~/lib/errors.server";
import { toObjectId } from "~/db/ids.server";
import { inTransaction } from "~/db/transaction.server";
import { parseInput } from "~/lib/validation.server";
import { type Caller, requireCaller } from "~/accounts/caller.server";
import { writes } from "~/db/limits.server";
import { notifications } from "~/mail/delivery.server";
import { ownerNames, RETRY_MS } from "~/mail/outbox.server";
import { authorChanged } from "~/reviews/list/list.server";
import { forgetSanctions } from "~/accounts/suspended.server";
import { claimAccess, claimProven } from "~/accounts/access.server";
import { queueAccountMail } from "~/accounts/account-mails.server";
import { linkFiltersByAddress } from "~/accounts/email-links.server";
import { noteErasure } from "~/accounts/erasures.server";
import { proofField, type Proof } from "~/accounts/fields.server";
import { requirePassword } from "~/accounts/log-in/passwords.server";
import { endClaimedAccess } from "~/accounts/log-in/sessions.server";
import type { CurrentUser, ProvenUser } from "~/accounts/users.server";
import { accountTexts } from "~/accounts/refusal-texts";
import { deletions } from "./deletion-worker.server";

export async function accountContents(user: Caller) {
  const userId = toObjectId(user.id);
  const [reviews, tours] = await Promise.all([
    Review.countDocuments({ userId }),
    Tour.countDocuments({ createdById: userId }),
  ]);
  return { reviews, tours };
}

/**
 * Deletes the user with everything that acts in their name, tells the owner, notes that no import may bring the
 * account back, and leaves the rest to the workers: all of that or nothing. Throws `FormError`, and `RateLimitError`
 * after too many wrong passwords (docs/decisions/010-accounts.md).
 */
export async function deleteAccount(user: CurrentUser, form: { password: Proof }): Promise<void> {
  const { password } = parseInput(z.object({ password: proofField("Enter your password.") }), form);
  await writes.consume(user.id);
  const proven = await requirePassword(user.id, password, "password");
  const { email } = proven;
  if (!(await removeAccount({ ...user, email }, { noted: true, byOperator: false, proven })))
    throw new FormError({ password: accountTexts.wrongPassword });
}

/**
 * Deletes the user as they could do it themselves, without their password: for an operator, or for the owner of a
 * suspended account, who cannot log in. Unless it is `noted`, an import may bring the account back, and nobody is told.
 * Throws `ServiceError` 404 when they are gone already.
 */
export async function deleteAccountOf(
  user: CurrentUser,
  { noted = true, byOperator = true }: { noted?: boolean; byOperator?: boolean } = {},
): Promise<void> {
  if (!(await removeAccount(user, { noted, byOperator })))
    throw new ServiceError(404, accountTexts.justDeleted);
}

interface RemovalOptions {
  noted: boolean;
  byOperator: boolean;
  proven?: ProvenUser;
}

/** False where there is no such user, or what was `proven` is no longer so. */
async function removeAccount(
  { id, name, email }: CurrentUser,
  { noted, byOperator, proven }: RemovalOptions,
): Promise<boolean> {
  const _id = requireCaller({ id });
  const now = new Date();
  const ownNames = ownerNames({ id, email });
  const removed = await inTransaction(async (session) => {
    if (!proven) await claimAccess(_id, session);
    else if (!(await claimProven(proven, session))) return false;
    const { deletedCount } = await User.deleteOne({ _id }, { session });
    if (deletedCount === 0) return false;
    await endClaimedAccess(_id, session);
    await forgetSanctions(ownNames, session);
    // The account's own links are gone; these were requested only by its address.
    for (const link of linkFiltersByAddress(email)) await EmailLink.deleteOne(link, { session });
    // Pending e-mails would be sent before the worker deletes them.
    for (const owner of ownNames)
      await Notification.deleteMany({ owner, state: "pending" }, { session });
    const deletion = { _id, mailsOf: ownNames, requestedAt: now, leasedUntil: now };
    await AccountDeletion.create([deletion], { session });
    if (noted) {
      await noteErasure({ id, email }, now, session);
      const review = await Review.exists({ userId: _id }).session(session);
      const reply = await Reply.exists({ userId: _id }).session(session);
      const written = [review && "reviews", reply && "replies"].filter(Boolean).join(" and ");
      const inputs = { byOperator, written };
      const recipient = { email, name, account: "deleted" } as const;
      // An e-mail that cannot be sent goes as well: nothing of a deleted account stays.
      const givenUpAt = new Date(now.getTime() + RETRY_MS);
      await queueAccountMail("accountDeleted", recipient, inputs, session, givenUpAt);
    }
    return true;
  });
  if (!removed) return false;
  authorChanged(id);
  notifications.wake();
  deletions.wake();
  return true;
}
