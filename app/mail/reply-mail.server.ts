import type { ClientSession } from "mongoose";
import { renderReplyNotification } from "#emails/reply-notification";
import type { ReviewDocument } from "#models/review";
import type { UserDocument } from "#models/user";
import { env } from "~/infra/env.server";
import { queueMail } from "./outbox.server";
import { unsubscribeUrl } from "./mail-settings.server";

interface Reply {
  author: UserDocument;
  guideName: string;
  tourTitle: string;
  text: string;
  review: ReviewDocument;
}

/** Puts the e-mail about a guide's reply into the outbox; see `queueMail`. */
export async function queueReplyMail(
  { author, guideName, tourTitle, text, review }: Reply,
  session: ClientSession,
  now: Date,
): Promise<void> {
  const unsubscribe = unsubscribeUrl(author._id, "replies");
  const mail = renderReplyNotification(
    review._id.toString(),
    { explorerName: author.name, explorerEmail: author.email, guideName, tourTitle, text },
    { appUrl: env().appUrl, unsubscribeUrl: unsubscribe },
  );
  await queueMail(author, { ...mail, unsubscribeUrl: unsubscribe }, session, { clock: () => now });
}
