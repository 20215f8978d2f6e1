import type { ClientSession } from "mongoose";
import { tourUrl } from "#emails/layout";
import { type Letter, renderLetter } from "#emails/letter";
import type { CaseDecision, CaseDocument, Party } from "#models/case";
import type { ReportDocument } from "#models/report";
import type { SanctionDocument } from "#models/sanction";
import type { TourDocument } from "#models/tour";
import { User, type UserDocument } from "#models/user";
import { queueMail, type Recipient } from "~/mail/outbox.server";
import { env } from "~/config/env.server";
import { isolated } from "~/lib/text";
import { tourTimeZone } from "~/lib/tour-zone.server";
import { dayInWords } from "~/config/zones";
import {
  actionInWords,
  appealEnd,
  BY_PEOPLE,
  casePath,
  COURTS,
  mailedReceiptPath,
  MISUSE_PATH,
  sanctionPath,
} from "~/moderation/labels";
import { GROUND_TEXTS, rulePath } from "~/ui/grounds";
import { mailedReceiptToken, sanctionToken, statementToken } from "./links.server";
import { sanctionWords } from "./sanctions/public-sanction.server";
import type { StandingDecision } from "./sanctions/standing.server";

// Puts e-mails about reports and decisions into the outbox, in the transaction of what they tell of; call
// `notifications.wake` after the commit. None of them tells who reported, and none that goes to a reporter holds a word
// of another guest or guide. Somebody without an address is told nothing.

/** Sends the receipt of a report to the address that it names. */
export async function queueReportReceipt(
  { _id, email }: Pick<ReportDocument, "_id" | "email">,
  session: ClientSession,
): Promise<void> {
  if (!email) return;
  const letter = {
    subject: "We have received your report",
    paragraphs: [
      `Someone (probably you) reported a review or a reply at ${env().siteName} and gave this address. A person will look at it and decide by our rules. We write to you when they have.`,
    ],
    button: {
      label: "See the outcome",
      url: absoluteUrl(mailedReceiptPath(mailedReceiptToken(_id))),
    },
    closing:
      "Keep the link to yourself: anyone who has it can appeal against the decision. If that was not you, the link lets you remove your address from the report, or you can ignore this e-mail.",
  };
  await queueLetter({ email, account: null }, letter, session);
}

/** A decision of a case, and the tour that it is about. */
export interface Decided {
  found: CaseDocument;
  decision: CaseDecision;
  tour: TourDocument | null;
}

/** Tells the author, and the guide of the tour where it concerns them; `notify-reporters` tells reporters afterwards. */
export async function queueDecisionForPeople(
  decided: Decided,
  session: ClientSession,
): Promise<void> {
  const { found, decision, tour } = decided;
  // Authors are not told of "keep" unless they have appealed.
  if (decision.action === "keep" && !decision.onAppeal) return;
  const people = await User.find(
    { _id: { $in: [found.authorId, ...(tour ? [tour.createdById] : [])] } },
    "name email",
    { session },
  ).lean<UserDocument[]>();
  const hasAppealed = found.appeals.some(({ by }) => by === "author");
  for (const user of people) {
    if (user._id.equals(found.authorId)) {
      const path = casePath(statementToken(found._id));
      await queueLetter(user, decisionLetter(decided, "author", path, hasAppealed), session);
    } else if (tour && decision.action !== "keep")
      await queueLetter(user, decisionLetter(decided, "guide", tourUrl("", tour.slug)), session);
  }
}

/** Tells who reported it, at the address that they gave: once for an address, by its first report. */
export async function queueDecisionForReporter(
  decided: Decided,
  { _id, email, isRepeated, appealedAt }: ReportDocument,
  session: ClientSession,
): Promise<void> {
  if (!email || isRepeated) return;
  const path = mailedReceiptPath(mailedReceiptToken(_id));
  const letter = decisionLetter(decided, "reporter", path, appealedAt !== undefined);
  await queueLetter({ email, account: null }, letter, session);
}

/**
 * Tells the account, or the address that the reporter gave, of a warning or a suspension, or of what was decided about
 * it later; `decisions` are those that a new one stands on.
 */
export async function queueSanction(
  sanction: SanctionDocument,
  user: UserDocument | null,
  session: ClientSession,
  decisions: StandingDecision[] = [],
): Promise<void> {
  const { email } = sanction;
  const to = user ?? (email ? { email, account: null } : null);
  if (to) await queueLetter(to, sanctionLetter(sanction, decisions), session, "This e-mail");
}

async function queueLetter(
  to: Recipient,
  letter: Letter,
  session: ClientSession,
  subject = "This e-mail about a report",
): Promise<void> {
  const { email, name } = to;
  if (!email) return;
  const site = { reason: `${subject} went to ${email}.`, appUrl: env().appUrl };
  await queueMail(to, renderLetter({ ...letter, name }, site), session);
}

const absoluteUrl = (path: string) => env().appUrl + path;

/** Gives the reasons that art. 16 and 17 of the Digital Services Act ask for. */
function decisionLetter(
  { found, decision, tour }: Decided,
  recipient: Party | "guide",
  path: string,
  hasAppealed = false,
): Letter {
  const { kind } = found;
  const { action, ground, reference, explanation, onAppeal, at } = decision;
  const title = isolated(tour?.title ?? "a former tour");
  const [subject, about] = {
    author: [`Our decision about your ${kind}`, `It is about your ${kind} of ${title}.`],
    reporter: ["Our decision about your report", `It is about the ${kind} that you reported.`],
    guide: [`Our decision about a ${kind} of your tour`, `It is about a ${kind} of ${title}.`],
  }[recipient] as [string, string];
  const done = actionInWords(action, kind);
  const outcome = !onAppeal
    ? recipient === "reporter"
      ? `We have decided. ${done}`
      : `Someone reported it, and we decided. ${done}`
    : action === "keep"
      ? "We looked at the appeal, and the decision stands."
      : `We looked at the appeal, and changed the decision. ${done}`;
  const appealUntil = hasAppealed ? null : appealEnd(at);
  return {
    subject,
    paragraphs: [
      `${about} ${outcome}`,
      `Reason: ${GROUND_TEXTS[ground].label}. The rule: ${absoluteUrl(rulePath(ground))}`,
      ...(reference === null ? [] : [`An authority ordered it: ${isolated(reference)}.`]),
      ...(explanation ?? "").split(/\n+/),
      `${BY_PEOPLE} We never say who made a report.`,
    ],
    button: {
      label: recipient === "guide" ? "See the tour" : "See the decision",
      url: absoluteUrl(path),
    },
    closing: withClosing(
      recipient === "guide" ? "" : appealInWords(appealUntil, "link", tourTimeZone(tour)),
    ),
  };
}

/** Gives the reasons that art. 17 and 23 of the Digital Services Act ask for. */
function sanctionLetter(sanction: SanctionDocument, decisions: StandingDecision[]): Letter {
  const { _id, kind, scope, until, at, appeal, outcome } = sanction;
  const { timeZone } = env();
  const words = sanctionWords(sanction);
  const title = until ? `${words.title} until ${dayInWords(until, timeZone)}` : words.title;
  const hasAccount = scope === "account" && kind === "suspension" && outcome?.stands !== false;
  return {
    subject: outcome ? `Our decision: ${title.charAt(0).toLowerCase()}${title.slice(1)}` : title,
    paragraphs: [
      outcome ? outcomeInWords(outcome.stands, appeal !== null) : `${title}. ${words.effect}`,
      ...decisions.map((one) => standingInWords(one, timeZone)),
      ...((outcome ?? sanction).explanation ?? "").split(/\n+/),
      `The rule: ${absoluteUrl(MISUSE_PATH)}`,
      BY_PEOPLE,
    ],
    button: { label: "See the decision", url: absoluteUrl(sanctionPath(sanctionToken(_id))) },
    closing: withClosing(
      hasAccount
        ? "On that page you can also download your data and delete your account. Do not share the link with anyone: anyone who has it can do the same."
        : "",
      appealInWords(outcome ? null : appealEnd(at), "link", timeZone),
    ),
  };
}

function standingInWords(decision: StandingDecision, timeZone: string): string {
  const { at, kind, tourTitle, done, ground } = decision;
  const about = tourTitle === null ? " that you reported" : ` of ${isolated(tourTitle)}`;
  const reason = ground === "allowed" ? "" : ` Reason: ${GROUND_TEXTS[ground].label}.`;
  return `Our decision of ${dayInWords(at, timeZone)} about the ${kind}${about}: ${done}${reason}`;
}

function outcomeInWords(stands: boolean, onAppeal: boolean): string {
  if (stands) return "We looked at your appeal, and the decision stands.";
  const looked = onAppeal
    ? "We looked at your appeal, and changed the decision."
    : "We looked at our decision again.";
  return `${looked} It is taken back, and no longer counts.`;
}

const appealInWords = (until: Date | null, where: string, timeZone: string) =>
  until
    ? `You can appeal until ${dayInWords(until, timeZone)}: open the ${where} and tell us why; no log-in needed. Where possible, someone else decides.`
    : "There is no further appeal with us.";

const withClosing = (...sentences: string[]) =>
  [...sentences, COURTS, `Questions: ${env().contact}`].filter(Boolean).join(" ");
