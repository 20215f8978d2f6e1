import { renderReviewDigest } from "#emails/review-digest";
import { renderReviewNotification } from "#emails/review-notification";
import {
  Notification,
  type NotificationDocument,
  type ReviewNotification,
} from "#models/notification";
import { env } from "~/config/env.server";
import { digestTime } from "./outbox.server";
import type { Mail } from "./sendgrid.server";
import { unsubscribeUrl } from "./mail-settings.server";

export const DIGEST_REVIEWS = 40;

/** In characters of JSON, but for the newest's. */
const DIGEST_CHARACTERS = 60_000;

/** Renders the e-mail of a document that is leased or captured. */
export async function renderMail(notification: NotificationDocument): Promise<Omit<Mail, "from">> {
  if (notification.kind === "account") {
    if (!notification.mail) throw new Error("The text of an e-mail is gone with its delivery");
    const { to, subject, text, html, unsubscribeUrl } = notification.mail;
    return { to, subject, text, html, ...(unsubscribeUrl && { unsubscribeUrl }) };
  }
  const { _id, guideId, kind } = notification;
  const site = { appUrl: env().appUrl, unsubscribeUrl: unsubscribeUrl(guideId) };
  if (kind === "review") {
    const { inputs } = notification;
    const mail = renderReviewNotification(_id.toString(), inputs, site);
    return { ...mail, to: { email: inputs.guideEmail }, unsubscribeUrl: site.unsubscribeUrl };
  }
  const { reviews, total } = await readDigest(notification);
  const mail = renderReviewDigest(reviews, total, { ...site, sentAt: digestTime() });
  // The newest has the guide's latest name and address.
  const newest = reviews.at(-1);
  if (!newest) throw new Error("A daily e-mail has no reviews");
  return { ...mail, to: { email: newest.guideEmail }, unsubscribeUrl: site.unsubscribeUrl };
}

/** Reads as many as a digest shows, oldest first. */
async function readDigest({ lease }: ReviewNotification) {
  const total = await Notification.countDocuments({ lease });
  const newest = await Notification.find({ lease })
    .sort({ createdAt: -1, _id: -1 })
    .limit(DIGEST_REVIEWS)
    .lean<ReviewNotification[]>();
  let left = DIGEST_CHARACTERS;
  const shown = newest.filter(({ inputs }, index) => {
    left -= JSON.stringify(inputs).length;
    return index === 0 || left >= 0;
  });
  return {
    reviews: shown.reverse().map(({ _id, inputs }) => ({ ...inputs, id: _id.toString() })),
    total,
  };
}
