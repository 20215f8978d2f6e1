import type { ClientSession, Types } from "mongoose";
import type { CaseDocument } from "#models/case";
import { Operator } from "#models/operator";
import { Report } from "#models/report";
import { Tour, type TourDocument } from "#models/tour";
import type { UserDocument } from "#models/user";
import { namesOf } from "~/mail/outbox.server";
import { toCurrentUser } from "~/accounts/users.server";
import { findReportedContent, type Item } from "./reported-content.server";

export const OWN_CASE = "You cannot decide about your own review, reply, tour or report.";

/** Whether a case is about an operator's own review, reply, tour or report. */
export async function isConcerned(
  operator: UserDocument,
  found: CaseDocument,
  { item, tour }: { item: Item | null; tour: TourDocument | null },
  session?: ClientSession,
): Promise<boolean> {
  const concerned = [found.authorId, tour?.createdById, item?.review?.userId];
  if (concerned.some((id) => id?.equals(operator._id))) return true;
  const names = namesOf(toCurrentUser(operator));
  for (const name of [{ reporter: { $in: names } }, { address: { $in: names } }])
    if (await Report.exists({ caseId: found._id, ...name }).session(session ?? null)) return true;
  return false;
}

/** The same, where item and tour are not known yet. */
export async function hasConflictOfInterest(
  operator: UserDocument,
  found: CaseDocument,
  session?: ClientSession,
): Promise<boolean> {
  const item = await findReportedContent(found, session);
  const tour = await Tour.findById(found.tourId, null, { session }).lean<TourDocument>();
  return isConcerned(operator, found, { item, tour }, session);
}

/** Why an operator may not decide about an appeal against what `decidedBy` decided; null if they may. */
export async function whyNotOnAppeal(
  operator: Types.ObjectId,
  decidedBy: Types.ObjectId,
  session?: ClientSession,
): Promise<string | null> {
  if (!decidedBy.equals(operator)) return null;
  const another = await Operator.exists({ _id: { $ne: operator } }).session(session ?? null);
  return another ? "Another operator decides about an appeal against your decision." : null;
}
