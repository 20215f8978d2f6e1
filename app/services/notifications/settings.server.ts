import { timingSafeEqual } from "node:crypto";
import type { Types } from "mongoose";
import { Notification } from "../../../models/notification";
import { REVIEW_MAILS, User, type ReviewMails, type UserDocument } from "../../../models/user";
import { keyedHash } from "../../infra/digest.server";
import { env } from "../../infra/env.server";
import { FormError, ServiceError } from "../../infra/errors.server";
import { toObjectId } from "../../infra/ids.server";
import { inTransaction } from "../../infra/transaction.server";
import { unsubscribes, unsubscribesByNetwork, writes } from "../limits.server";

export type { ReviewMails };

/** Which mails about new reviews a user gets; throws `ServiceError` 404 when there is no such user. */
export async function getReviewMails(userId: string): Promise<ReviewMails> {
  const id = toObjectId(userId);
  const user = id && (await User.findById(id, "reviewMails").lean<UserDocument>());
  if (!user) throw new ServiceError(404, "User not found");
  return user.reviewMails;
}

/**
 * How the guide of that id is told of a new review: "none" also for a guide without an account or an address, and
 * where no e-mails arrive.
 */
export async function howGuideIsTold(guideId: string): Promise<ReviewMails> {
  if (!env().emailsArrive) return "none";
  const guide = await User.findById(toObjectId(guideId), "email reviewMails").lean<UserDocument>();
  return guide?.email ? guide.reviewMails : "none";
}

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

async function storeReviewMails(userId: string, reviewMails: ReviewMails): Promise<void> {
  const id = toObjectId(userId);
  await inTransaction(async (session) => {
    const user = await User.updateOne({ _id: id }, { $set: { reviewMails } }, { session });
    if (user.matchedCount === 0) throw new ServiceError(404, "User not found");
    // Retries too: who has unsubscribed does not expect an e-mail an hour later.
    if (reviewMails === "none")
      await Notification.deleteMany({ guideId: id, state: "pending" }, { session });
  });
}

/**
 * The address that stops a guide's mails, for the mail itself: it needs no log-in, because a mail
 * program calls it too (RFC 8058), and it never expires, because mails do not either.
 */
export function unsubscribeUrl(guideId: Types.ObjectId): string {
  const id = guideId.toString();
  return `${env().appUrl}/unsubscribe/${id}${signature(id)}`;
}

/** Which mails the guide of such an address gets; throws `ServiceError` 404 for a token that is not ours. */
export async function findSubscription(token: string): Promise<ReviewMails> {
  return getReviewMails(guideOf(token));
}

/**
 * Stops the mails of the guide of such an address, for a client at `clientAddress`; throws `ServiceError` 404
 * likewise, and `RateLimitError` 429.
 */
export async function unsubscribe(token: string, clientAddress: string): Promise<void> {
  const guide = guideOf(token);
  await unsubscribesByNetwork.consume(clientAddress);
  await unsubscribes.consume(guide);
  await storeReviewMails(guide, "none");
}

function guideOf(token: string): string {
  const [, id = "", given = ""] = /^([0-9a-f]{24})([\w-]{43})$/.exec(token) ?? [];
  if (!id || !timingSafeEqual(Buffer.from(given), Buffer.from(signature(id))))
    throw new ServiceError(404, "This link is not valid.");
  return id;
}

const signature = (id: string) => keyedHash("unsubscribe", id);
