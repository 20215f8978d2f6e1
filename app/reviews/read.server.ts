import { Tour, type TourDocument } from "#models/tour";
import { User, type UserDocument } from "#models/user";
import {
  type ListedReview,
  toListedReviews,
  withPeople,
} from "~/reviews/list/listed-review.server";
import { type PublicReview, toPublicReview } from "~/reviews/list/public-review.server";
import { findReplies, type PublicReply, toPublicReply } from "~/reviews/replies/replies.server";
import type { Cacheable } from "~/lib/request-scope.server";
import { tourTimeZone } from "~/lib/tour-zone.server";
import { type Ratings, storedRatings } from "./ratings.server";
import { getStoredReview } from "./own-review.server";

/** Returns the review of that id; throws `ServiceError` 404 "Review not found". */
export async function getReview(reviewId: string): Promise<PublicReview> {
  const review = await getStoredReview(reviewId);
  const author = await User.findById(review.userId, "name image").lean<UserDocument>();
  return toPublicReview(review, author);
}

export interface AnsweredReview extends PublicReview {
  reply: PublicReply | null;
}

/** Returns the review of that id with its reply; throws as `getReview`. */
export async function getReviewAndReply(reviewId: string): Promise<AnsweredReview> {
  const review = await getStoredReview(reviewId);
  const reply = (await findReplies([review._id])).get(review._id.toString());
  const ids = [review.userId, ...(reply ? [reply.userId] : [])];
  const users = await User.find({ _id: { $in: ids } }, "name image").lean<UserDocument[]>();
  const byId = new Map(users.map((user) => [user._id.toString(), user]));
  return {
    ...toPublicReview(review, byId.get(review.userId.toString())),
    reply: reply ? toPublicReply(reply, byId.get(reply.userId.toString())) : null,
  };
}

export interface ReviewAndTour {
  review: ListedReview;
  /** Null when it is gone. */
  tour: (Ratings & { title: string; slug: string; createdById: string }) | null;
  timeZone: string;
}

/** Returns the review of that id with its tour; throws as `getReview`. */
export async function getReviewAndTour(reviewId: string): Promise<ReviewAndTour> {
  const { dependsOn: _, ...found } = await getCacheableReview(reviewId);
  return found;
}

/** Returns the same, with the tours on which the review's own page depends. */
export async function getCacheableReview(reviewId: string): Promise<ReviewAndTour & Cacheable> {
  const review = await getStoredReview(reviewId);
  const tour = await Tour.findById(review.tourId).lean<TourDocument>();
  const [listed] = await withPeople(await toListedReviews([review]));
  return {
    // A platform that knows no versions writes reviews past them.
    dependsOn: tour && tour.ratingsVersion > 0 ? [tour] : null,
    review: listed!,
    tour: tour && {
      title: tour.title,
      slug: tour.slug,
      ...storedRatings(tour),
      createdById: tour.createdById.toString(),
    },
    timeZone: tourTimeZone(tour),
  };
}
