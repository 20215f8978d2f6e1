import type { ClientSession, Types } from "mongoose";
import { Case, type CaseDocument } from "#models/case";
import { Report, type ReportDocument } from "#models/report";
import type { SanctionDocument, SanctionScope } from "#models/sanction";
import { Tour, type TourDocument } from "#models/tour";
import { toObjectId } from "~/db/ids.server";
import { tookSomethingDown } from "~/moderation/case-reports.server";
import { actionInWords } from "~/moderation/labels";

// The decisions that a warning or a suspension stands on (docs/rules/moderation.md, Misuse).

/** How many cases of somebody are read, the newest ones. */
const MOST_CASES = 100;
/** How many of their decisions a warning or a suspension names. */
const NAMED = 20;

/**
 * Returns whether what was decided in a case speaks against its author: something is taken down; or against who
 * reported it: nothing is.
 */
export const speaksAgainst = (scope: SanctionScope, found: Pick<CaseDocument, "decisions">) =>
  found.decisions.length > 0 && tookSomethingDown(found) === (scope === "account");

/** Returns the newest cases about what somebody wrote, or that they have reported, by any of their names. */
export async function findCasesAbout(
  { scope, names }: { scope: SanctionScope; names: string[] },
  session?: ClientSession,
): Promise<CaseDocument[]> {
  const findNewestCases = (filter: object) =>
    Case.find(filter, null, { session })
      .sort({ openedAt: -1 })
      .limit(MOST_CASES)
      .lean<CaseDocument[]>();
  if (scope === "account")
    return findNewestCases({ authorId: { $in: names.flatMap((name) => toObjectId(name) ?? []) } });
  const reports = await Report.find({ reporter: { $in: names } }, "caseId", { session })
    .sort({ at: -1 })
    .limit(MOST_CASES)
    .lean<ReportDocument[]>();
  return findNewestCases({ _id: { $in: reports.map(({ caseId }) => caseId) } });
}

/** Returns those of somebody's cases that a warning or a suspension can stand on. */
export const standingCases = (scope: SanctionScope, cases: CaseDocument[]): CaseDocument[] =>
  cases.filter((found) => speaksAgainst(scope, found)).slice(0, NAMED);

export type StandingDecision = Awaited<ReturnType<typeof toStandingDecisions>>[number];

/** Returns what they are told of these cases: a reporter neither words of others, nor of which tour. */
export async function toStandingDecisions(
  scope: SanctionScope,
  cases: CaseDocument[],
  session?: ClientSession,
) {
  const ids = scope === "account" ? cases.map(({ tourId }) => tourId) : [];
  const tours =
    ids.length === 0
      ? []
      : await Tour.find({ _id: { $in: ids } }, "title", { session }).lean<TourDocument[]>();
  const tourTitle = (id: Types.ObjectId) => tours.find(({ _id }) => _id.equals(id))?.title ?? null;
  return cases.flatMap(({ decisions, kind, tourId }) => {
    const decision = decisions.findLast(({ action }) => action !== "keep") ?? decisions.at(-1);
    if (!decision) return [];
    const { _id, at, action, ground } = decision;
    const done = actionInWords(action, kind);
    return [{ id: _id.toString(), at, done, ground, kind, tourTitle: tourTitle(tourId) }];
  });
}

/** Returns the decisions that still stand of those that a warning or a suspension stands on. */
export async function standingDecisions({
  scope,
  caseId,
  caseIds = [caseId],
}: Pick<SanctionDocument, "scope" | "caseId"> & { caseIds?: Types.ObjectId[] }) {
  const cases = await Case.find({ _id: { $in: caseIds } })
    .sort({ openedAt: -1 })
    .lean<CaseDocument[]>();
  return toStandingDecisions(scope, standingCases(scope, cases));
}
