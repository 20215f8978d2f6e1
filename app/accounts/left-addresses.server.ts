import type { ClientSession, Types } from "mongoose";
import { Report, type ReportDocument } from "#models/report";
import { ownerOfAddress } from "~/mail/outbox.server";

/** An address gets ten receipts a day at most, and reports lose their addresses some months after the decision. */
const MOST_REPORTS = 1_000;

/**
 * Must be called before accounts leave these addresses, in the same transaction where there is one: the newest reports
 * that name one stay the account's, whoever has sent them (docs/rules/moderation.md, Decisions).
 */
export async function keepReportsOf(
  accounts: readonly { _id: Types.ObjectId; email: string }[],
  session?: ClientSession,
): Promise<void> {
  const owners = new Map(accounts.map(({ _id, email }) => [ownerOfAddress(email), _id.toString()]));
  // A report with an owner was sent while another account had the address.
  const unowned = { address: { $in: [...owners.keys()] }, owner: null };
  const reports = await Report.find(unowned, "address", { session })
    .sort({ _id: -1 })
    .limit(MOST_REPORTS)
    .lean<Required<Pick<ReportDocument, "_id" | "address">>[]>();
  if (reports.length === 0) return;
  const operations = reports.map(({ _id, address }) => ({
    updateOne: {
      filter: { _id, address },
      update: { $set: { owner: owners.get(address) ?? null } },
    },
  }));
  await Report.bulkWrite(operations, { session });
}
