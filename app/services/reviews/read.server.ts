import { Tour, type TourDocument } from "../../../models/tour";
import { User, type UserDocument } from "../../../models/user";
import { findAuthors } from "../../store/people.server";
import { type ListedReview, toListedReview } from "../../store/reviews/page.server";
import { type PublicReview, toPublicReview } from "../../store/reviews/public-review.server";
import { storedRatings } from "../../store/reviews/ratings.server";
import { zoneOf } from "../tour-zone.server";
import { findReview } from "./own-review.server";

export { listReviews } from "../../store/reviews/list.server";
export type { ListedReview, ReviewPage } from "../../store/reviews/page.server";
export { type PublicReview, reviewTag } from "../../store/reviews/public-review.server";

/** The review of that id as everybody sees it; throws `ServiceError` 404 "Review not found". */
export async function getReview(reviewId: string): Promise<PublicReview> {
  const review = await findReview(reviewId);
  const author = await User.findById(review.userId, "name image").lean<UserDocument>();
  return toPublicReview(review, author);
}

/** A review with its tour, which is null when it is gone. */
export interface ReviewAndTour {
  review: ListedReview;
  tour: { title: string; slug: string; avgRating: number; reviewCount: number } | null;
  /** The zone whose clocks show its times. */
  timeZone: string;
}

/** The review of that id for its own page; throws `ServiceError` 404 "Review not found". */
export async function getReviewAndTour(reviewId: string): Promise<ReviewAndTour> {
  const review = await findReview(reviewId);
  const userId = review.userId.toString();
  const [authors, tour] = await Promise.all([
    findAuthors([userId]),
    Tour.findById(review.tourId).lean<TourDocument>(),
  ]);
  return {
    review: toListedReview(review, authors.get(userId)),
    tour: tour && { title: tour.title, slug: tour.slug, ...storedRatings(tour) },
    timeZone: zoneOf(tour),
  };
}
