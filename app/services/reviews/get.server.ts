import { User, type UserDocument } from "../../../models/user";
import { findReview } from "./own-review.server";
import { type PublicReview, toPublicReview } from "./public-review.server";

/** The review of that id as everybody sees it; throws `ServiceError` 404 "Review not found". */
export async function getReview(reviewId: string): Promise<PublicReview> {
  const review = await findReview(reviewId);
  const author = await User.findById(review.userId, "name image").lean<UserDocument>();
  return toPublicReview(review, author);
}
