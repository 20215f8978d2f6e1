import type { ClientSession, Types } from "mongoose";
import { renderReplyNotification, type Reply } from "#emails/reply-notification";
import { Notification } from "#models/notification";
import { env } from "~/config/env.server";
import { queueMail } from "~/mail/outbox.server";
import { unsubscribeUrl } from "~/mail/mail-settings.server";

/** Puts the e-mail about a guide's reply into the outbox, in place of one that waits; see `queueMail`. */
export async function queueReplyMail(reply: Reply, session: ClientSession): Promise<void> {
  const { author, review } = reply;
  await dropReplyMail(review._id, session);
  const site = { appUrl: env().appUrl, unsubscribeUrl: unsubscribeUrl(author._id, "replies") };
  const mail = { ...renderReplyNotification(reply, site), unsubscribeUrl: site.unsubscribeUrl };
  await queueMail(author, mail, session, { replyTo: review._id });
}

/** Removes the e-mail that waits about the reply to that review, in the transaction in which its text goes. */
export async function dropReplyMail(
  replyTo: Types.ObjectId,
  session: ClientSession,
): Promise<void> {
  // One that is being sent stays; the next one then waits for an hour.
  const waiting = { replyTo, state: "pending", lease: { $exists: false } } as const;
  await Notification.deleteMany(waiting, { session });
}
