import { Tour, type TourDocument } from "#models/tour";
import { User, type UserDocument } from "#models/user";
import { findAuthors } from "~/db/people.server";
import {
  authorsOf,
  type ListedReview,
  toListedReviews,
  withAuthors,
} from "~/reviews/list/listed-review.server";
import { type PublicReview, toPublicReview } from "~/reviews/list/public-review.server";
import { findReplies, type PublicReply, toPublicReply } from "~/reviews/replies/replies.server";
import { zoneOf } from "~/infra/tour-zone.server";
import { storedRatings } from "./ratings.server";
import { findReview } from "./own-review.server";

export { listReviews } from "~/reviews/list/list.server";
export type { ListedReview } from "~/reviews/list/listed-review.server";
export type { ReviewPage } from "~/reviews/list/page.server";
export { type PublicReview, reviewTag } from "~/reviews/list/public-review.server";
export { type PublicReply, replyTag } from "~/reviews/replies/replies.server";

/** Throws `ServiceError` 404 "Review not found". */
export async function getReview(reviewId: string): Promise<PublicReview> {
  const review = await findReview(reviewId);
  const author = await User.findById(review.userId, "name image").lean<UserDocument>();
  return toPublicReview(review, author);
}

/** `reply` is null when there is none. */
export interface AnsweredReview extends PublicReview {
  reply: PublicReply | null;
}

export async function getReviewAndReply(reviewId: string): Promise<AnsweredReview> {
  const review = await findReview(reviewId);
  const reply = (await findReplies([review._id])).get(review._id.toString());
  const ids = [review.userId, ...(reply ? [reply.userId] : [])];
  const users = await User.find({ _id: { $in: ids } }, "name image").lean<UserDocument[]>();
  const byId = new Map(users.map((user) => [user._id.toString(), user]));
  return {
    ...toPublicReview(review, byId.get(review.userId.toString())),
    reply: reply ? toPublicReply(reply, byId.get(reply.userId.toString())) : null,
  };
}

/** `tour` is null when it is gone. */
export interface ReviewAndTour {
  review: ListedReview;
  tour: {
    title: string;
    slug: string;
    avgRating: number;
    reviewCount: number;
    createdById: string;
  } | null;
  timeZone: string;
}

/** The review of that id for its own page; throws `ServiceError` 404 "Review not found". */
export async function getReviewAndTour(reviewId: string): Promise<ReviewAndTour> {
  const review = await findReview(reviewId);
  const [listed, tour] = await Promise.all([
    toListedReviews([review]),
    Tour.findById(review.tourId).lean<TourDocument>(),
  ]);
  const people = await findAuthors(authorsOf(listed));
  return {
    review: withAuthors(listed[0]!, people),
    tour: tour && {
      title: tour.title,
      slug: tour.slug,
      ...storedRatings(tour),
      createdById: tour.createdById.toString(),
    },
    timeZone: zoneOf(tour),
  };
}
