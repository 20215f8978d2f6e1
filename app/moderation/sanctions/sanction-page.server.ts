import type { ClientSession } from "mongoose";
import { Sanction, type SanctionDocument } from "#models/sanction";
import { User, type UserDocument } from "#models/user";
import { findSuspension } from "~/accounts/suspended.server";
import { toCurrentUser } from "~/accounts/users.server";
import { toObjectId } from "~/db/ids.server";
import { reportsByNetwork } from "~/moderation/limits.server";
import { env } from "~/config/env.server";
import { ServiceError } from "~/lib/errors.server";
import { appealBy, appealDeadline } from "~/moderation/appeals.server";
import { notValid, readToken, sanctionToken } from "~/moderation/links.server";
import { deleteAccountOf } from "~/personal-data/deletion.server";
import { exportData } from "~/personal-data/export.server";
import { sanctionPath } from "~/moderation/labels";
import { moderationTexts } from "~/moderation/refusal-texts";
import { toPublicSanction } from "./public-sanction.server";
import { standingDecisions } from "./standing.server";

export type SanctionView = Awaited<ReturnType<typeof findSanction>>;

/** Returns what the holder of that link may know; throws `ServiceError` 404 for a link that is not ours. */
export async function findSanction(token: string) {
  const link = await readSanction(token);
  const { scope, until, subject, outcome } = link.found;
  const now = new Date();
  const counts = outcome?.stands !== false && (until === null || until > now);
  const isSuspension = scope === "account" && until !== null && counts;
  const isDeleted = isSuspension && subject === undefined;
  return {
    ...toPublicSanction(link.found),
    /** Whether a suspension has not ended, or a warning was not taken back. */
    counts,
    /** The decisions that it stands on, as far as they still stand. */
    decisions: subject === undefined ? [] : await standingDecisions(link.found),
    hasAppealed: link.hasAppealed,
    appealUntil: isDeleted ? null : appealDeadline(link, now),
    /** Whether it is an account that is suspended now, which its owner can export and delete here. */
    isAccount: isSuspension && !isDeleted,
    /** Whether its owner has deleted that account. */
    isDeleted,
    timeZone: env().timeZone,
  };
}

/** Returns the page that tells the owner of a suspended account why; null when no operator has suspended it. */
export async function findSuspensionPath(userId: string): Promise<string | null> {
  const found = await findSuspension({ subject: { $in: [userId] }, scope: "account" }, new Date());
  return found && sanctionPath(sanctionToken(found._id));
}

/** Stores an appeal by a sanction's link, see `appealBy`. */
export const appealSanction = appealBy(readSanction, ({ found }, { text, at }, session) =>
  Sanction.updateOne(
    { _id: found._id },
    { $set: { appeal: { text, at }, waitsSince: at }, $unset: { endsAt: true } },
    { session },
  ),
);

/**
 * Returns everything that the site holds on the owner of the suspended account, who holds that link; see `exportData`.
 * Throws `ServiceError` 404 where no account is suspended by it, and `RateLimitError` 429.
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
  const { found } = await readSanction(token);
  const user = isAccount && (await User.findById(toObjectId(found.subject)).lean<UserDocument>());
  if (!user) throw new ServiceError(404, moderationTexts.notSuspended);
  return user;
}

async function readSanction(token: string, session?: ClientSession) {
  const { id } = readToken(token, ["sanction"]);
  const found = await Sanction.findById(id, null, { session }).lean<SanctionDocument>();
  if (!found) throw notValid();
  const { at, subject, appeal, outcome } = found;
  return { found, decidedAt: outcome || !subject ? null : at, hasAppealed: appeal !== null };
}
