import type { ClientSession } from "mongoose";
import { renderAbsence, renderObjection } from "#emails/absence-mail";
import type { AbsenceDocument } from "#models/absence";
import type { TourDocument } from "#models/tour";
import type { UserDocument } from "#models/user";
import { env } from "~/infra/env.server";
import { signedToken } from "~/infra/signed-token.server";
import { zoneOf } from "~/infra/tour-zone.server";
import { queueMail } from "./outbox.server";

// These e-mails are about somebody's own bookings, so nobody can unsubscribe from them.

export const ABSENCE = "absence";

interface Said {
  absence: AbsenceDocument;
  explorer: UserDocument | null;
  guide: UserDocument | null;
  tour: TourDocument | null;
}

/** Asks the explorer, who can object until `until`. */
export async function queueAbsence(
  { until, ...said }: Said & { until: Date },
  session: ClientSession,
): Promise<void> {
  const { absence, explorer } = said;
  if (!explorer) return;
  const path = `/absences/${signedToken(ABSENCE, absence._id.toString())}`;
  const mail = renderAbsence({ ...inWords(said, path), until }, siteFor(explorer));
  await queueMail(explorer, { ...mail, expiresAt: until }, session);
}

/** Tells the guide that the explorer has objected. */
export async function queueObjection(said: Said, session: ClientSession): Promise<void> {
  const { guide } = said;
  if (!guide) return;
  const site = { ...siteFor(guide), contact: env().contact };
  await queueMail(guide, renderObjection(inWords(said, "/guide"), site), session);
}

const inWords = ({ absence, explorer, guide, tour }: Said, path: string) => ({
  guideName: guide?.name ?? "",
  explorerName: explorer?.name ?? "",
  tourTitle: tour?.title ?? "a former tour",
  date: absence.date,
  timeZone: zoneOf(tour),
  url: env().appUrl + path,
});

const siteFor = ({ email }: UserDocument) => ({
  to: email,
  appUrl: env().appUrl,
  siteZone: env().timeZone,
});
