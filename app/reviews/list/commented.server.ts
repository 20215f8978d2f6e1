import type { QueryFilter, Types } from "mongoose";
import { Review, type ReviewDocument } from "#models/review";
import type { TourDocument } from "#models/tour";
import { isVisible, UNSEEN } from "#models/visible";
import { MINUTE_MS } from "~/lib/durations";
import { detectLanguage } from "~/search/text-language.server";
import { type Ratings, toRatings } from "~/reviews/ratings.server";
import { cachedByVersion } from "./cached-by-version.server";

/** Selects reviews with a comment to read, as `hasComment` does. The index has the first condition. */
export const WITH_COMMENT: QueryFilter<ReviewDocument> = {
  // An array with such a text would match, too.
  comment: { $gt: "", $regex: `[^${UNSEEN}]`, $not: { $type: "array" } },
};

export const hasComment = <Commented extends Pick<ReviewDocument, "comment">>(
  review: Commented,
): review is Commented & { comment: string } =>
  review.comment !== null && isVisible(review.comment);

/** Returns the languages of the comments, in the order of their reviews; null where it is not certain. */
export const detectCommentLanguages = (
  reviews: readonly Pick<ReviewDocument, "comment">[],
): Promise<(string | null)[]> =>
  Promise.all(
    reviews.map(async (review) => (hasComment(review) ? detectLanguage(review.comment) : null)),
  );

export type CommentCounts = Pick<Ratings, "reviewCount" | "ratingCounts">;

const KEPT_MS = MINUTE_MS;

/** Counts a tour's reviews with a comment: in all, and of each number of stars. */
export const commentCounts = (
  tour: Pick<TourDocument, "_id" | "ratingsVersion">,
): Promise<CommentCounts> =>
  cachedByVersion(tour, "comments", KEPT_MS, () => countComments(tour._id));

async function countComments(tourId: Types.ObjectId): Promise<CommentCounts> {
  const groups = await Review.aggregate<{ _id: unknown; count: number }>([
    { $match: { tourId } },
    // In a stage of its own, as in newest-reviews.server.ts.
    { $match: WITH_COMMENT },
    { $group: { _id: "$rating", count: { $sum: 1 } } },
  ]);
  const { reviewCount, ratingCounts } = toRatings(groups);
  return { reviewCount, ratingCounts };
}
