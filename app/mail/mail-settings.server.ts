import type { Types } from "mongoose";
import { Notification } from "#models/notification";
import {
  REPLY_MAILS,
  type ReplyMails,
  REVIEW_MAILS,
  type ReviewMails,
  User,
  type UserDocument,
} from "#models/user";
import { env } from "~/config/env.server";
import { FormError, ServiceError } from "~/lib/errors.server";
import { toObjectId } from "~/db/ids.server";
import { readSignedToken, signedToken } from "~/lib/signed-token.server";
import { inTransaction } from "~/db/transaction.server";
import { writes } from "~/db/limits.server";
import { unsubscribes, unsubscribesByNetwork } from "~/mail/limits.server";
import { pageTexts, texts } from "~/lib/refusal-texts";

export type { ReplyMails, ReviewMails };

/**
 * The e-mails that their recipient can stop: about new reviews of their tours, replies to their reviews, or the reviews that
 * they are asked for.
 */
const STOPPABLE = {
  reviews: { field: "reviewMails", choices: REVIEW_MAILS, purpose: "unsubscribe" },
  replies: { field: "replyMails", choices: REPLY_MAILS, purpose: "unsubscribe-replies" },
  requests: { field: "reviewRequests", choices: REPLY_MAILS, purpose: "unsubscribe-requests" },
} as const;

export type Stoppable = keyof typeof STOPPABLE;

/** Returns which of these e-mails the user gets. Throws `ServiceError` 404 when there is no such user. */
export async function getMailSettings(
  userId: string,
): Promise<{ reviews: ReviewMails; replies: ReplyMails; requests: ReplyMails }> {
  const id = toObjectId(userId);
  const fields = "reviewMails replyMails reviewRequests";
  const user = id && (await User.findById(id, fields).lean<UserDocument>());
  if (!user) throw new ServiceError(404, texts.userNotFound);
  const requests = user.reviewRequests ? "each" : "none";
  return { reviews: user.reviewMails, replies: user.replyMails, requests };
}

/** "none" also without an account or an address, and where no e-mails arrive. */
export const guideMailPreference = (guide: UserDocument | null): ReviewMails =>
  env().emailsArrive && guide?.email ? guide.reviewMails : "none";

/**
 * Sets which of these e-mails a user gets; `choice` is as it came from the form. With "none", those that wait are
 * dropped. Throws `FormError` for an unknown choice.
 */
export async function setMails(userId: string, about: Stoppable, choice: string): Promise<void> {
  const { field, choices } = STOPPABLE[about];
  if (!choices.some((known) => known === choice))
    throw new FormError({ [field]: "Choose which e-mails you want" });
  await writes.consume(userId);
  await storeChoice(userId, about, choice);
}

/** Retries are dropped, too: a recipient who has unsubscribed does not expect one an hour later. */
async function storeChoice(userId: string, about: Stoppable, choice: string): Promise<void> {
  const _id = toObjectId(userId);
  const chosen = {
    [STOPPABLE[about].field]: about === "requests" ? choice !== "none" : choice,
  };
  // E-mails about the account itself have no such link, and cannot be stopped.
  const waiting = {
    reviews: { guideId: _id },
    replies: { owner: userId, "mail.unsubscribeUrl": { $gt: "" }, asks: { $exists: false } },
    requests: { owner: userId, asks: { $exists: true } },
  }[about];
  await inTransaction(async (session) => {
    const { matchedCount } = await User.updateOne({ _id }, { $set: chosen }, { session });
    if (matchedCount === 0) throw new ServiceError(404, texts.userNotFound);
    if (choice === "none")
      await Notification.deleteMany({ ...waiting, state: "pending" }, { session });
  });
}

/**
 * The address needs no log-in, because a mail program calls it too (RFC 8058), and never expires, because mails do not
 * either.
 */
export const unsubscribeUrl = (recipient: Types.ObjectId, about: Stoppable = "reviews"): string =>
  `${env().appUrl}/unsubscribe/${signedToken(STOPPABLE[about].purpose, recipient.toString())}`;

export interface Subscription {
  about: Stoppable;
  mails: ReviewMails;
}

/** Throws `ServiceError` 404 for a token that is not ours. */
export async function getSubscription(token: string): Promise<Subscription> {
  const { recipient, about } = readUnsubscribeToken(token);
  return { about, mails: (await getMailSettings(recipient))[about] };
}

/** Throws `ServiceError` 404 likewise, and `RateLimitError` 429. */
export async function unsubscribe(token: string, clientAddress: string): Promise<void> {
  const { recipient, about } = readUnsubscribeToken(token);
  await unsubscribesByNetwork.consume(clientAddress);
  await unsubscribes.consume(recipient);
  await storeChoice(recipient, about, "none");
}

function readUnsubscribeToken(token: string): { recipient: string; about: Stoppable } {
  const kinds = Object.keys(STOPPABLE) as Stoppable[];
  const read = readSignedToken(
    token,
    kinds.map((about) => STOPPABLE[about].purpose),
  );
  const about = kinds.find((kind) => STOPPABLE[kind].purpose === read?.purpose);
  if (!read || !about) throw new ServiceError(404, pageTexts.linkNotValid);
  return { recipient: read.id, about };
}
