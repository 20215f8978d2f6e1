import type { Types } from "mongoose";
import { Case, type CaseDocument } from "#models/case";
import { Operator } from "#models/operator";
import { RemovedReview, type RemovedReviewDocument } from "#models/removed-review";
import { Reply } from "#models/reply";
import { Report, type ReportDocument } from "#models/report";
import { inTransaction } from "~/db/transaction.server";
import { forgetSanctions } from "~/accounts/suspended.server";
import { forgetAddress, forgetReports, removeCaseWords, reportsOf } from "./case-words.server";

const BATCH = 100;

/**
 * Removes the words of cases about what the user wrote, and whose the user's reports were; `reporters` are the names
 * that the reports have for them. Calls `renew` before each bit of work.
 */
export async function forgetCases(
  userId: Types.ObjectId,
  reporters: string[],
  renew: () => Promise<void>,
): Promise<void> {
  await renew();
  await Operator.deleteOne({ _id: userId });
  // Again: an operator may have warned while the account was being deleted.
  await inTransaction((session) => forgetSanctions(reporters, session));
  while (true) {
    const removed = await RemovedReview.find({ userId }, "_id")
      .limit(BATCH)
      .lean<RemovedReviewDocument[]>();
    if (removed.length === 0) break;
    await renew();
    const these = { _id: { $in: removed.map(({ _id }) => _id) } };
    await inTransaction(async (session) => {
      await RemovedReview.deleteMany(these, { session });
      await Reply.deleteMany(these, { session });
    });
  }
  while (true) {
    const cases = await Case.find({ authorId: userId, snapshot: { $ne: null } })
      .limit(BATCH)
      .lean<CaseDocument[]>();
    if (cases.length === 0) break;
    for (const found of cases) {
      await renew();
      await inTransaction((session) => removeCaseWords(found, session));
    }
  }
  for (const filter of reportsOf(reporters))
    while (true) {
      const reports = await Report.find(filter, "_id").limit(BATCH).lean<ReportDocument[]>();
      if (reports.length === 0) break;
      await renew();
      await forgetReports(reports.map(({ _id }) => _id));
    }
  for (const address of reporters) await forgetAddress({ address });
}
