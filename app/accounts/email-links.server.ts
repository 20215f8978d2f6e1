import { randomBytes } from "node:crypto";
import type { ClientSession, Types } from "mongoose";
import { EmailLink, type EmailLinkDocument, type LinkPurpose } from "#models/email-link";
import type { UserDocument } from "#models/user";
import { HOUR_MS } from "~/lib/durations";
import { sha256 } from "~/lib/digest.server";
import { env } from "~/config/env.server";
import { isDuplicateKeyError, ServiceError } from "~/lib/errors.server";
import { countBefore } from "~/db/rate-limits.server";
import { inTransaction } from "~/db/transaction.server";
import {
  linksByAddress,
  linksByNetwork,
  linkTries,
  linkTriesByNetwork,
} from "~/accounts/limits.server";
import { canonicalEmail } from "~/lib/email-address.server";
import { notifications } from "~/mail/delivery.server";
import { queueKey, oneAttemptAtATime } from "~/accounts/log-in/attempts.server";
import { hashPassword } from "~/accounts/log-in/hashing.server";
import { accountTexts } from "~/accounts/refusal-texts";
import { claimAccess } from "./access.server";
import { forgetErasedAddress } from "./erasures.server";
import { findUserByEmail, hasUser } from "./users.server";

// Links in e-mails that prove an address (docs/decisions/010-accounts.md).

const PAGES: Record<LinkPurpose, { path: string; ms: number }> = {
  "sign-up": { path: "/signup", ms: 24 * HOUR_MS },
  reset: { path: "/reset", ms: HOUR_MS },
  address: { path: "/me/address", ms: 24 * HOUR_MS },
};

/**
 * Counts a request by each purpose, so that none blocks another, and returns the account that has the address, if any.
 * Throws `ServiceError` 503 where e-mails do not arrive, and `RateLimitError` 429.
 */
export async function countLinkRequest(
  purpose: LinkPurpose,
  email: string,
  clientAddress: string,
): Promise<UserDocument | null> {
  if (!env().emailsArrive) throw new ServiceError(503, accountTexts.noEmails);
  await linksByNetwork.consume(clientAddress);
  await linksByAddress.consume(`${purpose} ${sha256(canonicalEmail(email))}`);
  return findUserByEmail(email);
}

type NewLink = Pick<EmailLinkDocument, "purpose" | "email" | "userId" | "redirectTo">;

/** Replaces the older link of that purpose and account, in one transaction with the e-mails that `queue` writes. */
export async function issueLink(
  { purpose, email, userId, redirectTo }: NewLink,
  queue: (link: { url: string; expiresAt: Date }, session: ClientSession) => Promise<void>,
): Promise<void> {
  const _id = userId ? `${purpose} ${userId.toString()}` : idByAddress(purpose, email);
  const token = randomBytes(32).toString("base64url");
  const { path, ms } = PAGES[purpose];
  const expiresAt = new Date(Date.now() + ms);
  const link = { _id, purpose, hash: sha256(token), email, userId, redirectTo, expiresAt };
  await inTransaction(async (session) => {
    // Two requests at the same moment conflict: the later one is retried, and its link replaces the other one.
    await EmailLink.deleteOne({ _id }, { session });
    await EmailLink.create([link], { session });
    await queue({ url: `${env().appUrl}${path}/${token}`, expiresAt }, session);
  });
  notifications.wake();
}

/** Finds a link without using it up; null when it does not work (any more). */
export const findLink = (purpose: LinkPurpose, token: string): Promise<EmailLinkDocument | null> =>
  EmailLink.findOne({ hash: sha256(token), purpose, ...notExpired() }).lean<EmailLinkDocument>();

/** The database clears expired links about once a minute only. */
const notExpired = () => ({ expiresAt: { $gt: new Date() } });

/** Allows one try at a time for each link and each network. Throws `ServiceError` 404, and `RateLimitError` 429. */
export const tryLink = <Result>(
  purpose: LinkPurpose,
  token: string,
  clientAddress: string,
  attempt: (link: EmailLinkDocument) => Promise<Result>,
): Promise<Result> =>
  oneAttemptAtATime([queueKey(clientAddress), `link ${sha256(token)}`], async () => {
    const link = await findLink(purpose, token);
    if (!link) throw deadLink();
    return attempt(link);
  });

/**
 * Hashes for a link, up to a limit: the same link could otherwise be tried any number of times. Throws `RateLimitError`
 * 429 and 503.
 */
export const hashByLink = (
  { hash }: EmailLinkDocument,
  password: string,
  clientAddress: string,
): Promise<string> =>
  countBefore(
    [
      [linkTriesByNetwork, clientAddress],
      [linkTries, hash],
    ],
    () => hashPassword(password),
  );

/** Uses the link up, in the transaction of what it is for. Throws `ServiceError` 404 when it works no more. */
export async function spendLink(
  { _id, hash }: EmailLinkDocument,
  session: ClientSession,
): Promise<void> {
  const { deletedCount } = await EmailLink.deleteOne({ _id, hash, ...notExpired() }, { session });
  if (deletedCount === 0) throw deadLink();
}

/**
 * Uses the link up and gives its address to the account that `store` writes, all or nothing. Throws `ServiceError` 404
 * likewise, and 400 with `taken` when another account has the address.
 */
export async function giveAddress(
  link: EmailLinkDocument,
  taken: string,
  store: (session: ClientSession) => Promise<unknown>,
): Promise<void> {
  try {
    await inTransaction(async (session) => {
      await spendLink(link, session);
      await store(session);
      await forgetErasedAddress(link.email, session);
    });
  } catch (error) {
    if (!isDuplicateKeyError(error, "email")) throw error;
    // The unique index decides, also between two simultaneous requests. It treats more spellings as one address than we
    // do.
    throw new ServiceError(400, (await hasUser(link.email)) ? taken : accountTexts.addressTooClose);
  }
}

/** Ends all links of a user, also one that is being issued at this moment. */
export async function endLinksOf(userId: Types.ObjectId, session: ClientSession): Promise<void> {
  await claimAccess(userId, session);
  await EmailLink.deleteMany({ userId }, { session });
}

const idByAddress = (purpose: LinkPurpose, email: string) => `${purpose} ${canonicalEmail(email)}`;

/** Returns filters of the links that were requested for that address without an account. */
export const linkFiltersByAddress = (email: string) =>
  (["sign-up", "reset"] as const).map((purpose) => ({ _id: idByAddress(purpose, email) }));

/** The same refusal for a used link and for one that never existed. */
export const deadLink = () => new ServiceError(404, accountTexts.deadLink);
