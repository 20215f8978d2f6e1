import type { ClientSession } from "mongoose";
import { renderReplyNotification, type Reply } from "#emails/reply-notification";
import { env } from "~/infra/env.server";
import { queueMail } from "./outbox.server";
import { unsubscribeUrl } from "./mail-settings.server";

/** Puts the e-mail about a guide's reply into the outbox; see `queueMail`. */
export async function queueReplyMail(
  reply: Reply,
  session: ClientSession,
  now: Date,
): Promise<void> {
  const { author } = reply;
  const site = { appUrl: env().appUrl, unsubscribeUrl: unsubscribeUrl(author._id, "replies") };
  const mail = { ...renderReplyNotification(reply, site), unsubscribeUrl: site.unsubscribeUrl };
  await queueMail(author, mail, session, { clock: () => now });
}
