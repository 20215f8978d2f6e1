import type { Types } from "mongoose";
import { Case, type CaseDocument, type Reason } from "#models/case";
import { Report, type ReportDocument } from "#models/report";
import { User, type UserDocument } from "#models/user";
import { toObjectId } from "~/db/ids.server";
import type { CursorPage } from "~/db/cursor.server";
import { ownerOfAddress } from "~/mail/outbox.server";

/** How many reports stand on a page. */
const REPORTS_PER_PAGE = 20;

/** Of all reporters of a page together so many reports are looked at, the newest ones. */
const MOST_EARLIER = 1_000;

/** One report, with what became of the reporter's other ones; null where nobody knows who it was. */
export interface CaseReport {
  id: string;
  reason: Reason;
  words: string | null;
  name: string | null;
  email: string | null;
  at: string;
  earlier: Earlier | null;
}

/** How many reports in other cases, and of how many of these something was taken down. */
interface Earlier {
  reports: number;
  upheld: number;
}

/** Returns a page of the reports of a case, oldest first, after the one of that id. */
export async function findReports(
  caseId: Types.ObjectId,
  after: string | null,
): Promise<CursorPage<CaseReport>> {
  const place = toObjectId(after);
  const found = await Report.find({ caseId, ...(place && { _id: { $gt: place } }) })
    .sort({ _id: 1 })
    .limit(REPORTS_PER_PAGE + 1)
    .lean<ReportDocument[]>();
  const page = found.slice(0, REPORTS_PER_PAGE);
  const earlier = await findEarlier(
    page.flatMap(({ reporter }) => reporter ?? []),
    caseId,
  );
  return {
    items: page.map(({ _id, reporter, at, reason, words, name, email }) => ({
      id: _id.toString(),
      reason,
      words,
      name,
      email,
      at: at.toISOString(),
      earlier: reporter ? (earlier.get(reporter) ?? { reports: 0, upheld: 0 }) : null,
    })),
    next: found.length > REPORTS_PER_PAGE ? page.at(-1)!._id.toString() : null,
  };
}

/** What a case has decided. */
interface Decided {
  _id: Types.ObjectId;
  decisions: Pick<CaseDocument["decisions"][number], "action">[];
}

/** Whether something was redacted or removed in the case, and not given back on appeal. */
export const tookSomethingDown = ({ decisions }: Pick<Decided, "decisions">): boolean =>
  ["redact", "remove"].includes(
    decisions.findLast(({ action }) => action !== "keep")?.action ?? "",
  );

/** Returns the ids of those of these cases in which something was taken down (`tookSomethingDown`). */
export async function casesThatTookDown(ids: (Types.ObjectId | string)[]): Promise<Set<string>> {
  const cases = await Case.find({ _id: { $in: ids } }, "decisions.action").lean<Decided[]>();
  return new Set(cases.filter(tookSomethingDown).map(({ _id }) => _id.toString()));
}

/** Of those reporters that are accounts, each by its address's name (`namesOf`). */
async function ownersOfAddresses(reporters: string[]): Promise<Map<string, string>> {
  const ids = reporters.flatMap((name) => toObjectId(name) ?? []);
  if (ids.length === 0) return new Map();
  const users = await User.find({ _id: { $in: ids } }, "email").lean<UserDocument[]>();
  return new Map(users.map(({ _id, email }) => [ownerOfAddress(email), _id.toString()]));
}

/** What became of the reports of these accounts and addresses in other cases. */
async function findEarlier(
  reporters: string[],
  caseId: Types.ObjectId,
): Promise<Map<string, Earlier>> {
  if (reporters.length === 0) return new Map();
  const owners = await ownersOfAddresses(reporters);
  const newest = await Report.find(
    { reporter: { $in: [...new Set([...reporters, ...owners.keys()])] } },
    "reporter caseId",
  )
    .sort({ at: -1 })
    .limit(MOST_EARLIER)
    .lean<Required<Pick<ReportDocument, "reporter" | "caseId">>[]>();
  // Not in the filter, which an index then has whole.
  const reports = newest.filter((one) => !one.caseId.equals(caseId));
  if (reports.length === 0) return new Map();
  const ids = [...new Set(reports.map((one) => one.caseId.toString()))];
  const upheld = await casesThatTookDown(ids);
  const earlier = new Map<string, Earlier>();
  for (const { reporter: name, caseId } of reports) {
    const reporter = owners.get(name) ?? name;
    const before = earlier.get(reporter) ?? { reports: 0, upheld: 0 };
    earlier.set(reporter, {
      reports: before.reports + 1,
      upheld: before.upheld + (upheld.has(caseId.toString()) ? 1 : 0),
    });
  }
  return earlier;
}
