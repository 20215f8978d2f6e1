import { type ClientSession, Types } from "mongoose";
import { Case, type CaseDocument, type ItemAddress, itemKey, type Reason } from "#models/case";
import { Report, type ReportDocument } from "#models/report";
import { canonicalEmail } from "~/lib/email-address.server";
import { ServiceError } from "~/lib/errors.server";
import { ownerOfAddress } from "~/mail/outbox.server";
import type { CurrentUser } from "~/accounts/users.server";
import { queueReportReceipt } from "~/moderation/mails.server";
import type { Item } from "~/moderation/reported-content.server";
import { monthsAfter } from "~/moderation/labels";
import { moderationTexts } from "~/moderation/refusal-texts";

/** Most reports of which a case keeps words, names and addresses; further ones only count. */
export const MOST_KEPT = 1_000;

/** How long a case that nobody decides about keeps them, and the text that was reported, in months. */
export const UNDECIDED_MONTHS = 12;

/** A report as it was sent; `email` where a receipt may be sent. */
interface SentReport extends Pick<
  ReportDocument,
  "_id" | "reason" | "words" | "name" | "email" | "owner" | "at"
> {
  caller: CurrentUser | null;
}

/**
 * Stores a report of an item in its open case, or in a new one, with its receipt to the address that it names. One that
 * is not taken changes no case and tells nobody. Throws `ServiceError` 403 when it was decided for that reason and has
 * not changed. Call `notifications.wake` after the commit.
 */
export async function storeReport(
  item: Item,
  { caller, ...sent }: SentReport,
  isTaken: boolean,
  session: ClientSession,
): Promise<void> {
  const { _id, reason, email, at } = sent;
  if (await Report.exists({ _id }).session(session)) return;
  const open = await Case.findOne({ openKey: itemKey(item) }, null, {
    session,
  }).lean<CaseDocument>();
  if (!open) await requireUndecided(item, reason, session);
  const named = email === null ? {} : { address: ownerOfAddress(email) };
  if (!isTaken) {
    const { kind, reviewId, tourId, tag } = item;
    const notTaken = { kind, reviewId, tourId, tag };
    await Report.create([{ _id, reason, at, email, ...named, notTaken }], { session });
    return;
  }
  const { _id: caseId } = open
    ? await joinCase(open, item, reason, at, session)
    : await openCase(item, reason, at, session);
  if (open && open.reports >= MOST_KEPT) {
    await Report.create([{ _id, caseId, reason, at }], { session });
    return;
  }
  const isRepeated =
    email !== null && (await Report.exists({ caseId, ...named }).session(session)) !== null;
  // An account has proven its own address.
  const isOwn = caller && email !== null && canonicalEmail(caller.email) === canonicalEmail(email);
  const report: ReportDocument = {
    ...sent,
    name: sent.name || null,
    caseId,
    ...named,
    ...(isRepeated && { isRepeated }),
    ...(isOwn && { openedAt: at }),
    ...(caller && { reporter: caller.id }),
  };
  await Report.create([report], { session });
  await queueReportReceipt(report, session);
}

async function requireUndecided(
  { kind, reviewId, tag }: Item,
  reason: Reason,
  session: ClientSession,
): Promise<void> {
  const same = { reviewId, kind, tag, reasons: reason, state: { $ne: "open" as const } };
  if (await Case.exists(same).session(session))
    throw new ServiceError(403, moderationTexts.alreadyDecided);
}

const reasonRank = (reason: Reason) => (reason === "danger" ? 0 : 1);

/** Adds a report to an open case, without raising its version: nobody can hold up a decision by reports. */
async function joinCase(
  open: CaseDocument,
  { tag, snapshot }: Item,
  reason: Reason,
  now: Date,
  session: ClientSession,
): Promise<CaseDocument> {
  // Its words are removed, because nobody has decided for so long: they begin anew.
  const isOver = !open.endsAt || open.endsAt <= now;
  const again = { tag, snapshot, endsAt: monthsAfter(now, UNDECIDED_MONTHS) };
  await Case.updateOne(
    { _id: open._id },
    {
      $set: { rank: Math.min(reasonRank(reason), open.rank), ...(isOver && again) },
      $inc: { reports: 1 },
      $addToSet: { reasons: reason },
    },
    { session },
  );
  return open;
}

async function openCase(
  item: Item,
  reason: Reason,
  now: Date,
  session: ClientSession,
): Promise<CaseDocument> {
  const opened: CaseDocument = {
    ...newCase(item, now),
    openKey: itemKey(item),
    rank: reasonRank(reason),
    reasons: [reason],
    endsAt: monthsAfter(now, UNDECIDED_MONTHS),
  };
  await Case.create([opened], { session });
  return opened;
}

type Reported = ItemAddress & Pick<CaseDocument, "tourId" | "authorId" | "tag" | "snapshot">;

/** Returns a case of one report that nobody has decided about. */
export const newCase = (
  { kind, reviewId, tourId, authorId, tag, snapshot }: Reported,
  at: Date,
): CaseDocument => ({
  _id: new Types.ObjectId(),
  kind,
  reviewId,
  tourId,
  authorId,
  tag,
  snapshot,
  state: "open",
  rank: 1,
  since: at,
  openedAt: at,
  version: 1,
  reports: 1,
  reasons: [],
  decisions: [],
  appeals: [],
});
