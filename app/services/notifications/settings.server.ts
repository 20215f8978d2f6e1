import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { Types } from "mongoose";
import { Notification } from "../../../models/notification";
import { REVIEW_MAILS, User, type ReviewMails, type UserDocument } from "../../../models/user";
import { env, required } from "../../infra/env.server";
import { FormError, ServiceError } from "../../infra/errors.server";
import { toObjectId } from "../../infra/ids.server";
import { inTransaction } from "../../infra/transaction.server";
import { writes } from "../limits.server";

export type { ReviewMails };

/** Which mails about new reviews a user gets; throws `ServiceError` 404 when there is no such user. */
export async function getReviewMails(userId: string): Promise<ReviewMails> {
  const id = toObjectId(userId);
  const user = id && (await User.findById(id, "reviewMails").lean<UserDocument>());
  if (!user) throw new ServiceError(404, "User not found");
  return user.reviewMails ?? "each";
}

/**
 * Sets which mails about new reviews a user gets; `choice` is as it came from the form. With "none",
 * what waits to be sent to this guide is dropped. Throws `FormError` for another choice.
 */
export async function setReviewMails(userId: string, choice: string): Promise<ReviewMails> {
  const reviewMails = REVIEW_MAILS.find((known) => known === choice);
  if (!reviewMails) throw new FormError({ reviewMails: "Choose which e-mails you want" });
  await writes.consume(userId);
  const id = toObjectId(userId);
  await inTransaction(async (session) => {
    const user = await User.updateOne({ _id: id }, { $set: { reviewMails } }, { session });
    if (user.matchedCount === 0) throw new ServiceError(404, "User not found");
    // Retries too: who has unsubscribed does not expect an e-mail an hour later.
    if (reviewMails === "none")
      await Notification.deleteMany({ guideId: id, state: "pending" }, { session });
  });
  return reviewMails;
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

/** Stops the mails of the guide of such an address; throws `ServiceError` 404 likewise. */
export async function unsubscribe(token: string): Promise<void> {
  await setReviewMails(guideOf(token), "none");
}

function guideOf(token: string): string {
  const [, id = "", given = ""] = /^([0-9a-f]{24})([\w-]{43})$/.exec(token) ?? [];
  if (!id || !timingSafeEqual(Buffer.from(given), Buffer.from(signature(id))))
    throw new ServiceError(404, "This link is not valid.");
  return id;
}

/** Signed with a key of its own, so that no other value signed with the secret can pass for a token. */
function signature(id: string): string {
  const secret = required(env().sessionSecret, "SESSION_SECRET");
  const key = Buffer.from(hkdfSync("sha256", secret, "", "tour-reviews unsubscribe", 32));
  return createHmac("sha256", key).update(id).digest("base64url");
}
