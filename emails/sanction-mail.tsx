import { BY_PEOPLE, COURTS } from "~/infra/contact";
import { dayInWords } from "~/infra/zones";
import type { RenderedMail } from "./layout";
import { type LetterSite, renderLetter } from "./letter";

/** A warning or a suspension, as its e-mail tells of it (docs/rules/moderation.md, Misuse). */
export interface SanctionMail {
  /** Whom it greets; absent if the address is not proven. */
  name?: string;
  title: string;
  effect: string;
  /** The end of a suspension; null of a warning. */
  until: Date | null;
  explanation: string;
  /** Whether it still stands, once an operator has decided that; null before. */
  outcome: { stands: boolean; onAppeal: boolean } | null;
  /** Until when its reader can appeal; null if they cannot. */
  appealUntil: Date | null;
  /** Whether it is an account that is suspended, which its owner can still export and delete. */
  isAccount: boolean;
  url: string;
  ruleUrl: string;
}

/** With the reasons that art. 17 and 23 of the Digital Services Act ask for. */
export function renderSanction(mail: SanctionMail, site: LetterSite): Promise<RenderedMail> {
  const { outcome, until, isAccount } = mail;
  const end = until && dayInWords(until, site.timeZone);
  const title = end ? `${mail.title} until ${end}` : mail.title;
  return renderLetter(
    {
      subject: outcome ? `Our decision: ${decapitalized(title)}` : title,
      name: mail.name,
      paragraphs: [
        outcome ? outcomeInWords(outcome) : `${title}. ${mail.effect}`,
        ...mail.explanation.split(/\n+/),
        `The rule: ${mail.ruleUrl}`,
        BY_PEOPLE,
      ],
      button: { label: "See the decision", url: mail.url },
      closing: [
        isAccount && outcome?.stands !== false
          ? "On that page you can also download your data and delete your account. Do not share the link with anyone: anyone who has it can do the same."
          : "",
        mail.appealUntil
          ? `To appeal, tell us why by ${dayInWords(mail.appealUntil, site.timeZone)} on that page, without a log-in. Another person decides then, where there is one.`
          : "There is no further appeal with us.",
        `${COURTS} Questions: ${site.contact}`,
      ]
        .filter(Boolean)
        .join(" "),
    },
    { reason: `This e-mail went to ${site.to}.`, appUrl: site.appUrl },
  );
}

function outcomeInWords({ stands, onAppeal }: NonNullable<SanctionMail["outcome"]>): string {
  if (stands) return "We looked at your appeal, and the decision stands.";
  const takenBack = "It is taken back, and no longer counts.";
  return onAppeal
    ? `We looked at your appeal, and changed the decision. ${takenBack}`
    : `We looked at our decision again. ${takenBack}`;
}

const decapitalized = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
