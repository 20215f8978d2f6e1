import type { ClientSession, Types } from "mongoose";
import { Case, type CaseDocument } from "#models/case";
import { RemovedReview } from "#models/removed-review";
import { Reply } from "#models/reply";
import { Report } from "#models/report";
import { inTransaction } from "~/db/transaction.server";

// Redaction of cases and reports that are no longer needed: words and their authors go. The rest stays for the
// public figures.

/**
 * Filters of the reports by somebody, by any of their identifiers, and of unproven ones that name their address. A
 * stranger may have sent the latter: an export has no words of them.
 */
export const reportFilters = (names: string[]) =>
  names.flatMap((name) => [{ reporter: name }, { address: name, reporter: null }]);

/** The change of a report that forgets its reporter and their words. */
export const FORGOTTEN = {
  $set: { words: null, name: null, email: null },
  $unset: { reporter: true, address: true, owner: true },
};

export const forgetReports = (ids: Types.ObjectId[]) =>
  inTransaction((session) => Report.updateMany({ _id: { $in: ids } }, FORGOTTEN, { session }));

/** Removes an address from reports that name it, at its owner's request: nothing more is sent there. */
export const forgetAddress = (
  filter: { _id: Types.ObjectId; openedAt: null } | { address: string },
) =>
  inTransaction((session) =>
    Report.updateMany(
      filter,
      { $set: { email: null }, $unset: { address: true, owner: true } },
      { session },
    ),
  );

/** Removes from reports which account had their address; the address stays. */
export const forgetOwner = (owner: string) =>
  inTransaction((session) =>
    Report.updateMany({ owner }, { $unset: { owner: true } }, { session }),
  );

/** Removes the words of a case. A text that was removed in it can no longer come back. */
export async function removeCaseWords(
  { _id, reviewId, decisions, appeals }: CaseDocument,
  session: ClientSession,
): Promise<void> {
  await Case.updateOne(
    { _id },
    {
      $set: {
        snapshot: null,
        decisions: decisions.map((one) => ({ ...one, explanation: null, reference: null })),
        appeals: appeals.map((one) => ({ ...one, text: null })),
      },
      $unset: { endsAt: true, removedText: true },
      $inc: { version: 1 },
    },
    { session },
  );
  const removed = { _id: reviewId, caseId: _id };
  await RemovedReview.updateOne(removed, { $set: { review: null } }, { session });
  const hidden = { _id: reviewId, "hidden.caseId": _id };
  await Reply.updateOne(hidden, { $set: { text: null, hidden: null } }, { session });
}
