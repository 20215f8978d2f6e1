import type { ClientSession, Types } from "mongoose";
import { Case, type CaseDocument } from "#models/case";
import { NO_ID } from "#models/reading";
import { Report, type ReportDocument } from "#models/report";
import { Sanction, type SanctionDocument } from "#models/sanction";
import { Tour, type TourDocument } from "#models/tour";
import { MINUTE_MS } from "~/lib/durations";
import { eachDue, type Turn } from "~/jobs/each-due.server";
import { processJob } from "~/jobs/job.server";
import { log } from "~/lib/log.server";
import { Poller } from "~/jobs/poller.server";
import { inTransaction } from "~/db/transaction.server";
import { forgetReports, removeCaseWords } from "~/personal-data/case-words.server";
import { removeSanctionWords } from "~/accounts/suspended.server";
import { notifications } from "~/mail/delivery.server";
import { queueDecisionForReporter } from "./mails.server";

// Background work after a decision: its reporters are told, of which there may be many, and after some months all words
// are removed. Both a batch at a time, in transactions that keep how far it has come.

/** How many reports one transaction tells, or removes the words of. */
const BATCH = 50;
/** How often there may be something, in milliseconds; a decision wakes it. */
const POLL_MS = MINUTE_MS;

type Id = Pick<CaseDocument, "_id">;

/** Tells all reporters who wait, then removes the words of cases and sanctions whose time is over. */
export async function continueCases({ stopped = () => false }: Turn = {}): Promise<void> {
  const how = { stopped, failure: "a case of reports cannot be continued" };
  await eachDue(Case.find({ toldAfter: { $gte: NO_ID } }, "_id").lean<Id>(), {
    ...how,
    work: async ({ _id }) => {
      while (!stopped() && (await inTransaction((session) => notifySome(_id, session))));
      notifications.wake();
    },
  });
  const isOver = { endsAt: { $lte: new Date() } };
  await eachDue(Case.find(isOver, "_id").lean<Id>(), {
    ...how,
    work: async ({ _id }) => {
      await removeWordsOfReports(_id, stopped);
      if (stopped()) return;
      await inTransaction(async (session) => {
        // Unless somebody has just appealed.
        const still = { _id, ...isOver };
        const found = await Case.findOne(still, null, { session }).lean<CaseDocument>();
        if (found) await removeCaseWords(found, session);
      });
    },
  });
  await eachDue(Sanction.find(isOver, "_id").lean<Id>(), {
    ...how,
    work: ({ _id }) =>
      inTransaction(async (session) => {
        const still = { _id, ...isOver };
        const found = await Sanction.findOne(still, null, { session }).lean<SanctionDocument>();
        if (found) await removeSanctionWords(found, { addressUntil: null }, session);
      }),
  });
}

/** Puts the e-mails to the next reporters into the outbox; returns whether there are more. */
async function notifySome(caseId: Types.ObjectId, session: ClientSession): Promise<boolean> {
  const found = await Case.findById(caseId, null, { session }).lean<CaseDocument>();
  const decision = found?.decisions.at(-1);
  if (!found?.toldAfter) return false;
  if (!decision) throw new Error("There is no decision to tell of");
  const reports = await Report.find({ caseId, _id: { $gt: found.toldAfter } }, null, { session })
    .sort({ _id: 1 })
    .limit(BATCH)
    .lean<ReportDocument[]>();
  const tour = await Tour.findById(found.tourId, null, { session }).lean<TourDocument>();
  for (const report of reports)
    await queueDecisionForReporter({ found, decision, tour }, report, session);
  const last = reports.at(-1);
  const progress = last ? { $set: { toldAfter: last._id } } : { $unset: { toldAfter: true } };
  await Case.updateOne({ _id: caseId }, progress, { session });
  return last !== undefined;
}

/** Removes the words of all reports of a case, and whose they were, a batch at a time. */
async function removeWordsOfReports(caseId: Types.ObjectId, stopped: () => boolean): Promise<void> {
  let after: Types.ObjectId | undefined = NO_ID;
  while (after && !stopped()) {
    const reports: ReportDocument[] = await Report.find({ caseId, _id: { $gt: after } }, "words")
      .sort({ _id: 1 })
      .limit(BATCH)
      .lean<ReportDocument[]>();
    const ids = reports.filter(({ words }) => words !== null).map(({ _id }) => _id);
    if (ids.length > 0) await forgetReports(ids);
    after = reports.at(-1)?._id;
  }
}

export const reporterMails = processJob(
  () =>
    new Poller({
      every: () => POLL_MS,
      work: (signal) => continueCases({ stopped: () => signal.aborted }),
      onError: (error) => log.error({ err: error }, "cases of reports cannot be continued"),
    }),
);
