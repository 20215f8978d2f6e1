import { randomBytes } from "node:crypto";
import type { ClientSession, Types } from "mongoose";
import { EmailLink, type EmailLinkDocument, type LinkPurpose } from "#models/email-link";
import { sha256 } from "~/infra/digest.server";
import { env } from "~/infra/env.server";
import { ServiceError } from "~/infra/errors.server";
import { countBefore } from "~/db/rate-limits.server";
import { inTransaction } from "~/db/transaction.server";
import { linksByAddress, linksByNetwork, linkTries, linkTriesByNetwork } from "~/db/limits.server";
import { canonicalEmail } from "~/infra/email-address.server";
import { queueKey, oneAttemptAtATime } from "~/accounts/log-in/attempts.server";
import { hashPassword } from "~/accounts/log-in/hashing.server";

// Links in e-mails that prove an address (docs/decisions/016-addresses-are-proven-first.md).

const HOUR_MS = 60 * 60 * 1_000;

export const LINK_MS: Record<LinkPurpose, number> = {
  "sign-up": 24 * HOUR_MS,
  reset: HOUR_MS,
  address: 24 * HOUR_MS,
};

const PATHS: Record<LinkPurpose, string> = {
  "sign-up": "/signup",
  reset: "/reset",
  address: "/me/address",
};

/** The same for every address (docs/rules/accounts.md, Links by e-mail). */
export const NO_EMAILS =
  "This site sends no e-mails at the moment, so it cannot send you a link. Please try again later.";

/**
 * Counts whether or not the address has an account. Throws `ServiceError` 503 where e-mails do not arrive, and
 * `RateLimitError` 429. Each purpose has its own count, so that one never blocks another.
 */
export async function countLinkRequest(
  purpose: LinkPurpose,
  email: string,
  clientAddress: string,
): Promise<void> {
  if (!env().emailsArrive) throw new ServiceError(503, NO_EMAILS);
  await linksByNetwork.consume(clientAddress);
  await linksByAddress.consume(`${purpose} ${sha256(canonicalEmail(email))}`);
}

interface NewLink {
  purpose: LinkPurpose;
  email: string;
  userId?: Types.ObjectId;
  redirectTo?: string;
}

export interface IssuedLink {
  url: string;
  expiresAt: Date;
}

/**
 * Replaces the older link of that purpose and account, in one transaction with what `andThen` writes: the e-mail that
 * carries it.
 */
export async function issueLink(
  { purpose, email, userId, redirectTo }: NewLink,
  andThen: (link: IssuedLink, session: ClientSession) => Promise<void>,
): Promise<void> {
  const _id = userId ? `${purpose} ${userId.toString()}` : idByAddress(purpose, email);
  const token = randomBytes(32).toString("base64url");
  const expiresAt = new Date(Date.now() + LINK_MS[purpose]);
  const link = {
    _id,
    purpose,
    hash: sha256(token),
    email,
    expiresAt,
    ...(userId && { userId }),
    ...(redirectTo && { redirectTo }),
  };
  await inTransaction(async (session) => {
    // Of two at the same moment, the later one meets a write conflict, is done again and replaces the other.
    await EmailLink.deleteOne({ _id }, { session });
    await EmailLink.create([link], { session });
    await andThen({ url: `${env().appUrl}${PATHS[purpose]}/${token}`, expiresAt }, session);
  });
}

/** Reading never uses a link up. Null when it does not work (any more). */
export function findLink(purpose: LinkPurpose, token: string): Promise<EmailLinkDocument | null> {
  return EmailLink.findOne(working(purpose, token)).lean<EmailLinkDocument>();
}

/** Throws `ServiceError` 404. */
export async function requireLink(purpose: LinkPurpose, token: string): Promise<EmailLinkDocument> {
  const link = await findLink(purpose, token);
  if (!link) throw deadLink();
  return link;
}

/** One try at a time of a link, and of a network. Throws `RateLimitError` 429 when too many wait. */
export const oneTryAtATime = <Result>(
  token: string,
  clientAddress: string,
  attempt: () => Promise<Result>,
): Promise<Result> =>
  oneAttemptAtATime([queueKey(clientAddress), `link ${sha256(token)}`], attempt);

/**
 * Whoever has a link could otherwise have any number of passwords hashed. Throws `RateLimitError` 429 after too many
 * tries, 503 when too many others wait.
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

/**
 * Uses the link up, in the transaction of what it is for. Throws `ServiceError` 404 when another request
 * has done so, or a newer link has replaced it.
 */
export async function spendLink(link: EmailLinkDocument, session: ClientSession): Promise<void> {
  const { _id, hash } = link;
  const working = { _id, hash, expiresAt: { $gt: new Date() } };
  const { deletedCount } = await EmailLink.deleteOne(working, { session });
  if (deletedCount === 0) throw deadLink();
}

export async function endLinksOf(userId: Types.ObjectId, session?: ClientSession): Promise<void> {
  await EmailLink.deleteMany({ userId }, { session });
}

const idByAddress = (purpose: LinkPurpose, email: string) => `${purpose} ${canonicalEmail(email)}`;

/** Which documents are links that somebody asked for by that address, and that are no account's. */
export const linksByAddressOf = (email: string) =>
  (["sign-up", "reset"] as const).map((purpose) => ({ _id: idByAddress(purpose, email) }));

const working = (purpose: LinkPurpose, token: string) => ({
  hash: sha256(token),
  purpose,
  // The database clears expired links about once a minute only.
  expiresAt: { $gt: new Date() },
});

/** A used link and one that never was look the same. */
export const deadLink = () => new ServiceError(404, "This link no longer works.");
