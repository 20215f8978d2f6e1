import { BY_PEOPLE, COURTS } from "~/infra/contact";
import { isolated } from "~/infra/text";
import { dayInWords } from "~/infra/zones";
import type { ItemKind, Party } from "#models/case";
import type { RenderedMail } from "./layout";
import { type Letter, type LetterSite, renderLetter } from "./letter";

// The e-mails about reports (docs/rules/moderation.md, Reports and Decisions). None of them tells who reported, and none that goes
// to a reporter holds a word of another guest or guide.

/** The author of what was reported, who reported it, or the guide of the tour. */
export type CaseReader = Party | "guide";

export interface DecisionInWords {
  kind: ItemKind;
  /** As a sentence. */
  done: string;
  /** The ground, as a part of a sentence. */
  ground: string;
  /** Of the rule that was applied. */
  ruleUrl: string;
  explanation: string;
  /** The authority and the file number of its order; null without one. */
  reference: string | null;
  /** Whether it decides about an appeal, and if so, whether the decision before stands. */
  appeal: "stands" | "changed" | null;
}

export interface CaseMail extends DecisionInWords {
  reader: CaseReader;
  /** Whom it greets; absent if the address is not proven. */
  name?: string;
  tourTitle: string;
  /** Of the page of the case for its reader; the tour's for a guide. */
  url: string;
  /** Until when its reader can appeal; null if they cannot. */
  appealUntil: Date | null;
}

const reasonFor = (to: string) => `This e-mail about a report went to ${to}.`;

export const renderReceipt = (
  url: string,
  { to, appUrl }: Pick<LetterSite, "to" | "appUrl">,
): Promise<RenderedMail> =>
  renderLetter(
    {
      subject: "We have received your report",
      paragraphs: [
        "Someone (probably you) reported a review or a reply at Tour Reviews and gave this address. A person will look at it and decide by our rules. We write to you when they have.",
      ],
      button: { label: "See the outcome", url },
      closing:
        "Keep the link to yourself: anyone who has it can appeal against the decision. If that was not you, the link lets you remove your address from the report, or you can ignore this e-mail.",
    },
    { reason: reasonFor(to), appUrl },
  );

const WHOSE: Record<
  CaseReader,
  (kind: ItemKind, tour: string) => Pick<Letter, "subject"> & { about: string }
> = {
  author: (kind, tour) => ({
    subject: `Our decision about your ${kind}`,
    about: `It is about your ${kind} on ${isolated(tour)}.`,
  }),
  reporter: (kind) => ({
    subject: "Our decision about your report",
    about: `It is about the ${kind} that you reported.`,
  }),
  guide: (kind, tour) => ({
    subject: `Our decision about a ${kind} of your tour`,
    about: `It is about a ${kind} on ${isolated(tour)}.`,
  }),
};

const OPENING = {
  none: "Someone reported it, and we decided.",
  stands: "We looked at the appeal, and the decision stands.",
  changed: "We looked at the appeal, and changed the decision.",
};

/** With the reasons that art. 16 and 17 of the Digital Services Act ask for. */
export function renderDecision(mail: CaseMail, site: LetterSite): Promise<RenderedMail> {
  const { kind, reader, done, ground, ruleUrl, reference, appeal, explanation, url } = mail;
  const { subject, about } = WHOSE[reader](kind, mail.tourTitle);
  const paragraphs = [
    `${about} ${OPENING[appeal ?? "none"]} ${appeal === "stands" ? "" : done}`.trim(),
    `The ground: ${ground}. The rule: ${ruleUrl}`,
    ...(reference === null ? [] : [`An authority ordered it: ${isolated(reference)}.`]),
    ...explanation.split(/\n+/),
    `${BY_PEOPLE} We do not tell who has reported something.`,
  ];
  return renderLetter(
    {
      subject,
      name: mail.name,
      paragraphs,
      button: { label: reader === "guide" ? "See the tour" : "See the decision", url },
      closing: [appealInWords(mail, site.timeZone), `${COURTS} Questions: ${site.contact}`]
        .filter(Boolean)
        .join(" "),
    },
    { reason: reasonFor(site.to), appUrl: site.appUrl },
  );
}

function appealInWords({ reader, appealUntil }: CaseMail, timeZone: string): string {
  if (reader === "guide") return "";
  return appealUntil
    ? `To appeal, tell us why by ${dayInWords(appealUntil, timeZone)} with that link, without a log-in. Another person decides then, where there is one.`
    : "There is no further appeal with us.";
}
