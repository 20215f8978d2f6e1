import { Notification, type NotificationDocument } from "../../../models/notification";
import { toObjectId } from "../../infra/ids.server";
import { renderMail } from "./mail.server";

/** An e-mail that was captured instead of sent. */
export interface CapturedMail {
  id: string;
  to: string;
  createdAt: string;
  subject: string;
  html: string;
  text: string;
}

/** Returns the newest e-mails that were captured, because no SendGrid is configured, as they would be sent. */
export async function listCapturedMails(limit = 50): Promise<CapturedMail[]> {
  const kept = await Notification.find({ state: "kept" })
    .sort({ dueAt: -1 })
    .limit(limit)
    .lean<NotificationDocument[]>();
  const mails = new Map<string, NotificationDocument[]>();
  for (const notification of kept) {
    const { _id, digest, guideId, dueAt } = notification;
    // What was leased together has the same `dueAt` since.
    const key = digest ? `${guideId.toString()} ${dueAt.getTime()}` : _id.toString();
    mails.set(key, [...(mails.get(key) ?? []), notification]);
  }
  return Promise.all([...mails.values()].map(toCapturedMail));
}

/** Returns a captured e-mail by the id of one of its reviews, or null. */
export async function findCapturedMail(reviewId: string): Promise<CapturedMail | null> {
  const id = toObjectId(reviewId);
  if (!id) return null;
  const kept = await Notification.findOne({ _id: id, state: "kept" }).lean<NotificationDocument>();
  if (!kept?.digest) return kept && toCapturedMail([kept]);
  const { guideId, state, digest, dueAt } = kept;
  return toCapturedMail(
    await Notification.find({ guideId, state, digest, dueAt }).lean<NotificationDocument[]>(),
  );
}

async function toCapturedMail(notifications: NotificationDocument[]): Promise<CapturedMail> {
  const oldestFirst = notifications.sort(
    (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a._id > b._id ? 1 : -1),
  );
  const { _id, createdAt } = oldestFirst.at(-1)!;
  const { to, subject, html, text } = await renderMail(oldestFirst);
  return { id: _id.toString(), to, createdAt: createdAt.toISOString(), subject, html, text };
}
