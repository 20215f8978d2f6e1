import { Notification, type NotificationDocument } from "#models/notification";
import { toObjectId } from "~/db/ids.server";
import { renderMail } from "./mail.server";

export interface CapturedMail {
  id: string;
  to: string;
  capturedAt: string;
  subject: string;
  html: string;
  text: string;
}

const LISTED = 50;
/** How many of the newest documents are looked through: a digest is one e-mail of many of them. */
const LOOKED_THROUGH = 500;

/** The newest first, as they would be sent. */
export async function listCapturedMails(): Promise<CapturedMail[]> {
  const captured = await Notification.find({ state: "captured" })
    .sort({ endedAt: -1, _id: -1 })
    .limit(LOOKED_THROUGH)
    .lean<NotificationDocument[]>();
  const mails = new Map<string | undefined, NotificationDocument>();
  for (const notification of captured)
    if (!mails.has(notification.lease)) mails.set(notification.lease, notification);
  return Promise.all([...mails.values()].slice(0, LISTED).map(toCapturedMail));
}

/** Returns a captured e-mail by the id of its document, in a digest of any of them; or null. */
export async function findCapturedMail(id: string): Promise<CapturedMail | null> {
  const _id = toObjectId(id);
  const captured =
    _id && (await Notification.findOne({ _id, state: "captured" }).lean<NotificationDocument>());
  return captured && toCapturedMail(captured);
}

async function toCapturedMail(notification: NotificationDocument): Promise<CapturedMail> {
  const { to, subject, html, text } = await renderMail(notification);
  return {
    id: notification._id.toString(),
    to: to.email,
    capturedAt: notification.endedAt!.toISOString(),
    subject,
    html,
    text,
  };
}
