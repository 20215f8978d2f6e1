import type { ClientSession, Types } from "mongoose";
import { Case, type CaseDocument } from "#models/case";
import { NO_ID } from "#models/reading";
import { type NotTaken, Report, type ReportDocument } from "#models/report";
import { ServiceError } from "~/infra/errors.server";
import { inTransaction } from "~/db/transaction.server";
import { forgetAddress } from "~/personal-data/case-words.server";
import { findUserByEmail } from "~/accounts/users.server";
import { reportsByNetwork } from "~/db/limits.server";
import { readCaseToken, readMailedToken, receiptToken } from "~/moderation/links.server";
import { casePath } from "~/ui/labels";

// What the links of reporters and authors lead to, and whether the address that a report names is its sender's.

/** How many cases of an item are looked at, the newest ones. */
const CASES_OF_ITEM = 20;

/** The receipt of an e-mail's link, for its reader. */
export interface MailedReceipt {
  /** The page of the receipt, once its reader has said that they sent the report; null before. */
  path: string | null;
  /** Whether the report still names the address. */
  hasAddress: boolean;
}

/** Returns what the link of a receipt's e-mail leads to; throws `ServiceError` 404 for a link that is not ours. */
export async function findMailedReceipt(token: string): Promise<MailedReceipt> {
  const { _id, email, openedAt } = await requireMailed(token);
  return {
    path: openedAt ? casePath(receiptToken(_id)) : null,
    hasAddress: email !== null,
  };
}

/**
 * Notes that the reader of the e-mail with that link has sent the report: the address is theirs. Throws `ServiceError`
 * 404 for a link that is not ours, and `RateLimitError` 429.
 */
export async function openReceipt(token: string, clientAddress: string): Promise<void> {
  await reportsByNetwork.consume(clientAddress);
  const report = await requireMailed(token);
  const { _id, email, address, reporter, notTaken } = report;
  if (email === null) return;
  const owner = notTaken || reporter ? null : await findUserByEmail(email);
  // Where the address has an account, the report is the account's.
  const proven = notTaken ? undefined : (reporter ?? owner?._id.toString() ?? address);
  const opened = { openedAt: new Date(), ...(proven && { reporter: proven }) };
  await inTransaction((session) =>
    Report.updateOne({ _id, email, openedAt: null }, { $set: opened }, { session }),
  );
}

/** Removes the address from the report of that link, for its reader, who has not sent it. Throws the same. */
export async function denyReport(token: string, clientAddress: string): Promise<void> {
  await reportsByNetwork.consume(clientAddress);
  const { _id, openedAt } = await requireMailed(token);
  if (!openedAt) await forgetAddress({ _id });
}

async function requireMailed(token: string): Promise<ReportDocument> {
  const report = await Report.findById(readMailedToken(token)).lean<ReportDocument>();
  if (!report) throw new ServiceError(404, "This link is not valid.");
  return report;
}

/** Returns the case of a link, and the report of a receipt's; throws `ServiceError` 404 for a link that is not ours. */
export async function readCase(
  token: string,
  session?: ClientSession,
): Promise<{ found: CaseDocument; report: ReportDocument | null }> {
  const read = readCaseToken(token);
  const report =
    "reportId" in read
      ? await Report.findById(read.reportId, null, { session }).lean<ReportDocument>()
      : null;
  const caseId: Types.ObjectId | undefined = "caseId" in read ? read.caseId : report?.caseId;
  const found = report?.notTaken
    ? await caseLike(report, report.notTaken, session)
    : await Case.findById(caseId, null, { session }).lean<CaseDocument>();
  if (!found) throw new ServiceError(404, "This link is not valid.");
  return { found, report };
}

/** The case that a report which was not taken would be in; without one, what its receipt shows of a new one. */
async function caseLike(
  { _id, at }: ReportDocument,
  { kind, reviewId, tourId, tag }: NotTaken,
  session?: ClientSession,
): Promise<CaseDocument> {
  const newest = await Case.find({ reviewId, kind }, null, { session })
    .sort({ openedAt: -1 })
    .limit(CASES_OF_ITEM)
    .lean<CaseDocument[]>();
  const first = newest.findLast(({ decisions: [decided] }) => !decided || decided.at >= at);
  const opened = { state: "open" as const, rank: 1 as const, since: at, openedAt: at, version: 1 };
  return (
    first ?? {
      _id,
      kind,
      reviewId,
      tourId,
      tag,
      authorId: NO_ID,
      snapshot: null,
      ...opened,
      reports: 1,
      reasons: [],
      decisions: [],
      appeals: [],
    }
  );
}
