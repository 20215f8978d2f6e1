import type { z } from "zod";
import { type Content, CONTENT_FIELDS, reviewContent } from "~/reviews/content";
import type { ReviewDocument } from "#models/review";
import { entityTag } from "~/lib/digest.server";
import { type Author, toAuthor } from "~/accounts/people.server";
import type { Review } from "~/reviews/schemas";

/** (docs/rules/reviews.md, Reviews) */
export type PublicReview = Omit<
  z.output<typeof Review>,
  "reply" | "verified" | "editedAt" | "visitedAt"
>;

/** The entity tag of a review's state: it changes with every change of its content. */
export const reviewTag = ({ id, ...content }: Content & { id: string }): string =>
  entityTag(JSON.stringify([id, ...CONTENT_FIELDS.map((name) => content[name] || null)]));

/** An author whose account is gone has no name and no picture. */
export function toPublicReview(
  review: ReviewDocument,
  author: Author | null | undefined,
): PublicReview {
  return {
    id: review._id.toString(),
    tourId: review.tourId.toString(),
    userId: review.userId.toString(),
    ...reviewContent(review),
    createdAt: review.createdAt.toISOString(),
    user: toAuthor(author),
  };
}
