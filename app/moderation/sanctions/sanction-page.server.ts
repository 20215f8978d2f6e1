import type { ClientSession } from "mongoose";
import {
  Sanction,
  type SanctionDocument,
  type SanctionKind,
  type SanctionScope,
} from "#models/sanction";
import { User, type UserDocument } from "#models/user";
import { type Clock, systemClock } from "~/infra/clock";
import { ServiceError } from "~/infra/errors.server";
import { toObjectId } from "~/db/ids.server";
import { inTransaction } from "~/db/transaction.server";
import { findSuspension } from "~/accounts/suspended.server";
import { deleteAccountOf } from "~/personal-data/deletion.server";
import { exportData } from "~/personal-data/export.server";
import { toCurrentUser } from "~/accounts/users.server";
import { reportsByNetwork } from "~/db/limits.server";
import { readSanctionToken, sanctionToken } from "~/moderation/links.server";
import { readAppeal, TOO_LATE } from "~/moderation/case-page.server";
import { appealEnd } from "~/ui/labels";
import { sanctionPath } from "./sanction-labels";

/** What a warning or a suspension is to whom it is about. */
export interface SanctionView {
  kind: SanctionKind;
  scope: SanctionScope;
  /** All times are ISO 8601, UTC. */
  at: string;
  until: string | null;
  /** Whether it counts: a suspension that has not ended, or a warning that was not taken back. */
  counts: boolean;
  /** Null when it was removed. */
  explanation: string | null;
  hasAppealed: boolean;
  outcome: { at: string; stands: boolean; explanation: string | null } | null;
  /** Until when the reader can appeal; null if they cannot, or have. */
  appealUntil: string | null;
  /** Whether it is an account that is suspended now, which its owner can export and delete here. */
  isAccount: boolean;
}

/** Returns what the holder of that link may know; throws `ServiceError` 404 for a link that is not ours. */
export async function findSanction(
  token: string,
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<SanctionView> {
  const found = await readSanction(token);
  const { kind, scope, at, until, explanation, appeal, outcome } = found;
  const now = clock();
  const counts = outcome?.stands !== false && (until === null || until > now);
  return {
    kind,
    scope,
    at: at.toISOString(),
    until: until?.toISOString() ?? null,
    counts,
    explanation,
    hasAppealed: appeal !== null,
    outcome: outcome && {
      at: outcome.at.toISOString(),
      stands: outcome.stands,
      explanation: outcome.explanation,
    },
    appealUntil: appealDeadline(found, now)?.toISOString() ?? null,
    isAccount: scope === "account" && until !== null && counts && found.subject !== undefined,
  };
}

/** The page that tells the owner of a suspended account why; null when no operator has suspended it. */
export async function findSuspensionPath(
  userId: string,
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<string | null> {
  const found = await findSuspension({ subject: { $in: [userId] }, scope: "account" }, clock());
  return found && sanctionPath(sanctionToken(found._id));
}

/**
 * Stores the appeal of the holder of that link, from a client at `clientAddress`. Throws `FormError`, `ServiceError`
 * 404 for a link that is not ours, 403 when they can no longer appeal, and `RateLimitError` 429.
 */
export async function appealSanction(
  token: string,
  form: Record<string, unknown>,
  clientAddress: string,
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<void> {
  const words = await readAppeal(form, clientAddress);
  await inTransaction(async (session) => {
    const found = await readSanction(token, session);
    const now = clock();
    if (!appealDeadline(found, now)) throw new ServiceError(403, TOO_LATE);
    await Sanction.updateOne(
      { _id: found._id },
      { $set: { appeal: { text: words, at: now }, waitsSince: now }, $unset: { endsAt: true } },
      { session },
    );
  });
}

/**
 * Everything that the site holds on the owner of the suspended account, who holds that link; see `exportData`. Throws
 * `ServiceError` 404 where no account is suspended by it, and `RateLimitError` 429.
 */
export async function exportSuspended(
  token: string,
  clientAddress: string,
): Promise<AsyncGenerator<string>> {
  return exportData(toCurrentUser(await requireSuspended(token, clientAddress)));
}

/** Deletes the suspended account, for its owner, who holds that link. Throws the same. */
export async function deleteSuspended(token: string, clientAddress: string): Promise<void> {
  const user = await requireSuspended(token, clientAddress);
  await deleteAccountOf(toCurrentUser(user), { byOperator: false });
}

async function requireSuspended(token: string, clientAddress: string): Promise<UserDocument> {
  await reportsByNetwork.consume(clientAddress);
  const { isAccount } = await findSanction(token);
  const { subject } = await readSanction(token);
  const user = isAccount && (await User.findById(toObjectId(subject)).lean<UserDocument>());
  if (!user) throw new ServiceError(404, "Log in to do that: your account is not suspended.");
  return user;
}

/** Until when whom it is about can appeal; null if they cannot. */
function appealDeadline({ at, subject, appeal, outcome }: SanctionDocument, now: Date) {
  const end = appealEnd(at);
  return appeal || outcome || subject === undefined || now > end ? null : end;
}

async function readSanction(token: string, session?: ClientSession): Promise<SanctionDocument> {
  const _id = readSanctionToken(token);
  const found = await Sanction.findById(_id, null, { session }).lean<SanctionDocument>();
  if (!found) throw new ServiceError(404, "This link is not valid.");
  return found;
}
