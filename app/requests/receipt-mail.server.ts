import type { ClientSession } from "mongoose";
import { renderLetter } from "#emails/letter";
import type { ReviewRequestDocument } from "#models/review-request";
import { Tour, type TourDocument } from "#models/tour";
import { User, type UserDocument } from "#models/user";
import { env } from "~/config/env.server";
import { EDIT_WINDOW_MS } from "~/lib/review-limits";
import { inSubject } from "~/lib/shortened.server";
import { isolated } from "~/lib/text";
import { tourTimeZone } from "~/lib/tour-zone.server";
import { momentInWords } from "~/config/zones";
import { queueMail } from "~/mail/outbox.server";
import type { PublicReview } from "~/reviews/list/public-review.server";
import { requestPath, reviewPath } from "~/ui/paths";

/** Tells the guest, in the transaction that stores it, of the review that their link has posted. */
export async function queueReceipt(
  { tourId, userId }: Pick<ReviewRequestDocument, "tourId" | "userId">,
  { id, createdAt }: PublicReview,
  token: string,
  session: ClientSession,
): Promise<void> {
  const guest = await User.findById(userId, "name email", { session }).lean<UserDocument>();
  const tour = await Tour.findById(tourId, null, { session }).lean<TourDocument>();
  if (!guest || !tour) return;
  const { appUrl } = env();
  const until = new Date(Date.parse(createdAt) + EDIT_WINDOW_MS);
  const letter = {
    subject: `Your review of ${inSubject(tour.title)}`,
    name: guest.name,
    paragraphs: [
      `Your review of ${isolated(tour.title)} was posted just now by the link in our e-mail. Everybody can read it: ${appUrl}${reviewPath(id)}`,
      `You can change or delete it until ${momentInWords(until, tourTimeZone(tour))}, without a log-in.`,
    ],
    button: { label: "Change or delete it", url: appUrl + requestPath(token) },
    closing:
      "If that was not you, delete it with this button: somebody else has our e-mail. Please keep it to yourself.",
  };
  const reason = `This e-mail about your review went to ${guest.email}.`;
  const mail = renderLetter(letter, { reason, appUrl });
  await queueMail(guest, { ...mail, expiresAt: until }, session);
}
