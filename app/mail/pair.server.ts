import type { Types } from "mongoose";
import type { NotificationDocument } from "#models/notification";
import { Reply } from "#models/reply";
import { Review, type ReviewDocument } from "#models/review";
import { replyMails, reviewMails } from "~/mail/limits.server";

const REVIEWS = {
  limit: reviewMails,
  /** Why one waits that is one too many. */
  tooMany: "three e-mails about this explorer's reviews of the tour within an hour",
};
const REPLIES = {
  limit: replyMails,
  tooMany: "an e-mail about the reply to this explorer's review of the tour within an hour",
};

/** The key by which an e-mail about an explorer and a tour counts, and its limit. */
type MailPair = { key: string } & typeof REVIEWS;

/** Returns "none" for an e-mail that does not count, and "gone" when what it tells of can no longer be read. */
export async function findPair(mail: NotificationDocument): Promise<MailPair | "none" | "gone"> {
  const isReply = mail.kind === "account";
  const reviewId = isReply ? mail.replyTo : mail.kind === "review" ? mail._id : undefined;
  if (!reviewId) return "none";
  const review = await Review.findById(reviewId, "userId tourId").lean<ReviewDocument>();
  if (!review || (isReply && !(await isReplyShown(reviewId)))) return "gone";
  const key = `${String(review.userId)} ${String(review.tourId)}`;
  return { key, ...(isReply ? REPLIES : REVIEWS) };
}

/** Returns whether it was neither withdrawn nor removed by an operator. */
const isReplyShown = async (_id: Types.ObjectId) =>
  (await Reply.exists({ _id, text: { $ne: null }, hidden: null })) !== null;
