import { Notification, type NotificationDocument } from "#models/notification";
import { toObjectId } from "~/db/ids.server";
import { renderMail } from "./mail.server";

const LISTED = 50;
/** How many of the newest documents are read: a digest is one e-mail of many of them. */
const MOST_READ = 500;

/** Lists captured e-mails as they would be sent, the newest first. */
export async function listDevMailbox() {
  const captured = await Notification.find({ state: "captured" })
    .sort({ endedAt: -1, _id: -1 })
    .limit(MOST_READ)
    .lean<NotificationDocument[]>();
  const mails = new Map<string | undefined, NotificationDocument>();
  for (const notification of captured)
    if (!mails.has(notification.lease)) mails.set(notification.lease, notification);
  return Promise.all([...mails.values()].slice(0, LISTED).map(toCapturedMail));
}

/** Finds a captured e-mail by the id of its document, in a digest of any of them. */
export async function findCapturedMail(id: string) {
  const _id = toObjectId(id);
  const captured =
    _id && (await Notification.findOne({ _id, state: "captured" }).lean<NotificationDocument>());
  return captured && toCapturedMail(captured);
}

async function toCapturedMail(notification: NotificationDocument) {
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
