import { createHash } from "node:crypto";
import type { ReviewDocument } from "../../../models/review";
import type { UserDocument } from "../../../models/user";

/** A review as clients see it (spec.md, Review). */
export interface PublicReview {
  id: string;
  tourId: string;
  userId: string;
  rating: number;
  comment: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  createdAt: string;
  user: Author;
}

export interface Author {
  name: string;
  image: string | null;
}

/** What names a review's state: another one after every change of its rating or comment. */
export function reviewTag({
  id,
  rating,
  comment,
}: Pick<PublicReview, "id" | "rating" | "comment">): string {
  const state = JSON.stringify([id, rating, comment || null]);
  return createHash("sha256").update(state).digest("base64url").slice(0, 27);
}

/** The shape that clients see; an author whose account is gone has no name and no picture. */
export function toPublicReview(
  review: ReviewDocument,
  author: Pick<UserDocument, "name" | "image"> | null | undefined,
): PublicReview {
  return {
    id: review._id.toString(),
    tourId: review.tourId.toString(),
    userId: review.userId.toString(),
    rating: review.rating,
    comment: review.comment || null,
    createdAt: review.createdAt.toISOString(),
    user: { name: author?.name ?? "", image: author?.image || null },
  };
}
