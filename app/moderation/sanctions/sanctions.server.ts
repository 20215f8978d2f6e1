import type { ClientSession } from "mongoose";
import { z } from "zod";
import { Sanction, type SanctionDocument } from "#models/sanction";
import type { UserDocument } from "#models/user";
import { ownerNames } from "~/mail/outbox.server";
import { claimAccess } from "~/accounts/access.server";
import { type Caller, requireCaller } from "~/accounts/caller.server";
import { toCurrentUser } from "~/accounts/users.server";
import { toObjectId } from "~/db/ids.server";
import { writes } from "~/db/limits.server";
import { findAuthors } from "~/accounts/people.server";
import { inTransaction } from "~/db/transaction.server";
import { FormError, ServiceError } from "~/lib/errors.server";
import { parseInput } from "~/lib/validation.server";
import { notifications } from "~/mail/delivery.server";
import { requireCase } from "~/moderation/decide.server";
import {
  hasConflictOfInterest,
  requireDecider,
  appealRefusal,
} from "~/moderation/operators.server";
import { wordsField } from "~/moderation/reports/report.server";
import { claimTour } from "~/reviews/ratings.server";
import { moderationTexts } from "~/moderation/refusal-texts";
import { toPublicSanction } from "./public-sanction.server";
import { settle } from "./settle.server";

/** How many appeals are listed. */
const LISTED = 20;

export type ListedSanction = Awaited<ReturnType<typeof toListedSanctions>>[number];

/** Returns warnings and suspensions as operators see them, in the same order. */
export async function toListedSanctions(sanctions: SanctionDocument[]) {
  const ids = sanctions.flatMap(({ subject, operatorId }) => [
    operatorId.toString(),
    ...(subject && toObjectId(subject) ? [subject] : []),
  ]);
  const people = await findAuthors(ids);
  return sanctions.map((one) => ({
    ...toPublicSanction(one),
    appeal: one.appeal,
    // Empty for a former account, as is the operator.
    subject: people.get(one.subject ?? "").name,
    operator: people.get(one.operatorId.toString()).name,
  }));
}

/** Returns the appeals against warnings and suspensions that have waited longest. */
export async function waitingSanctions() {
  const found = await Sanction.find({ waitsSince: { $gt: new Date(0) } })
    .sort({ waitsSince: 1, _id: 1 })
    .limit(LISTED)
    .lean<SanctionDocument[]>();
  return toListedSanctions(found);
}

export type OperatorSanction = Awaited<ReturnType<typeof getSanction>>;

/** Returns a warning or a suspension for its page; throws `ServiceError` 404. */
export async function getSanction(operator: Caller, id: string) {
  const found = await requireSanction(id);
  const [listed] = await toListedSanctions([found]);
  const refusal = await outcomeRefusal(await requireDecider(operator), found);
  return { ...listed!, caseId: found.caseId.toString(), refusal };
}

const OutcomeForm = z.object({
  appealed: z.enum(["yes", "no"]),
  outcome: z.enum(["stands", "taken back"], { error: "Choose what to do." }),
  explanation: wordsField("Explain it to them: they read it."),
});
export const OUTCOME_FIELDS = OutcomeForm.keyof().options;

/**
 * Decides whether a warning or a suspension stands, by the fields of the operator's form: about an appeal, or without
 * one to take it back, which ends it at once. Tells whom it is about. Throws `FormError`, and `ServiceError` 404 when
 * there is none of that id, 403 when this operator may not decide it, 412 when somebody has appealed or decided
 * meanwhile.
 */
export async function decideSanction(
  operator: Caller,
  id: string,
  form: Record<string, unknown>,
): Promise<void> {
  requireCaller(operator);
  const { appealed, outcome: chosen, explanation } = parseInput(OutcomeForm, form);
  const stands = chosen === "stands";
  if (appealed === "no" && stands) throw new FormError({ outcome: moderationTexts.nobodyAppealed });
  await writes.consume(operator.id);
  await inTransaction(async (session) => {
    const decider = await requireDecider(operator, session);
    const found = await requireSanction(id, session);
    if (found.outcome || (appealed === "yes") !== (found.appeal !== null))
      throw new ServiceError(412, moderationTexts.changedMeanwhile);
    const userId = toObjectId(found.subject);
    if (userId) await claimAccess(userId, session);
    await claimTour((await requireCase(found.caseId.toString(), session)).tourId, session);
    const refusal = await outcomeRefusal(decider, found, session);
    if (refusal) throw new ServiceError(403, refusal);
    const outcome = { at: new Date(), operatorId: decider._id, stands, explanation };
    await settle(found, outcome, session);
  });
  notifications.wake();
}

async function requireSanction(id: string, session?: ClientSession): Promise<SanctionDocument> {
  const _id = toObjectId(id);
  const found = _id && (await Sanction.findById(_id, null, { session }).lean<SanctionDocument>());
  if (!found) throw new ServiceError(404, moderationTexts.noSanction);
  return found;
}

async function outcomeRefusal(
  operator: UserDocument,
  { subject, operatorId, caseId, appeal, outcome }: SanctionDocument,
  session?: ClientSession,
): Promise<string | null> {
  if (outcome) return moderationTexts.outcomeDecided;
  if (subject === undefined) return moderationTexts.accountDeleted;
  const isSubject = (user: UserDocument) => ownerNames(toCurrentUser(user)).includes(subject);
  if (isSubject(operator)) return moderationTexts.ownAccount;
  const found = await requireCase(caseId.toString(), session);
  const isConcerned = async (user: UserDocument) =>
    isSubject(user) || hasConflictOfInterest(user, found, session);
  if (await isConcerned(operator)) return moderationTexts.ownCase;
  return appeal && appealRefusal(operator._id, operatorId, isConcerned, session);
}
