import type { ReviewDocument } from "#models/review";
import { entityTag } from "~/infra/digest.server";
import { type Author, toAuthor } from "~/db/people.server";

/** (docs/rules/reviews.md, Reviews) */
export interface PublicReview {
  id: string;
  tourId: string;
  userId: string;
  /** From 1 to 5; null when a platform's review has none. */
  rating: number | null;
  comment: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  createdAt: string;
  user: Author;
}

/** The entity tag of a review's state: it changes with every change of the rating or the comment. */
export function reviewTag({
  id,
  rating,
  comment,
}: Pick<PublicReview, "id" | "rating" | "comment">): string {
  return entityTag(JSON.stringify([id, rating, comment || null]));
}

/** An author whose account is gone has no name and no picture. */
export function toPublicReview(
  review: ReviewDocument,
  author: Author | null | undefined,
): PublicReview {
  return {
    id: review._id.toString(),
    tourId: review.tourId.toString(),
    userId: review.userId.toString(),
    rating: review.rating,
    comment: review.comment || null,
    createdAt: review.createdAt.toISOString(),
    user: toAuthor(author),
  };
}
