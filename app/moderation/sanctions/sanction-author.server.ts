import { type ClientSession, Types } from "mongoose";
import { z } from "zod";
import { Case, type CaseDocument } from "#models/case";
import { Report, type ReportDocument } from "#models/report";
import { Sanction, SANCTION_KINDS, type SanctionDocument } from "#models/sanction";
import { User, type UserDocument } from "#models/user";
import { DAY_MS } from "~/lib/durations";
import { FormError, isDuplicateKeyError, ServiceError } from "~/lib/errors.server";
import { toObjectId } from "~/db/ids.server";
import { inTransaction } from "~/db/transaction.server";
import { parseInput } from "~/lib/validation.server";
import { claimAccess } from "~/accounts/access.server";
import { findSuspension } from "~/accounts/suspended.server";
import { ownerNames, ownerOfAddress } from "~/mail/outbox.server";
import { findUserByEmail, toCurrentUser } from "~/accounts/users.server";
import { type Caller, requireCaller } from "~/accounts/caller.server";
import { writes } from "~/db/limits.server";
import { notifications } from "~/mail/delivery.server";
import { tookSomethingDown } from "~/moderation/case-reports.server";
import { requireCase } from "~/moderation/decide.server";
import { queueSanction } from "~/moderation/mails.server";
import { hasConflictOfInterest, requireDecider } from "~/moderation/operators.server";
import { wordsField } from "~/moderation/reports/report.server";
import { claimTour } from "~/reviews/ratings.server";
import { monthsAfter, SUSPENSION_DAYS, WARNING_MONTHS } from "~/moderation/labels";
import { moderationTexts } from "~/moderation/refusal-texts";
import { toListedSanctions } from "./sanctions.server";
import { endOfWords } from "./settle.server";
import { findCasesAbout, standingCases, toStandingDecisions } from "./standing.server";

const LISTED = 20;

/** The author of what a case is about (`reportId` null), or who sent one of its reports. */
interface SanctionTarget {
  caseId: string;
  reportId: string | null;
}

export type Misuse = Awaited<ReturnType<typeof getMisuse>>;

type Subject = Awaited<ReturnType<typeof requireSubject>>;

/** Returns what an operator sees before warning or suspending; throws `ServiceError` 404 when there is nobody to name. */
export async function getMisuse(operator: Caller, caseId: string, reportId: string | null) {
  const who = await requireSubject({ caseId, reportId });
  const { scope, user, report } = who;
  const cases = await findCasesAbout(who);
  const standing = standingCases(scope, cases);
  const now = new Date();
  const [decisions, { sanctions, ...state }, refusal] = await Promise.all([
    toStandingDecisions(scope, standing),
    earlierSanctions(who, now),
    sanctionRefusal(await requireDecider(operator), { ...who, standing }, now),
  ]);
  return {
    caseId,
    reportId,
    scope,
    record: { total: cases.length, takenDown: cases.filter(tookSomethingDown).length },
    /** The decisions that it would name. */
    decisions,
    /** Why this operator may neither warn nor suspend; null if they may. */
    refusal,
    /** Empty for a former account, or a reporter who gave none. */
    name: user?.name ?? report?.name ?? "",
    email: user ? null : (report?.email ?? null),
    sanctions: await toListedSanctions(sanctions),
    ...state,
  };
}

const SanctionForm = z.object({
  number: z.coerce.number(),
  kind: z.enum(SANCTION_KINDS, { error: "Choose what to do." }),
  days: z.coerce.number(),
  explanation: wordsField("Explain it to them: they read it."),
});
export const SANCTION_FIELDS = SanctionForm.keyof().options;

/**
 * Warns or suspends the author or a reporter of a case, by the fields of the operator's form, and tells them
 * (docs/rules/moderation.md, Misuse). Throws `FormError`, and `ServiceError` 404 when there is nobody to name, 403 when
 * this operator may not do it, 412 when something has changed since the operator looked.
 */
export async function sanction(
  operator: Caller,
  whom: SanctionTarget,
  form: Record<string, unknown>,
): Promise<void> {
  requireCaller(operator);
  const { kind, number, days, explanation } = parseInput(SanctionForm, form);
  if (kind === "suspension" && !SUSPENSION_DAYS.includes(days))
    throw new FormError({ days: moderationTexts.daysMissing });
  await writes.consume(operator.id);
  const storeSanction = async (session: ClientSession) => {
    const at = new Date();
    const decider = await requireDecider(operator, session);
    const who = await requireSubject(whom, session);
    const { found, subject, scope, user, report } = who;
    // Whether they may decide depends on its guide; what is next, on what somebody else does with the same person.
    await claimTour(found.tourId, session);
    if (user) await claimAccess(user._id, session);
    const standing = standingCases(scope, await findCasesAbout(who, session));
    const refusal = await sanctionRefusal(decider, { ...who, standing }, at, session);
    if (refusal) throw new ServiceError(403, refusal);
    const caseIds = standing.map(({ _id }) => _id);
    // Whether they stand depends on what is decided about an appeal.
    await Case.updateMany({ _id: { $in: caseIds } }, { $set: { weighedAt: at } }, { session });
    const state = await earlierSanctions(who, at, session);
    if (state.number !== number) throw new ServiceError(412, moderationTexts.changedMeanwhile);
    if (kind === "suspension" && !state.isWarned)
      throw new FormError({ kind: moderationTexts.warnFirst });
    const until = kind === "suspension" ? new Date(at.getTime() + days * DAY_MS) : null;
    const suspended = until && scope === "account" ? user : null;
    const stored: SanctionDocument = {
      _id: new Types.ObjectId(),
      subject,
      scope,
      kind,
      number,
      at,
      until,
      operatorId: decider._id,
      caseId: found._id,
      caseIds,
      explanation,
      email: user ? null : (report?.email ?? null),
      ...(suspended?.email && { address: ownerOfAddress(suspended.email) }),
      appeal: null,
      outcome: null,
      endsAt: endOfWords({ at, until }, at),
    };
    await Sanction.create([stored], { session });
    if (suspended)
      await User.updateOne(
        { _id: suspended._id },
        { $set: { suspendedUntil: until } },
        { session },
      );
    const decisions = await toStandingDecisions(scope, standing, session);
    await queueSanction(stored, user, session, decisions);
  };
  await inTransaction(storeSanction).catch((error: unknown) => {
    throw isDuplicateKeyError(error, "number")
      ? new ServiceError(412, moderationTexts.changedMeanwhile)
      : error;
  });
  notifications.wake();
}

/**
 * Returns the case, whose sanctions it gets and all names that they may have; `user` is null for a former account, and
 * for a reporter without one.
 */
async function requireSubject({ caseId, reportId }: SanctionTarget, session?: ClientSession) {
  const found = await requireCase(caseId, session);
  const findSubject = async (id: Types.ObjectId) => {
    const user = await User.findById(id, null, { session }).lean<UserDocument>();
    const subject = id.toString();
    return { user, subject, names: user ? ownerNames(toCurrentUser(user)) : [subject] };
  };
  if (reportId === null)
    return {
      found,
      scope: "account" as const,
      report: null,
      ...(await findSubject(found.authorId)),
    };
  const ofCase = { _id: toObjectId(reportId), caseId: found._id };
  const report = await Report.findOne(ofCase, null, { session }).lean<ReportDocument>();
  if (!report?.reporter) throw new ServiceError(404, moderationTexts.unknownReporter);
  const { reporter, email, address } = report;
  const owner = email !== null && reporter === address ? await findUserByEmail(email) : null;
  // An address that has an account by now is the account's.
  const account = toObjectId(reporter) ?? owner?._id;
  const of = account
    ? await findSubject(account)
    : { user: null, subject: reporter, names: [reporter] };
  return { found, scope: "reports" as const, report, ...of };
}

/** Returns why an operator may neither warn nor suspend; null if they may. */
async function sanctionRefusal(
  operator: UserDocument,
  { found, scope, subject, names, user, standing }: Subject & { standing: CaseDocument[] },
  now: Date,
  session?: ClientSession,
): Promise<string | null> {
  if (await hasConflictOfInterest(operator, found, session)) return moderationTexts.ownCase;
  if (found.decisions.length === 0) return moderationTexts.undecided;
  if (!user && toObjectId(subject)) return moderationTexts.accountDeleted;
  if (standing.length === 0) return moderationTexts.nothingStands[scope];
  const suspended = await findSuspension({ subject: { $in: names }, scope }, now, session);
  return suspended && moderationTexts.suspended;
}

/** Returns the latest sanctions, the number of the next one, and whether a warning counts. */
async function earlierSanctions({ names, scope }: Subject, now: Date, session?: ClientSession) {
  const sanctions = await Sanction.find({ subject: { $in: names }, scope }, null, { session })
    .sort({ number: -1 })
    .limit(LISTED)
    .lean<SanctionDocument[]>();
  const isWarned = sanctions.some(
    ({ kind, at, outcome }) =>
      kind === "warning" && outcome?.stands !== false && monthsAfter(at, WARNING_MONTHS) > now,
  );
  return { sanctions, number: (sanctions[0]?.number ?? 0) + 1, isWarned };
}
