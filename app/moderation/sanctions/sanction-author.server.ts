import { type ClientSession, Types } from "mongoose";
import { z } from "zod";
import { Case, type CaseDocument } from "#models/case";
import { Report, type ReportDocument } from "#models/report";
import {
  Sanction,
  SANCTION_KINDS,
  type SanctionDocument,
  type SanctionScope,
} from "#models/sanction";
import { User, type UserDocument } from "#models/user";
import { type Clock, systemClock } from "~/infra/clock";
import { FormError, isDuplicateKeyError, ServiceError } from "~/infra/errors.server";
import { toObjectId } from "~/db/ids.server";
import { inTransaction } from "~/db/transaction.server";
import { parseInput } from "~/infra/validation.server";
import { findSuspension } from "~/accounts/suspended.server";
import { namesOf, ownerOfAddress } from "~/mail/outbox.server";
import { findUserByEmail, toCurrentUser } from "~/accounts/users.server";
import { type Caller, requireCaller } from "~/accounts/caller.server";
import { writes } from "~/db/limits.server";
import { wakeNotifications } from "~/mail/delivery.server";
import { casesThatTookDown, tookSomethingDown } from "~/moderation/case-reports.server";
import { hasConflictOfInterest, OWN_CASE } from "~/moderation/conflict-of-interest.server";
import { CHANGED_MEANWHILE, requireCase } from "~/moderation/decide.server";
import { requireDecider } from "~/moderation/operators.server";
import { wordsField } from "~/moderation/reports/report.server";
import { monthsAfter, SUSPENSION_DAYS, WARNING_MONTHS } from "~/ui/labels";
import { queueSanction } from "./sanction-mails.server";
import { endOfWords, type ListedSanction, toListedSanctions } from "./sanctions.server";

/** How many earlier cases, reports and sanctions are looked at. */
const LOOKED_AT = 100;
const LISTED = 20;

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Whom a warning or a suspension would be about, as an operator sees it before deciding. */
export interface Misuse {
  caseId: string;
  /** The report whose sender it is; null for the author of what the case is about. */
  reportId: string | null;
  scope: SanctionScope;
  /** Empty for a former account, or a reporter who gave none. */
  name: string;
  /** That a reporter without an account gave. */
  email: string | null;
  /** How many cases there were of what they wrote, or reports of theirs, and in how many something was taken down. */
  record: { total: number; takenDown: number };
  /** Latest first. */
  sanctions: ListedSanction[];
  /** That of the next one, which the form carries. */
  number: number;
  /** Whether a warning counts, so that a suspension may follow. */
  isWarned: boolean;
  /** Why this operator may do neither; null if they may. */
  refusal: string | null;
}

/** Whose misuse a case shows. */
interface Subject {
  found: CaseDocument;
  scope: SanctionScope;
  /** Whose sanctions it gets, and all names that they may have. */
  subject: string;
  names: string[];
  /** Null for a former account, and for a reporter without one. */
  user: UserDocument | null;
  report: ReportDocument | null;
}

/**
 * Returns what an operator sees before warning or suspending the author of what a case is about (`reportId` null) or
 * who sent one of its reports. Throws `ServiceError` 404 when there is nobody to name.
 */
export async function getMisuse(
  operator: Caller,
  caseId: string,
  reportId: string | null,
): Promise<Misuse> {
  const who = await requireSubject({ caseId, reportId });
  const { names, scope, user, report } = who;
  const [record, state, refusal] = await Promise.all([
    scope === "account" ? recordOfAuthor(who.found.authorId) : recordOfReporter(names),
    stateOf(who, new Date()),
    whyNot(await requireDecider(operator), who, new Date()),
  ]);
  return {
    caseId,
    reportId,
    scope,
    record,
    refusal,
    name: user?.name ?? report?.name ?? "",
    email: user ? null : (report?.email ?? null),
    sanctions: await toListedSanctions(state.sanctions),
    number: state.number,
    isWarned: state.isWarned,
  };
}

const SanctionForm = z.object({
  number: z.coerce.number(),
  kind: z.enum(SANCTION_KINDS, { error: "Choose what to do." }),
  days: z.coerce.number(),
  explanation: wordsField("Explain it to them: they read it."),
});

/**
 * Warns or suspends the author or a reporter of a case, by the fields of the operator's form, and tells them
 * (docs/rules/moderation.md, Misuse). Throws `FormError`, and `ServiceError` 404 when there is nobody to name, 403 when this
 * operator may not do it, 412 when something has changed since the operator looked.
 */
export async function sanction(
  operator: Caller,
  whom: Pick<Misuse, "caseId" | "reportId">,
  form: Record<string, unknown>,
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<void> {
  requireCaller(operator);
  const input = parseInput(SanctionForm, form);
  const { kind, number, explanation } = input;
  if (kind === "suspension" && !SUSPENSION_DAYS.includes(input.days))
    throw new FormError({ days: "Choose for how long." });
  await writes.consume(operator.id);
  const store = async (session: ClientSession) => {
    const now = clock();
    const decider = await requireDecider(operator, session);
    const who = await requireSubject(whom, session);
    const { subject, scope, user, report } = who;
    const refusal = await whyNot(decider, who, now, session);
    if (refusal) throw new ServiceError(403, refusal);
    const state = await stateOf(who, now, session);
    if (state.number !== number) throw new ServiceError(412, CHANGED_MEANWHILE);
    if (kind === "suspension" && !state.isWarned)
      throw new FormError({ kind: "Warn first: a suspension follows only a warning." });
    const until = kind === "suspension" ? new Date(now.getTime() + input.days * DAY_MS) : null;
    const stored: SanctionDocument = {
      _id: new Types.ObjectId(),
      subject,
      scope,
      kind,
      number,
      at: now,
      until,
      operatorId: decider._id,
      caseId: who.found._id,
      explanation,
      email: user ? null : (report?.email ?? null),
      ...(until && scope === "account" && user?.email && { address: ownerOfAddress(user.email) }),
      appeal: null,
      outcome: null,
      endsAt: endOfWords({ at: now, until }, now),
    };
    await Sanction.create([stored], { session });
    if (until && scope === "account")
      await User.updateOne({ _id: user!._id }, { $set: { suspendedUntil: until } }, { session });
    await queueSanction(stored, user, session);
  };
  await inTransaction(store).catch((error: unknown) => {
    throw isDuplicateKeyError(error, "number") ? new ServiceError(412, CHANGED_MEANWHILE) : error;
  });
  wakeNotifications();
}

async function requireSubject(
  { caseId, reportId }: Pick<Misuse, "caseId" | "reportId">,
  session?: ClientSession,
): Promise<Subject> {
  const found = await requireCase(caseId, session);
  const accountOf = async (id: Types.ObjectId) => {
    const user = await User.findById(id, null, { session }).lean<UserDocument>();
    const subject = id.toString();
    return { user, subject, names: user ? namesOf(toCurrentUser(user)) : [subject] };
  };
  if (reportId === null)
    return { found, scope: "account", report: null, ...(await accountOf(found.authorId)) };
  const _id = toObjectId(reportId);
  const report =
    _id &&
    (await Report.findOne({ _id, caseId: found._id }, null, {
      session,
    }).lean<ReportDocument>());
  if (!report?.reporter)
    throw new ServiceError(
      404,
      "Nobody knows who reported it: they gave no address, or have not opened its e-mail.",
    );
  const owner = report.email === null ? null : await findUserByEmail(report.email);
  // An address that has an account by now is the account's.
  const account =
    toObjectId(report.reporter) ??
    (report.reporter === report.address && owner ? owner._id : undefined);
  return {
    found,
    scope: "reports",
    report,
    ...(account
      ? await accountOf(account)
      : { user: null, subject: report.reporter, names: [report.reporter] }),
  };
}

/** Why an operator may neither warn nor suspend; null if they may. */
async function whyNot(
  operator: UserDocument,
  { found, scope, subject, names, user }: Subject,
  now: Date,
  session?: ClientSession,
): Promise<string | null> {
  if (await hasConflictOfInterest(operator, found, session)) return OWN_CASE;
  if (found.decisions.length === 0) return "Decide about the case first.";
  if (!user && toObjectId(subject)) return "The account has been deleted.";
  const suspended = await findSuspension({ subject: { $in: names }, scope }, now, session);
  return suspended && "There is a suspension, which has not ended yet.";
}

async function stateOf(
  { names, scope }: Pick<Subject, "names" | "scope">,
  now: Date,
  session?: ClientSession,
): Promise<{ sanctions: SanctionDocument[]; number: number; isWarned: boolean }> {
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

async function recordOfAuthor(authorId: Types.ObjectId): Promise<Misuse["record"]> {
  const cases = await Case.find({ authorId }, "decisions.action")
    .sort({ openedAt: -1 })
    .limit(LOOKED_AT)
    .lean<CaseDocument[]>();
  return { total: cases.length, takenDown: cases.filter(tookSomethingDown).length };
}

async function recordOfReporter(names: string[]): Promise<Misuse["record"]> {
  const reports = await Report.find({ reporter: { $in: names } }, "caseId")
    .sort({ at: -1 })
    .limit(LOOKED_AT)
    .lean<Required<Pick<ReportDocument, "caseId">>[]>();
  const upheld = await casesThatTookDown(reports.map(({ caseId }) => caseId));
  const takenDown = reports.filter(({ caseId }) => upheld.has(caseId.toString())).length;
  return { total: reports.length, takenDown };
}
