import { z } from "zod";
import { Case, type CaseDocument, type CaseState, type ItemKind, type Party } from "#models/case";
import { RemovedReview } from "#models/removed-review";
import { Reply } from "#models/reply";
import { Report, type ReportDocument } from "#models/report";
import { Tour, type TourDocument } from "#models/tour";
import { type Clock, systemClock } from "~/infra/clock";
import { ServiceError } from "~/infra/errors.server";
import { inTransaction } from "~/db/transaction.server";
import { parseInput } from "~/infra/validation.server";
import { reportsByNetwork } from "~/db/limits.server";
import { zoneOf } from "~/infra/tour-zone.server";
import { readCase } from "~/moderation/reports/receipts.server";
import { wordsField } from "~/moderation/reports/report.server";
import { appealEnd } from "~/ui/labels";
import { type PublicDecision, toPublicDecision } from "./public-decision.server";
import { findReportedContent, isChanged } from "./reported-content.server";

/** What a case is to its reporter or to the author of what was reported. */
export interface CaseView {
  reader: Party;
  kind: ItemKind;
  state: CaseState;
  /** ISO 8601, UTC: when it was reported. */
  at: string;
  decisions: PublicDecision[];
  /** What there is of it now: a reporter is told whether it was deleted or changed since. */
  now: "as reported" | "changed" | "gone";
  /** What it is about, for its author alone. */
  content: { tourTitle: string; rating: number | null; text: string | null } | null;
  /** The page where everybody reads it; null when nobody does. */
  reviewId: string | null;
  /** Until when the reader can appeal, in ISO 8601; null if they cannot, or have. */
  appealUntil: string | null;
  hasAppealed: boolean;
  /** Whether its author can delete for good what was removed. */
  canDelete: boolean;
  timeZone: string;
  /** Whether a receipt was sent by e-mail, too. */
  wasMailed: boolean;
}

/** Returns what the holder of that link may know; throws `ServiceError` 404 for a link that is not ours. */
export async function findCaseView(
  token: string,
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<CaseView> {
  const { found, report } = await readCase(token);
  const [item, tour] = await Promise.all([
    findReportedContent(found),
    Tour.findById(found.tourId).lean<TourDocument>(),
  ]);
  const reader: Party = report ? "reporter" : "author";
  const isShown = item !== null && item.state !== "removed";
  const { rating, text } = found.snapshot ?? { rating: null, text: null };
  return {
    reader,
    kind: found.kind,
    state: found.state,
    at: (report ?? { at: found.openedAt }).at.toISOString(),
    decisions: found.decisions.map((one) => toPublicDecision(one, found.kind)),
    now: !item ? "gone" : isChanged(item, found) ? "changed" : "as reported",
    content: report ? null : { tourTitle: tour?.title ?? "a former tour", rating, text },
    reviewId: isShown ? found.reviewId.toString() : null,
    appealUntil: appealDeadline(found, report, clock())?.toISOString() ?? null,
    hasAppealed: hasAppealed(found, report),
    canDelete: !report && found.kind === "review" && item?.state === "removed",
    timeZone: zoneOf(tour),
    wasMailed: report !== null && report.email !== null,
  };
}

const TOO_MANY_APPEALS =
  "So many others have appealed in this case that no more appeals are taken. The decision about theirs counts for you, too.";

/** How many appeals a case keeps: an operator reads all of them on one page. */
export const MOST_APPEALS = 100;

const AppealForm = z.object({ words: wordsField("Write why the decision is wrong.") });

/**
 * Returns the words of an appeal from a client at `clientAddress`, and counts it. Throws `FormError`, and
 * `RateLimitError` 429.
 */
export async function readAppeal(
  form: Record<string, unknown>,
  clientAddress: string,
): Promise<string> {
  const { words } = parseInput(AppealForm, form);
  await reportsByNetwork.consume(clientAddress);
  return words;
}

export const TOO_LATE = "You can no longer appeal against this decision.";

/**
 * Stores the appeal of the holder of that link, from a client at `clientAddress`: the case waits for another decision.
 * Throws `FormError`, `ServiceError` 404 for a link that is not ours, 403 when they can no longer appeal, and
 * `RateLimitError` 429.
 */
export async function appeal(
  token: string,
  form: Record<string, unknown>,
  clientAddress: string,
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<void> {
  const words = await readAppeal(form, clientAddress);
  await inTransaction(async (session) => {
    const { found, report } = await readCase(token, session);
    const now = clock();
    if (!appealDeadline(found, report, now)) throw new ServiceError(403, TOO_LATE);
    if (report && found.appeals.length >= MOST_APPEALS)
      throw new ServiceError(403, TOO_MANY_APPEALS);
    const by: Party = report ? "reporter" : "author";
    const since = found.state === "appealed" ? found.since : now;
    await Case.updateOne(
      { _id: found._id },
      {
        $set: { state: "appealed", since },
        $push: { appeals: { by, text: words, at: now } },
        // Nobody can hold up a decision by appeals: what comes meanwhile waits for the next one.
        ...(found.state !== "appealed" && { $inc: { version: 1 } }),
        $unset: { endsAt: true },
      },
      { session },
    );
    if (report)
      await Report.updateOne({ _id: report._id }, { $set: { appealedAt: now } }, { session });
  });
}

/**
 * Deletes for good what an operator has removed, for its author, who holds that link: it can never come back. Its pair
 * of tour and author stays taken. Throws `ServiceError` 404 when there is no such thing, and `RateLimitError` 429.
 */
export async function deleteRemoved(token: string, clientAddress: string): Promise<void> {
  await reportsByNetwork.consume(clientAddress);
  await inTransaction(async (session) => {
    const { found, report } = await readCase(token, session);
    const removed = { _id: found.reviewId, caseId: found._id, review: { $ne: null } };
    const nothing = new ServiceError(404, "There is nothing left to delete.");
    // A reporter's link deletes nothing.
    if (report) throw nothing;
    const { matchedCount } = await RemovedReview.updateOne(
      removed,
      { $set: { review: null } },
      { session },
    );
    if (matchedCount === 0) throw nothing;
    await Reply.deleteOne({ _id: found.reviewId }, { session });
  });
}

const hasAppealed = ({ appeals }: CaseDocument, report: ReportDocument | null): boolean =>
  report ? report.appealedAt !== undefined : appeals.some(({ by }) => by === "author");

/** Until when they can appeal; null if they cannot. */
function appealDeadline(
  found: CaseDocument,
  report: ReportDocument | null,
  now: Date,
): Date | null {
  const last = found.decisions.at(-1);
  if (!last || found.state === "open" || hasAppealed(found, report)) return null;
  const end = appealEnd(last.at);
  return now <= end ? end : null;
}
