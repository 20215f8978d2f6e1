import type { ClientSession } from "mongoose";
import { type Letter, renderLetter } from "#emails/letter";
import type { AbsenceDocument } from "#models/absence";
import type { TourDocument } from "#models/tour";
import type { UserDocument } from "#models/user";
import { env } from "~/config/env.server";
import { inSubject } from "~/lib/shortened.server";
import { signedToken } from "~/lib/signed-token.server";
import { isolated } from "~/lib/text";
import { tourTimeZone } from "~/lib/tour-zone.server";
import { dayInWords, departureInWords } from "~/config/zones";
import { queueMail } from "~/mail/outbox.server";

// The e-mails about explorers who did not come, as a guide says (docs/rules/bookings.md, No-shows). They are about
// somebody's own bookings, so nobody can unsubscribe from them.

export const ABSENCE = "absence";

interface AbsenceMail {
  absence: AbsenceDocument;
  explorer: UserDocument | null;
  guide: UserDocument | null;
  tour: TourDocument | null;
}

/** A subject names two of them. */
const LONGEST_NAME = 40;
const LONGEST_TITLE = 80;

const tourTitle = (tour: TourDocument | null) => tour?.title ?? "a former tour";

function titleAndDeparture({ absence: { date }, tour }: AbsenceMail): string {
  const title = isolated(tourTitle(tour));
  return date ? `${title} on ${departureInWords(date, tourTimeZone(tour), env().timeZone)}` : title;
}

const render = (letter: Letter, { email }: UserDocument) =>
  renderLetter(letter, {
    reason: `This e-mail about a booking went to ${email}.`,
    appUrl: env().appUrl,
  });

/** Asks the explorer, who can object until `until`. */
export async function queueAbsence(
  { until, ...said }: AbsenceMail & { until: Date },
  session: ClientSession,
): Promise<void> {
  const { absence, explorer, guide, tour } = said;
  if (!explorer) return;
  const token = signedToken(ABSENCE, absence._id.toString());
  const letter = {
    subject: `Were you at ${inSubject(tourTitle(tour))}?`,
    name: explorer.name,
    paragraphs: [
      `${isolated(guide?.name || "Your guide")} says that you did not come to ${titleAndDeparture(said)}. Did you take this tour?`,
      "If you were there, or if you came and nobody was there, please tell us. Your booking then counts as completed, and you can review the tour.",
    ],
    button: { label: "I was there", url: `${env().appUrl}/absences/${token}` },
    closing: `The button opens a page that asks once more. It works until ${dayInWords(until, tourTimeZone(tour))}, without a log-in, so please keep this e-mail to yourself. We tell your guide about your answer. If you did not come, you don’t have to do anything.`,
  };
  await queueMail(explorer, { ...render(letter, explorer), expiresAt: until }, session);
}

/** Tells the guide that the explorer has objected. */
export async function queueObjection(said: AbsenceMail, session: ClientSession): Promise<void> {
  const { guide, tour } = said;
  if (!guide) return;
  const name = said.explorer?.name || "An explorer";
  const explorer = isolated(name);
  const letter = {
    subject: `${inSubject(name, LONGEST_NAME)} says that they came to ${inSubject(tourTitle(tour), LONGEST_TITLE)}`,
    name: guide.name,
    paragraphs: [
      `You said that ${explorer} did not come to ${titleAndDeparture(said)}. ${explorer} says that they were there, or came and nobody was there.`,
      "The booking now counts as completed, and they can review the tour. You can no longer mark it as a no-show.",
    ],
    button: { label: "See your tours", url: `${env().appUrl}/guide` },
    closing: `If you think that this is wrong, write to us: ${env().contact}`,
  };
  await queueMail(guide, render(letter, guide), session);
}
