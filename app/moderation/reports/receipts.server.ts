import type { ClientSession } from "mongoose";
import { Report, type ReportDocument } from "#models/report";
import { inTransaction } from "~/db/transaction.server";
import { forgetAddress } from "~/personal-data/case-words.server";
import { findUserByEmail } from "~/accounts/users.server";
import { reportsByNetwork } from "~/moderation/limits.server";
import { notValid, readToken, receiptToken } from "~/moderation/links.server";
import { casePath } from "~/moderation/labels";

// The link of a receipt's e-mail, whose recipient says whether they sent the report: then its address is theirs.

/** Returns what the link of a receipt's e-mail leads to; throws `ServiceError` 404 for a link that is not ours. */
export async function findMailedReceipt(token: string) {
  const { _id, email, openedAt } = await requireMailed(token);
  // The page of the receipt is for a reader who has said that they sent the report.
  const path = openedAt ? casePath(receiptToken(_id)) : null;
  return { path, hasAddress: email !== null };
}

/**
 * Notes that the recipient of the e-mail with that link has sent the report: the address is theirs. Throws `ServiceError`
 * 404 for a link that is not ours, and `RateLimitError` 429.
 */
export async function openReceipt(token: string, clientAddress: string): Promise<void> {
  await reportsByNetwork.consume(clientAddress);
  await inTransaction(async (session) => {
    const report = await requireMailed(token, session);
    const { _id, email, address, reporter, notTaken } = report;
    if (email === null) return;
    const owner = notTaken || reporter ? null : await findUserByEmail(email);
    // Where the address has an account, the report is the account's.
    const proven = notTaken ? undefined : (reporter ?? owner?._id.toString() ?? address);
    const opened = { openedAt: new Date(), ...(proven && { reporter: proven }) };
    await Report.updateOne({ _id, email, openedAt: null }, { $set: opened }, { session });
  });
}

/** Removes the address from the report of that link, for its recipient, who has not sent it. Throws the same. */
export async function denyReport(token: string, clientAddress: string): Promise<void> {
  await reportsByNetwork.consume(clientAddress);
  const { _id } = await requireMailed(token);
  await forgetAddress({ _id, openedAt: null });
}

async function requireMailed(token: string, session?: ClientSession): Promise<ReportDocument> {
  const { id } = readToken(token, ["mailed receipt"]);
  const report = await Report.findById(id, null, { session }).lean<ReportDocument>();
  if (!report) throw notValid();
  return report;
}
