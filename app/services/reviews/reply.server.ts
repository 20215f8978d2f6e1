import type { ClientSession, Types } from "mongoose";
import { Reply, type ReplyDocument } from "../../../models/reply";
import type { ReviewDocument } from "../../../models/review";
import { Tour, type TourDocument } from "../../../models/tour";
import { User, type UserDocument } from "../../../models/user";
import { type Clock, systemClock } from "../../infra/clock";
import { ServiceError } from "../../infra/errors.server";
import { parseInput } from "../../infra/validation.server";
import { changeReviews } from "../../store/reviews/changes.server";
import {
  findReplies,
  type PostedReply,
  type PublicReply,
  replyTag,
  toPublicReply,
} from "../../store/reviews/replies.server";
import { wakeNotifications } from "../notifications/delivery.server";
import { queueReplyMail } from "../notifications/reply-mail.server";
import { type Caller, requireCaller, requireWriter } from "../caller.server";
import { texts } from "../texts";
import { findReview } from "./own-review.server";
import { getReviewAndTour, type ReviewAndTour } from "./read.server";
import { ReplyBody } from "./schemas";

/** An author is told again of a changed reply only so long after the last e-mail, in milliseconds. */
const TOLD_AGAIN_MS = 60 * 60 * 1_000;

interface Options {
  clock?: Clock;
  /** The tags of the states of the reply in which it may be changed; an empty one for no reply. */
  ifMatch?: readonly string[] | undefined;
}

/**
 * Stores the guide's reply to a review, or replaces it, after the checks of docs/rules.md (Replies) in their order,
 * and returns it; `reviewId` is as it came from the client. The same text again changes nothing. Throws
 * `ServiceError` with the status and text of the first failed check.
 */
export async function putReply(
  caller: Caller | null,
  reviewId: string,
  body: unknown,
  { clock = systemClock, ifMatch }: Options = {},
): Promise<PublicReply> {
  const { author, text, review } = await requireWriter(caller, async (author) => {
    const { text } = parseInput(ReplyBody, body);
    const { review, reply } = await requireGuide(author, reviewId);
    requireAuthor(reply, author);
    requireReplyMatch(reply, ifMatch);
    return { text, review };
  });
  const { reply, told } = await changeReviews(
    review.tourId,
    async (session) => {
      // What may have changed since the first look is decided again.
      const { reply } = await requireGuide(author, reviewId, session);
      requireAuthor(reply, author);
      requireReplyMatch(reply, ifMatch);
      const guide = await User.findById(author, "name image", { session }).lean<UserDocument>();
      // The account was deleted meanwhile.
      if (!guide) throw new ServiceError(401, texts.unauthorized);
      if (reply?.text === text)
        return { answer: { reply: toPublicReply(reply, guide), told: false } };
      const now = clock();
      const { _id, tourId } = review;
      const next = reply
        ? { ...reply, text, editedAt: now }
        : { tourId, userId: author, text, createdAt: now, editedAt: null };
      await Reply.updateOne({ _id }, { $set: next }, { session, upsert: true });
      const told = await tellAuthor({ ...next, _id }, { guide, review, now }, session);
      return { answer: { reply: toPublicReply({ ...next, _id }, guide), told } };
    },
    { keepRatings: true },
  );
  if (told) wakeNotifications();
  return reply;
}

/**
 * Puts the e-mail about the reply into the outbox for the review's author, unless that person wants none, has no
 * account or wrote the reply, or was told of one less than an hour ago. Returns whether there is an e-mail.
 */
async function tellAuthor(
  reply: PostedReply,
  { guide, review, now }: { guide: UserDocument; review: ReviewDocument; now: Date },
  session: ClientSession,
): Promise<boolean> {
  const [stored, author, tour] = [
    await Reply.findById(reply._id, "toldAt", { session }).lean<ReplyDocument>(),
    await User.findById(review.userId, null, { session }).lean<UserDocument>(),
    await Tour.findById(review.tourId, "title", { session }).lean<TourDocument>(),
  ];
  if (stored?.toldAt && now.getTime() - stored.toldAt.getTime() < TOLD_AGAIN_MS) return false;
  if (!author?.email || author.replyMails === "none" || author._id.equals(guide._id)) return false;
  await queueReplyMail(
    { author, guideName: guide.name, tourTitle: tour?.title ?? "", text: reply.text, review },
    session,
    now,
  );
  await Reply.updateOne({ _id: reply._id }, { $set: { toldAt: now } }, { session });
  return true;
}

/**
 * Withdraws the reply to a review, whichever guide of the tour wrote it, after the checks of docs/rules.md (Replies)
 * in their order. Its text is gone then. Throws `ServiceError` with the status and text of the first failed check.
 */
export async function deleteReply(
  caller: Caller | null,
  reviewId: string,
  { ifMatch }: Pick<Options, "ifMatch"> = {},
): Promise<void> {
  const look = async (author: Types.ObjectId, session?: ClientSession) => {
    const { review, reply } = await requireGuide(author, reviewId, session);
    if (!reply) throw new ServiceError(404, texts.replyNotFound);
    requireReplyMatch(reply, ifMatch);
    return review;
  };
  const { author, review } = await requireWriter(caller, async (author) => ({
    review: await look(author),
  }));
  await changeReviews(
    review.tourId,
    async (session) => {
      await look(author, session);
      const withdrawn = { text: null, editedAt: null };
      await Reply.updateOne({ _id: review._id }, { $set: withdrawn }, { session });
    },
    { keepRatings: true },
  );
}

/** A review as the form of its reply shows it. */
export interface ReviewToReply extends ReviewAndTour {
  tour: NonNullable<ReviewAndTour["tour"]>;
  /** The tag of the reply's state (`replyTag`); empty without a reply. */
  tag: string;
  /** Whether the caller wrote the reply. */
  isOwn: boolean;
}

/** Returns the review for the form of its reply; throws `ServiceError` as a DELETE of the reply would, and 401. */
export async function findReviewToReply(
  caller: Caller | null,
  reviewId: string,
): Promise<ReviewToReply> {
  const guide = requireCaller(caller);
  await requireGuide(guide, reviewId);
  const { tour, ...found } = await getReviewAndTour(reviewId);
  if (!tour) throw new ServiceError(403, texts.replyNotGuide);
  const { reply } = found.review;
  return {
    ...{ ...found, tour },
    tag: reply ? replyTag(reply) : "",
    isOwn: reply?.userId === guide.toString(),
  };
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
  changeReviews(
    tourId,
    async (session) => {
      const replies = { userId, tourId, ...(reviewIds && { _id: { $in: reviewIds } }) };
      await Reply.deleteMany(replies, { session });
    },
    { keepRatings: true },
  );

/** Checks 3 and 4: returns the review and its reply when `author` leads its tour. */
async function requireGuide(
  author: Types.ObjectId,
  reviewId: string,
  session?: ClientSession,
): Promise<{ review: ReviewDocument; reply: PostedReply | undefined }> {
  const review = await findReview(reviewId, session);
  const tour = await Tour.findById(review.tourId, "createdById", { session }).lean<TourDocument>();
  if (!tour?.createdById.equals(author)) throw new ServiceError(403, texts.replyNotGuide);
  const reply = (await findReplies([review._id], session)).get(review._id.toString());
  return { review, reply };
}

/** A reply of the guide before stays under that name: the present one may withdraw it, not change it. */
function requireAuthor(reply: PostedReply | undefined, author: Types.ObjectId): void {
  if (reply && !reply.userId.equals(author)) throw new ServiceError(403, texts.replyNotAuthor);
}

/** Throws `ServiceError` 412 when `ifMatch` names states and the reply is in none of them. */
function requireReplyMatch(
  reply: PostedReply | undefined,
  ifMatch: readonly string[] | undefined,
): void {
  const tag = reply ? replyTag(toPublicReply(reply, null)) : "";
  if (ifMatch && !ifMatch.includes(tag)) throw new ServiceError(412, texts.replyChangedMeanwhile);
}
