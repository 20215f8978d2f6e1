import type { ClientSession } from "mongoose";
import { Case, type CaseDocument } from "#models/case";
import { NO_ID } from "#models/reading";
import { RemovedReview } from "#models/removed-review";
import { Reply } from "#models/reply";
import { type NotTaken, Report, type ReportDocument } from "#models/report";
import { Tour, type TourDocument } from "#models/tour";
import { reportsByNetwork } from "~/moderation/limits.server";
import { inTransaction } from "~/db/transaction.server";
import { ServiceError } from "~/lib/errors.server";
import { tourTimeZone } from "~/lib/tour-zone.server";
import { forgetReview } from "~/reviews/record-changes.server";
import { newCase } from "~/moderation/reports/stored-report.server";
import { moderationTexts } from "~/moderation/refusal-texts";
import { appealBy, appealDeadline } from "./appeals.server";
import { notValid, readToken } from "./links.server";
import { toPublicDecision } from "./cases.server";
import { findReportedContent, isChanged } from "./reported-content.server";

export type CaseView = Awaited<ReturnType<typeof findCaseView>>;

/**
 * Returns what the holder of that link, the author of what was reported or a reporter, may know; throws `ServiceError`
 * 404 for a link that is not ours.
 */
export async function findCaseView(token: string) {
  const subject = await readCase(token);
  const { found, report, hasAppealed } = subject;
  const { kind, state } = found;
  const [item, tour] = await Promise.all([
    findReportedContent(found),
    Tour.findById(found.tourId).lean<TourDocument>(),
  ]);
  const isShown = item !== null && item.state !== "removed";
  const { rating, text } = found.snapshot ?? { rating: null, text: null };
  return {
    title: report ? "Your report" : `A decision about your ${kind}`,
    isReporter: report !== null,
    kind,
    state,
    at: report ? report.at : found.openedAt,
    decisions: found.decisions.map((one) => toPublicDecision(one, kind)),
    isGone: item === null,
    isChanged: item !== null && isChanged(item, found),
    content: report ? null : { tourTitle: tour?.title ?? "a former tour", rating, text },
    /** Null when nobody can read it any more. */
    reviewId: isShown ? found.reviewId.toString() : null,
    appealUntil: appealDeadline(subject, new Date()),
    hasAppealed,
    canDelete: !report && kind === "review" && item?.state === "removed",
    timeZone: tourTimeZone(tour),
    wasMailed: report !== null && report.email !== null,
  };
}

/** How many appeals a case keeps: an operator reads all of them on one page. */
export const MOST_APPEALS = 100;

/** Stores an appeal by a case's link, see `appealBy`: the case waits for another decision. */
export const appeal = appealBy(readCase, async ({ found, report }, { text, at }, session) => {
  if (report && found.appeals.length >= MOST_APPEALS)
    throw new ServiceError(403, moderationTexts.tooManyAppeals);
  const waits = found.state === "appealed";
  await Case.updateOne(
    { _id: found._id },
    {
      $set: { state: "appealed", since: waits ? found.since : at },
      $push: { appeals: { by: report ? "reporter" : "author", text, at } },
      // Nobody can hold up a decision by appeals: what comes meanwhile waits for the next one.
      ...(!waits && { $inc: { version: 1 } }),
      $unset: { endsAt: true },
    },
    { session },
  );
  if (report)
    await Report.updateOne({ _id: report._id }, { $set: { appealedAt: at } }, { session });
});

/**
 * Deletes for good what an operator has removed, for its author, who holds that link: it can never come back. Its pair
 * of tour and author stays taken. Throws `ServiceError` 404 when there is no such thing, and `RateLimitError` 429.
 */
export async function deleteRemoved(token: string, clientAddress: string): Promise<void> {
  await reportsByNetwork.consume(clientAddress);
  await inTransaction(async (session) => {
    const { found, report } = await readCase(token, session);
    const removed = { _id: found.reviewId, caseId: found._id, review: { $ne: null } };
    // A reporter's link deletes nothing.
    const result =
      !report && (await RemovedReview.updateOne(removed, { $set: { review: null } }, { session }));
    if (!result || result.matchedCount === 0)
      throw new ServiceError(404, moderationTexts.nothingLeft);
    await Reply.deleteOne({ _id: found.reviewId }, { session });
    await forgetReview(found.reviewId, session);
  });
}

/** Returns the case that a link is about; `report` is null for its author's. */
async function readCase(token: string, session?: ClientSession) {
  const { purpose, id } = readToken(token, ["receipt", "statement"]);
  const report =
    purpose === "receipt"
      ? await Report.findById(id, null, { session }).lean<ReportDocument>()
      : null;
  if (purpose === "receipt" && !report) throw notValid();
  const found = report?.notTaken
    ? await caseLike(report.at, report.notTaken, session)
    : await Case.findById(report ? report.caseId : id, null, { session }).lean<CaseDocument>();
  if (!found) throw notValid();
  return {
    found,
    report,
    decidedAt: found.state === "open" ? null : (found.decisions.at(-1)?.at ?? null),
    hasAppealed: report
      ? report.appealedAt !== undefined
      : found.appeals.some(({ by }) => by === "author"),
  };
}

/** How many cases of an item are read, the newest ones. */
const CASES_OF_ITEM = 20;

/**
 * Returns the case in which a report that was not taken would be; without one, what its receipt would show of a new
 * case.
 */
async function caseLike(
  at: Date,
  notTaken: NotTaken,
  session?: ClientSession,
): Promise<CaseDocument> {
  const newest = await Case.find({ reviewId: notTaken.reviewId, kind: notTaken.kind }, null, {
    session,
  })
    .sort({ openedAt: -1 })
    .limit(CASES_OF_ITEM)
    .lean<CaseDocument[]>();
  const first = newest.findLast(({ decisions: [decided] }) => !decided || decided.at >= at);
  return first ?? newCase({ ...notTaken, authorId: NO_ID, snapshot: null }, at);
}
