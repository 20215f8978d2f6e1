import { type ClientSession, Types } from "mongoose";
import { Reply, type ReplyDocument } from "#models/reply";
import { Tour, type TourDocument } from "#models/tour";
import { User, type UserDocument } from "#models/user";
import { ServiceError } from "~/lib/errors.server";
import { parseInput } from "~/lib/validation.server";
import { changeTour } from "~/reviews/change-tour.server";
import { notifications } from "~/mail/delivery.server";
import { type Caller, requireCaller } from "~/accounts/caller.server";
import { isSuspended } from "~/accounts/users.server";
import { texts } from "~/lib/refusal-texts";
import { getStoredReview, type IfMatch } from "~/reviews/own-review.server";
import { getReviewAndTour } from "~/reviews/read.server";
import { ReplyBody } from "~/reviews/schemas";
import {
  findRemovedReplies,
  isPosted,
  type PublicReply,
  type RemovedReply,
  replyTag,
  toPublicReply,
} from "./replies.server";
import { dropReplyMail, queueReplyMail } from "./reply-mail.server";

/**
 * Stores the guide's reply to a review, or replaces it, after the checks of docs/rules/replies.md (Replies) in their
 * order. The same text again changes nothing. Throws `ServiceError` for the first check that fails.
 */
export async function putReply(
  caller: Caller | null,
  reviewId: string,
  body: unknown,
  { ifMatch }: IfMatch = {},
): Promise<PublicReply> {
  const requireReplyable = async (author: Types.ObjectId, session?: ClientSession) => {
    const found = await requireGuide(author, reviewId, session);
    if (found.reply?.hidden) throw new ServiceError(403, texts.replyHidden);
    // A reply of the guide before stays under that name: the present one may withdraw it, not change it.
    if (isPosted(found.reply) && !found.reply.userId.equals(author))
      throw new ServiceError(403, texts.replyNotAuthor);
    requireReplyMatch(found.reply, ifMatch);
    return found;
  };
  const author = requireCaller(caller);
  const { text } = parseInput(ReplyBody, body);
  const { review } = await requireReplyable(author);
  const { reply, told } = await changeTour(review.tourId, async ({ session, now }) => {
    // Decided again, because it may have changed since the first check.
    const { tour, reply: stored } = await requireReplyable(author, session);
    const people = await User.find({ _id: { $in: [author, review.userId] } }, null, {
      session,
    }).lean<UserDocument[]>();
    const guide = people.find(({ _id }) => _id.equals(author));
    // The account was deleted or suspended meanwhile.
    if (!guide || isSuspended(guide)) throw new ServiceError(401, texts.unauthorized);
    if (isPosted(stored) && stored.text === text)
      return { reply: toPublicReply(stored, guide), told: false };
    const next = isPosted(stored)
      ? { text, createdAt: stored.createdAt, editedAt: now }
      : { text, createdAt: now, editedAt: null };
    const explorer = people.find(({ _id }) => _id.equals(review.userId));
    const told = isToBeTold(explorer, guide);
    if (told) {
      const names = { guideName: guide.name, tourTitle: tour.title };
      await queueReplyMail({ author: explorer, ...names, text, review }, session);
    }
    const { _id, tourId } = review;
    const fields = { ...next, tourId, userId: author };
    await Reply.updateOne({ _id }, { $set: fields }, { session, upsert: true });
    return { reply: toPublicReply(next, guide), told };
  });
  if (told) notifications.wake();
  return reply;
}

const isToBeTold = (
  author: UserDocument | undefined,
  guide: UserDocument,
): author is UserDocument =>
  author !== undefined &&
  author.email !== "" &&
  author.replyMails !== "none" &&
  !author._id.equals(guide._id);

/**
 * Withdraws the reply, whichever guide of the tour wrote it, after the checks of docs/rules/replies.md (Replies) in
 * their order. Its text is gone then. Throws `ServiceError` for the first check that fails.
 */
export async function deleteReply(
  caller: Caller | null,
  reviewId: string,
  { ifMatch }: IfMatch = {},
): Promise<void> {
  const requireWithdrawable = async (author: Types.ObjectId, session?: ClientSession) => {
    const { review, reply } = await requireGuide(author, reviewId, session);
    if (!isPosted(reply)) throw new ServiceError(404, texts.replyNotFound);
    requireReplyMatch(reply, ifMatch);
    return review;
  };
  const author = requireCaller(caller);
  const review = await requireWithdrawable(author);
  await changeTour(review.tourId, async ({ session }) => {
    await requireWithdrawable(author, session);
    const withdrawn = { text: null, editedAt: null };
    await Reply.updateOne({ _id: review._id }, { $set: withdrawn }, { session });
    await dropReplyMail(review._id, session);
  });
}

/** Returns the removed reply, beside which there can be no other; null when none was removed. */
export const findRemovedReply = async (reviewId: string): Promise<RemovedReply | null> =>
  (await findRemovedReplies([new Types.ObjectId(reviewId)])).get(reviewId) ?? null;

/**
 * Returns the review and its tour for the form of the reply; `tag` is empty without one. Throws `ServiceError` as a PUT
 * of the reply would, 401 to 403.
 */
export async function getReviewToReply(caller: Caller | null, reviewId: string) {
  const guide = requireCaller(caller).toString();
  const { tour, ...found } = await getReviewAndTour(reviewId);
  if (tour?.createdById !== guide) throw new ServiceError(403, texts.replyNotGuide);
  if (await findRemovedReply(found.review.id)) throw new ServiceError(403, texts.replyHidden);
  const { reply } = found.review;
  return { ...found, tour, tag: reply ? replyTag(reply) : "", isOwn: reply?.userId === guide };
}

/**
 * Deletes what the guide has replied to these reviews of a tour, or to all that are left, in the tour's own transaction:
 * a reply that is being written there comes either before it and is deleted, or after it and finds no guide.
 */
export const deleteRepliesOf = (
  userId: Types.ObjectId,
  tourId: Types.ObjectId,
  reviewIds?: Types.ObjectId[],
): Promise<void> =>
  changeTour(tourId, async ({ session }) => {
    const replies = { userId, tourId, ...(reviewIds && { _id: { $in: reviewIds } }) };
    await Reply.deleteMany(replies, { session });
  });

/** Checks 3 and 4. The reply is posted, withdrawn or removed. */
async function requireGuide(author: Types.ObjectId, reviewId: string, session?: ClientSession) {
  const review = await getStoredReview(reviewId, session);
  const tour = await Tour.findById(review.tourId, "createdById title", {
    session,
  }).lean<TourDocument>();
  if (!tour?.createdById.equals(author)) throw new ServiceError(403, texts.replyNotGuide);
  const reply = await Reply.findById(review._id, null, { session }).lean<ReplyDocument>();
  return { review, tour, reply };
}

/** Throws `ServiceError` 412 when the reply is in none of the states of `ifMatch`; an empty tag stands for no reply. */
function requireReplyMatch(reply: ReplyDocument | null, ifMatch: IfMatch["ifMatch"]): void {
  const tag = isPosted(reply) ? replyTag(toPublicReply(reply, null)) : "";
  if (ifMatch && !ifMatch.includes(tag)) throw new ServiceError(412, texts.replyChangedMeanwhile);
}
