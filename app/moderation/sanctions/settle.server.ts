import type { ClientSession, Types } from "mongoose";
import { Case, type CaseDocument } from "#models/case";
import { Sanction, type SanctionDocument, type SanctionOutcome } from "#models/sanction";
import { User, type UserDocument } from "#models/user";
import { claimAccess } from "~/accounts/access.server";
import { toObjectId } from "~/db/ids.server";
import { queueSanction } from "~/moderation/mails.server";
import { appealEnd, monthsAfter, WARNING_MONTHS } from "~/moderation/labels";
import { speaksAgainst } from "./standing.server";

/**
 * Returns when the words of a warning or a suspension of `at` are removed: nobody can appeal against what was decided
 * at `decidedAt` any more, and it no longer counts.
 */
export function endOfWords(
  { at, until }: Pick<SanctionDocument, "at" | "until">,
  decidedAt: Date,
): Date {
  const ends = [appealEnd(decidedAt), until ?? monthsAfter(at, WARNING_MONTHS)];
  return new Date(Math.max(...ends.map(Number)));
}

/**
 * Stores whether a warning or a suspension stands, and tells whom it is about; what does not stand ends at once. The
 * account's access must be claimed.
 */
export async function settle(
  found: SanctionDocument,
  outcome: SanctionOutcome,
  session: ClientSession,
): Promise<void> {
  const { _id, subject, scope, until } = found;
  await Sanction.updateOne(
    { _id },
    { $set: { outcome, endsAt: endOfWords(found, outcome.at) }, $unset: { waitsSince: true } },
    { session },
  );
  const userId = toObjectId(subject);
  const user = userId && (await User.findById(userId, null, { session }).lean<UserDocument>());
  if (!outcome.stands && until && scope === "account" && user)
    await User.updateOne(
      { _id: user._id, suspendedUntil: until },
      { $unset: { suspendedUntil: true } },
      { session },
    );
  await queueSanction({ ...found, outcome }, user, session);
}

const UNFOUNDED = "No decision that it was about stands any more.";

/** Takes back the warnings and suspensions that stood on a case, when it was the last decision that they stood on. */
export async function takeBackUnfounded(
  decided: CaseDocument,
  { at, operatorId }: { at: Date; operatorId: Types.ObjectId },
  session: ClientSession,
): Promise<void> {
  const standing = await Sanction.find(
    { caseIds: decided._id, subject: { $gt: "" }, "outcome.stands": { $ne: false } },
    null,
    { session },
  ).lean<SanctionDocument[]>();
  for (const found of standing.filter(({ scope }) => !speaksAgainst(scope, decided))) {
    const others = found.caseIds.filter((id) => !id.equals(decided._id));
    const left = await Case.find({ _id: { $in: others } }, "decisions.action", { session }).lean<
      CaseDocument[]
    >();
    if (left.some((one) => speaksAgainst(found.scope, one))) {
      // Written, so that two decisions conflict that take away the last two: each would see the other one's case still
      // stand.
      await Sanction.updateOne({ _id: found._id }, { $set: { weighedAt: at } }, { session });
      continue;
    }
    const userId = toObjectId(found.subject);
    if (userId) await claimAccess(userId, session);
    await settle(found, { at, operatorId, stands: false, explanation: UNFOUNDED }, session);
  }
}
