import type { ClientSession } from "mongoose";
import { type CaseReader, renderDecision, renderReceipt } from "#emails/case-mail";
import { tourUrl } from "#emails/layout";
import type { CaseDecision, CaseDocument } from "#models/case";
import type { ReportDocument } from "#models/report";
import type { TourDocument } from "#models/tour";
import { User, type UserDocument } from "#models/user";
import { env } from "~/infra/env.server";
import { queueMail, type Reader } from "~/mail/outbox.server";
import { zoneOf } from "~/infra/tour-zone.server";
import {
  actionInWords,
  appealEnd,
  casePath,
  GROUNDS,
  mailedReceiptPath,
  rulePath,
} from "~/ui/labels";
import { mailedReceiptToken, statementToken } from "./links.server";

// Puts e-mails about reports into the outbox, in the transaction of what they tell of; call `wakeNotifications` after
// the commit.

const urlOf = (path: string) => env().appUrl + path;

/** The receipt of a report, to the address that it names. */
export async function queueReceipt(
  { _id, email }: Pick<ReportDocument, "_id" | "email">,
  session: ClientSession,
): Promise<void> {
  if (!email) return;
  const url = urlOf(mailedReceiptPath(mailedReceiptToken(_id)));
  const rendered = await renderReceipt(url, { to: email, appUrl: env().appUrl });
  await queueMail({ email, account: null }, rendered, session);
}

/** What a decision is about. */
export interface Decided {
  found: CaseDocument;
  decision: CaseDecision;
  tour: TourDocument | null;
}

/** Tells the author, and the guide of the tour where it concerns them; reporters are told afterwards (telling.server.ts). */
export async function queueDecisionForPeople(
  decided: Decided,
  session: ClientSession,
): Promise<void> {
  const { found, decision, tour } = decided;
  // What stays shown as it was is no news for who wrote it, unless they have appealed.
  const isNews = decision.action !== "keep" || decision.onAppeal;
  if (!isNews) return;
  const people = await User.find(
    { _id: { $in: [found.authorId, ...(tour ? [tour.createdById] : [])] } },
    "name email",
    { session },
  ).lean<UserDocument[]>();
  for (const user of people) {
    const reader = user._id.equals(found.authorId) ? "author" : "guide";
    if (reader === "author" || decision.action !== "keep")
      await queueDecision(decided, { reader, user }, session);
  }
}

/** What was decided, to who wrote it, or to the guide of the tour. Somebody without an address is told nothing. */
async function queueDecision(
  decided: Decided,
  { reader, user }: { reader: "author" | "guide"; user: UserDocument },
  session: ClientSession,
): Promise<void> {
  const { found, tour } = decided;
  const url =
    reader === "guide" && tour
      ? tourUrl(env().appUrl, tour.slug)
      : urlOf(casePath(statementToken(found._id)));
  await queue(decided, { reader, url, to: { ...user, email: user.email } }, session);
}

/** What was decided, to who reported it, at the address that they gave: once for an address, by its first report. */
export async function queueDecisionForReporter(
  decided: Decided,
  { _id, email, isRepeated, appealedAt }: ReportDocument,
  session: ClientSession,
): Promise<void> {
  if (!email || isRepeated) return;
  const url = urlOf(mailedReceiptPath(mailedReceiptToken(_id)));
  const to = { email, account: null };
  await queue(decided, { reader: "reporter", url, to, hasAppealed: Boolean(appealedAt) }, session);
}

async function queue(
  { found, decision, tour }: Decided,
  {
    reader,
    url,
    to,
    hasAppealed = found.appeals.some(({ by }) => by === reader),
  }: { reader: CaseReader; url: string; to: Reader; hasAppealed?: boolean },
  session: ClientSession,
): Promise<void> {
  if (!to.email) return;
  const { action, ground, reference, onAppeal, at } = decision;
  const { appUrl, contact } = env();
  const rendered = await renderDecision(
    {
      reader,
      kind: found.kind,
      ...(to.name && { name: to.name }),
      tourTitle: tour?.title ?? "a former tour",
      url,
      done: actionInWords(action, found.kind),
      ground: GROUNDS[ground].label,
      ruleUrl: urlOf(rulePath(ground)),
      explanation: decision.explanation ?? "",
      reference,
      appeal: onAppeal ? (action === "keep" ? "stands" : "changed") : null,
      appealUntil: hasAppealed ? null : appealEnd(at),
    },
    { to: to.email, appUrl, contact, timeZone: zoneOf(tour) },
  );
  await queueMail(to, rendered, session);
}
