import type { z } from "zod";
import type { ReviewDocument } from "#models/review";
import { entityTag } from "~/lib/digest.server";
import { type Author, toAuthor } from "~/accounts/people.server";
import type { Review } from "~/reviews/schemas";

/** (docs/rules/reviews.md, Reviews) */
export type PublicReview = Omit<
  z.output<typeof Review>,
  "reply" | "verified" | "editedAt" | "visitedAt"
>;

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
