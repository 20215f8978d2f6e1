import type { ClientSession } from "mongoose";
import { z } from "zod";
import {
  Sanction,
  type SanctionDocument,
  type SanctionKind,
  type SanctionScope,
} from "#models/sanction";
import { User, type UserDocument } from "#models/user";
import { type Clock, systemClock } from "~/infra/clock";
import { FormError, ServiceError } from "~/infra/errors.server";
import { toObjectId } from "~/db/ids.server";
import { inTransaction } from "~/db/transaction.server";
import { parseInput } from "~/infra/validation.server";
import { findAuthors } from "~/db/people.server";
import { namesOf } from "~/mail/outbox.server";
import { toCurrentUser } from "~/accounts/users.server";
import { type Caller, requireCaller } from "~/accounts/caller.server";
import { writes } from "~/db/limits.server";
import { wakeNotifications } from "~/mail/delivery.server";
import {
  hasConflictOfInterest,
  OWN_CASE,
  whyNotOnAppeal,
} from "~/moderation/conflict-of-interest.server";
import { CHANGED_MEANWHILE, requireCase } from "~/moderation/decide.server";
import { requireDecider } from "~/moderation/operators.server";
import { wordsField } from "~/moderation/reports/report.server";
import { appealEnd, monthsAfter, WARNING_MONTHS } from "~/ui/labels";
import { queueSanction } from "./sanction-mails.server";

/**
 * When the words of a warning or a suspension of `at` are removed: nobody can appeal against what was decided at
 * `decidedAt` any more, and it no longer counts.
 */
export function endOfWords(
  { at, until }: Pick<SanctionDocument, "at" | "until">,
  decidedAt: Date,
): Date {
  const ends = [appealEnd(decidedAt), until ?? monthsAfter(at, WARNING_MONTHS)];
  return new Date(Math.max(...ends.map(Number)));
}

/** How many appeals are listed. */
const LISTED = 20;

/** A warning or a suspension as an operator sees it. */
export interface ListedSanction {
  id: string;
  scope: SanctionScope;
  kind: SanctionKind;
  /** All times are ISO 8601, UTC. */
  at: string;
  until: string | null;
  /** Whose it is, and who decided it; empty for a former account. */
  name: string;
  operator: string;
  explanation: string | null;
  appeal: { text: string | null; at: string } | null;
  outcome: { stands: boolean; explanation: string | null; at: string } | null;
}

/** As operators see them, in the same order. */
export async function toListedSanctions(sanctions: SanctionDocument[]): Promise<ListedSanction[]> {
  const ids = sanctions.flatMap(({ subject, operatorId }) => [
    operatorId.toString(),
    ...(toObjectId(subject) ? [subject!] : []),
  ]);
  const people = await findAuthors(ids);
  return sanctions.map(({ _id, subject, scope, kind, at, until, operatorId, ...words }) => ({
    id: _id.toString(),
    scope,
    kind,
    at: at.toISOString(),
    until: until?.toISOString() ?? null,
    name: people.get(subject ?? "")?.name ?? "",
    operator: people.get(operatorId.toString())!.name,
    explanation: words.explanation,
    appeal: words.appeal && { text: words.appeal.text, at: words.appeal.at.toISOString() },
    outcome: words.outcome && {
      stands: words.outcome.stands,
      explanation: words.outcome.explanation,
      at: words.outcome.at.toISOString(),
    },
  }));
}

/** The appeals against warnings and suspensions that have waited longest. */
export async function waitingSanctions(): Promise<ListedSanction[]> {
  const found = await Sanction.find({ waitsSince: { $gt: new Date(0) } })
    .sort({ waitsSince: 1, _id: 1 })
    .limit(LISTED)
    .lean<SanctionDocument[]>();
  return toListedSanctions(found);
}

/** A warning or a suspension on its page for operators. */
export interface OperatorSanction extends ListedSanction {
  caseId: string;
  /** Why this operator may not decide about it; null if they may. */
  refusal: string | null;
}

/** Returns a warning or a suspension for its page; throws `ServiceError` 404. */
export async function getSanction(operator: Caller, id: string): Promise<OperatorSanction> {
  const found = await requireSanction(id);
  const [listed] = await toListedSanctions([found]);
  const refusal = await whyNot(await requireDecider(operator), found);
  return { ...listed!, caseId: found.caseId.toString(), refusal };
}

const OutcomeForm = z.object({
  appealed: z.enum(["yes", "no"]),
  outcome: z.enum(["stands", "taken back"], { error: "Choose what to do." }),
  explanation: wordsField("Explain it to them: they read it."),
});

/**
 * Decides whether a warning or a suspension stands, by the fields of the operator's form: about an appeal, or without
 * one to take it back. What is taken back ends at once. Tells whom it is about. Throws `FormError`, and `ServiceError`
 * 404 when there is none of that id, 403 when this operator may not decide it, 412 when somebody has appealed or
 * decided meanwhile.
 */
export async function decideSanction(
  operator: Caller,
  id: string,
  form: Record<string, unknown>,
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<void> {
  requireCaller(operator);
  const { appealed, outcome: chosen, explanation } = parseInput(OutcomeForm, form);
  if (appealed === "no" && chosen === "stands")
    throw new FormError({ outcome: "Nobody has appealed: it stands." });
  await writes.consume(operator.id);
  await inTransaction(async (session) => {
    const decider = await requireDecider(operator, session);
    const found = await requireSanction(id, session);
    if (found.outcome || (appealed === "yes") !== (found.appeal !== null))
      throw new ServiceError(412, CHANGED_MEANWHILE);
    const refusal = await whyNot(decider, found, session);
    if (refusal) throw new ServiceError(403, refusal);
    const now = clock();
    const stands = chosen === "stands";
    const outcome = { at: now, operatorId: decider._id, stands, explanation };
    const { _id, scope, until } = found;
    await Sanction.updateOne(
      { _id },
      { $set: { outcome, endsAt: endOfWords(found, now) }, $unset: { waitsSince: true } },
      { session },
    );
    const user = await findSubject(found, session);
    if (!stands && until && scope === "account" && user)
      await User.updateOne(
        { _id: user._id, suspendedUntil: until },
        { $unset: { suspendedUntil: true } },
        { session },
      );
    await queueSanction({ ...found, outcome }, user, session);
  });
  wakeNotifications();
}

async function requireSanction(id: string, session?: ClientSession): Promise<SanctionDocument> {
  const _id = toObjectId(id);
  const found = _id && (await Sanction.findById(_id, null, { session }).lean<SanctionDocument>());
  if (!found) throw new ServiceError(404, "There is no such warning or suspension.");
  return found;
}

async function findSubject(
  { subject }: SanctionDocument,
  session: ClientSession,
): Promise<UserDocument | null> {
  const _id = toObjectId(subject);
  return _id && User.findById(_id, null, { session }).lean<UserDocument>();
}

async function whyNot(
  operator: UserDocument,
  { subject, operatorId, caseId, appeal, outcome }: SanctionDocument,
  session?: ClientSession,
): Promise<string | null> {
  if (outcome) return "It was decided whether this stands.";
  if (subject === undefined) return "The account has been deleted.";
  if (namesOf(toCurrentUser(operator)).includes(subject))
    return "You cannot decide about your own account.";
  const found = await requireCase(caseId.toString(), session);
  if (await hasConflictOfInterest(operator, found, session)) return OWN_CASE;
  return appeal && whyNotOnAppeal(operator._id, operatorId, session);
}
