import { renderReviewDigest } from "../../../emails/review-digest";
import { renderReviewNotification } from "../../../emails/review-notification";
import type { NotificationDocument } from "../../../models/notification";
import { env } from "../../infra/env.server";
import type { Mail } from "./sendgrid.server";
import { unsubscribeUrl } from "./settings.server";

/** Renders the e-mail about these reviews: a single one, or those of a guide's day, oldest first. */
export async function renderMail(
  notifications: NotificationDocument[],
): Promise<Omit<Mail, "from">> {
  // The newest has the guide's latest name and address.
  const { guideId, digest, inputs } = notifications.at(-1)!;
  const site = { appUrl: env().appUrl, unsubscribeUrl: unsubscribeUrl(guideId) };
  const mail = digest
    ? await renderReviewDigest(
        notifications.map((notification) => notification.inputs),
        site,
      )
    : await renderReviewNotification(inputs, site);
  return { ...mail, to: inputs.guideEmail, unsubscribeUrl: site.unsubscribeUrl };
}
