import type { Types } from "mongoose";
import { Case, type CaseDocument } from "#models/case";
import { Report, type ReportDocument } from "#models/report";
import { User, type UserDocument } from "#models/user";
import { toObjectId } from "~/db/ids.server";
import { ownerOfAddress } from "~/mail/outbox.server";

const REPORTS_PER_PAGE = 20;

/** How many reports of all reporters of a page together are read, the newest ones. */
const MOST_EARLIER = 1_000;

/** How many reports or cases there are of somebody, and in how many something was taken down. */
interface TrackRecord {
  total: number;
  takenDown: number;
}

const NONE: TrackRecord = { total: 0, takenDown: 0 };

/** Returns a page of the reports of a case, oldest first, after the one of that id. */
export async function findReports(caseId: Types.ObjectId, after: string | null) {
  const place = toObjectId(after);
  const found = await Report.find({ caseId, ...(place && { _id: { $gt: place } }) })
    .sort({ _id: 1 })
    .limit(REPORTS_PER_PAGE + 1)
    .lean<ReportDocument[]>();
  const page = found.slice(0, REPORTS_PER_PAGE);
  const records = await findRecords(
    page.flatMap(({ reporter }) => reporter ?? []),
    caseId,
  );
  const last = found.length > REPORTS_PER_PAGE ? page.at(-1) : undefined;
  return {
    items: page.map(({ _id, reporter, at, reason, words, name, email }) => ({
      id: _id.toString(),
      reason,
      words,
      name,
      email,
      at,
      /** Reports in other cases; null where nobody knows who it was. */
      earlier: reporter ? (records.get(reporter) ?? NONE) : null,
    })),
    next: last?._id.toString() ?? null,
  };
}

/** Returns whether something was redacted or removed in the case, and not given back on appeal. */
export function tookSomethingDown({ decisions }: Pick<CaseDocument, "decisions">): boolean {
  const last = decisions.findLast(({ action }) => action !== "keep")?.action;
  return last === "redact" || last === "remove";
}

/** Returns those reporters that are accounts, each by its address's name (`ownerNames`). */
async function ownersOfAddresses(reporters: string[]): Promise<Map<string, string>> {
  const ids = reporters.flatMap((name) => toObjectId(name) ?? []);
  if (ids.length === 0) return new Map();
  const users = await User.find({ _id: { $in: ids } }, "email").lean<UserDocument[]>();
  return new Map(users.map(({ _id, email }) => [ownerOfAddress(email), _id.toString()]));
}

/** Returns the records of these accounts and addresses, without their reports in the case of that id. */
async function findRecords(
  reporters: string[],
  exceptIn?: Types.ObjectId,
): Promise<Map<string, TrackRecord>> {
  if (reporters.length === 0) return new Map();
  const owners = await ownersOfAddresses(reporters);
  const newest = await Report.find(
    { reporter: { $in: [...new Set([...reporters, ...owners.keys()])] } },
    "reporter caseId",
  )
    .sort({ at: -1 })
    .limit(MOST_EARLIER)
    .lean<Required<Pick<ReportDocument, "reporter" | "caseId">>[]>();
  // Excluded here and not in the filter, so that an index has the whole filter.
  const reports = newest.filter((one) => !exceptIn?.equals(one.caseId));
  if (reports.length === 0) return new Map();
  const ids = [...new Set(reports.map((one) => one.caseId.toString()))];
  const cases = await Case.find({ _id: { $in: ids } }, "decisions.action").lean<CaseDocument[]>();
  const tookDown = new Set(cases.filter(tookSomethingDown).map(({ _id }) => _id.toString()));
  const records = new Map<string, TrackRecord>();
  for (const { reporter: name, caseId } of reports) {
    const reporter = owners.get(name) ?? name;
    const { total, takenDown } = records.get(reporter) ?? NONE;
    const isOne = tookDown.has(caseId.toString()) ? 1 : 0;
    records.set(reporter, { total: total + 1, takenDown: takenDown + isOne });
  }
  return records;
}
