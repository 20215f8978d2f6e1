import type { QueryFilter, Types } from "mongoose";
import { Notification, type NotificationDocument } from "#models/notification";
import {
  REPLY_MAILS,
  type ReplyMails,
  REVIEW_MAILS,
  type ReviewMails,
  User,
  type UserDocument,
} from "#models/user";
import { env } from "~/infra/env.server";
import { FormError, ServiceError } from "~/infra/errors.server";
import { toObjectId } from "~/db/ids.server";
import { readSignedToken, signedToken } from "~/infra/signed-token.server";
import { inTransaction } from "~/db/transaction.server";
import { unsubscribes, unsubscribesByNetwork, writes } from "~/db/limits.server";

export type { ReplyMails, ReviewMails };

/** Throws `ServiceError` 404 when there is no such user. */
export const getReviewMails = async (userId: string): Promise<ReviewMails> =>
  (await findReader(userId)).reviewMails;

export const getReplyMails = async (userId: string): Promise<ReplyMails> =>
  (await findReader(userId)).replyMails;

async function findReader(userId: string): Promise<UserDocument> {
  const id = toObjectId(userId);
  const user = id && (await User.findById(id, "reviewMails replyMails").lean<UserDocument>());
  if (!user) throw new ServiceError(404, "User not found");
  return user;
}

/** "none" also without an account or an address, and where no e-mails arrive. */
export const guideMailPreference = (guide: UserDocument | null): ReviewMails =>
  env().emailsArrive && guide?.email ? guide.reviewMails : "none";

/**
 * Sets which mails about new reviews a user gets; `choice` is as it came from the form. With "none",
 * what waits to be sent to this guide is dropped. Throws `FormError` for another choice.
 */
export async function setReviewMails(userId: string, choice: string): Promise<ReviewMails> {
  const reviewMails = REVIEW_MAILS.find((known) => known === choice);
  if (!reviewMails) throw new FormError({ reviewMails: "Choose which e-mails you want" });
  await writes.consume(userId);
  await storeReviewMails(userId, reviewMails);
  return reviewMails;
}

/** Throws `FormError` for an unknown choice. */
export async function setReplyMails(userId: string, choice: string): Promise<ReplyMails> {
  const replyMails = REPLY_MAILS.find((known) => known === choice);
  if (!replyMails) throw new FormError({ replyMails: "Choose which e-mails you want" });
  await writes.consume(userId);
  await storeReplyMails(userId, replyMails);
  return replyMails;
}

function storeReviewMails(userId: string, reviewMails: ReviewMails): Promise<void> {
  const guideId = toObjectId(userId);
  return store(userId, { reviewMails }, reviewMails === "none" ? { guideId } : null);
}

function storeReplyMails(userId: string, replyMails: ReplyMails): Promise<void> {
  // Those about the account itself have no such link, and cannot be stopped.
  const stoppable = { owner: userId, "mail.unsubscribeUrl": { $gt: "" } };
  return store(userId, { replyMails }, replyMails === "none" ? stoppable : null);
}

/** Drops those of the e-mails that wait, retries too: who has unsubscribed does not expect one an hour later. */
async function store(
  userId: string,
  chosen: Partial<Pick<UserDocument, "reviewMails" | "replyMails">>,
  dropped: QueryFilter<NotificationDocument> | null,
): Promise<void> {
  await inTransaction(async (session) => {
    const user = await User.updateOne({ _id: toObjectId(userId) }, { $set: chosen }, { session });
    if (user.matchedCount === 0) throw new ServiceError(404, "User not found");
    if (dropped) await Notification.deleteMany({ ...dropped, state: "pending" }, { session });
  });
}

/** New reviews of their tours, or replies to their reviews. */
export type Stoppable = "reviews" | "replies";

const PURPOSES = {
  reviews: "unsubscribe",
  replies: "unsubscribe-replies",
} as const satisfies Record<Stoppable, string>;

/**
 * The address needs no log-in, because a mail program calls it too (RFC 8058), and never expires, because mails do not
 * either.
 */
export const unsubscribeUrl = (reader: Types.ObjectId, about: Stoppable = "reviews"): string =>
  `${env().appUrl}/unsubscribe/${signedToken(PURPOSES[about], reader.toString())}`;

export type Subscription =
  { about: "reviews"; mails: ReviewMails } | { about: "replies"; mails: ReplyMails };

/** Throws `ServiceError` 404 for a token that is not ours. */
export async function findSubscription(token: string): Promise<Subscription> {
  const { reader, about } = readToken(token);
  return about === "replies"
    ? { about, mails: await getReplyMails(reader) }
    : { about, mails: await getReviewMails(reader) };
}

/** Throws `ServiceError` 404 likewise, and `RateLimitError` 429. */
export async function unsubscribe(token: string, clientAddress: string): Promise<void> {
  const { reader, about } = readToken(token);
  await unsubscribesByNetwork.consume(clientAddress);
  await unsubscribes.consume(reader);
  if (about === "replies") await storeReplyMails(reader, "none");
  else await storeReviewMails(reader, "none");
}

function readToken(token: string): { reader: string; about: Stoppable } {
  const read = readSignedToken(token, Object.values(PURPOSES));
  if (!read) throw new ServiceError(404, "This link is not valid.");
  return { reader: read.id, about: read.purpose === PURPOSES.replies ? "replies" : "reviews" };
}
