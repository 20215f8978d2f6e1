import { isolated } from "~/infra/text";
import { dayInWords, departureInWords } from "~/infra/zones";
import type { RenderedMail } from "./layout";
import { type Letter, renderLetter } from "./letter";

// The e-mails about explorers who did not come, as a guide says (docs/rules/bookings.md, No-shows).

/** All names may be empty. */
export interface AbsenceMail {
  guideName: string;
  explorerName: string;
  tourTitle: string;
  /** Null when nothing says. */
  date: Date | null;
  timeZone: string;
  url: string;
}

interface Site {
  to: string;
  appUrl: string;
  siteZone: string;
}

const departureOf = ({ tourTitle, date, timeZone }: AbsenceMail, { siteZone }: Site) =>
  `${isolated(tourTitle)}${date ? ` on ${departureInWords(date, timeZone, siteZone)}` : ""}`;

const letter = ({ to, appUrl }: Site, content: Letter) =>
  renderLetter(content, { reason: `This e-mail about a booking went to ${to}.`, appUrl });

/** The explorer can object until `until`. */
export function renderAbsence(mail: AbsenceMail & { until: Date }, site: Site): RenderedMail {
  const guide = isolated(mail.guideName || "Your guide");
  return letter(site, {
    subject: `Were you at ${isolated(mail.tourTitle)}?`,
    name: mail.explorerName,
    paragraphs: [
      `${guide} says that you did not come to ${departureOf(mail, site)}. Were you there?`,
      "If you were there, or if you came and nobody was there, please tell us. Your booking then counts as completed, and you can review the tour.",
    ],
    button: { label: "I was there", url: mail.url },
    closing: `The button opens a page that asks once more. It works until ${dayInWords(mail.until, mail.timeZone)}, without a log-in, so please keep this e-mail to yourself. We tell your guide about your answer. If you did not come, you don’t have to do anything.`,
  });
}

export function renderObjection(mail: AbsenceMail, site: Site & { contact: string }): RenderedMail {
  const explorer = isolated(mail.explorerName || "An explorer");
  return letter(site, {
    subject: `${explorer} says that they came to ${isolated(mail.tourTitle)}`,
    name: mail.guideName,
    paragraphs: [
      `You said that ${explorer} did not come to ${departureOf(mail, site)}. ${explorer} says that they were there, or came and nobody was there.`,
      "The booking now counts as completed, and they can review the tour. You can no longer mark it as a no-show.",
    ],
    button: { label: "See your tours", url: mail.url },
    closing: `If you think that this is wrong, write to us: ${site.contact}`,
  });
}
