import type { Types } from "mongoose";
import { Notification } from "#models/notification";
import { Reply } from "#models/reply";
import { Review, type ReviewDocument } from "#models/review";
import { type Caller, requireWriter } from "~/accounts/caller.server";
import { changeTour } from "./change-tour.server";
import { requireDeletable, requireMatch } from "./own-review.server";

/**
 * Deletes a review with its reply, after the checks of docs/rules/reviews.md (Deleting) in their order, the last of
 * which is `ifMatch`. Throws `ServiceError` for the first that fails.
 */
export async function deleteReview(
  caller: Caller | null,
  reviewId: string,
  { ifMatch }: { ifMatch?: readonly string[] | undefined } = {},
): Promise<void> {
  const author = await requireWriter(caller);
  const seen = await requireDeletable(author, reviewId);
  requireMatch(seen, ifMatch);
  await changeTour(seen.tourId, async (tx) => {
    const { session } = tx;
    const review = await requireDeletable(author, reviewId, session);
    requireMatch(review, ifMatch);
    const { _id } = review;
    await tx.removeReview(_id);
    await Reply.deleteOne({ _id }, { session });
    // An e-mail about only this review is still sent; the guide's daily e-mail lists the reviews that exist.
    await Notification.deleteOne({ _id, state: "pending", kind: "digest" }, { session });
  });
}

/**
 * Deletes the user's review of a tour, if there is one, together with its reply and the guide's e-mail about it, in the
 * tour's own transaction.
 */
export async function deleteReviewOf(
  author: Types.ObjectId,
  tourId: Types.ObjectId,
): Promise<void> {
  await changeTour(tourId, async (tx) => {
    const { session } = tx;
    const mine = { tourId, userId: author };
    const review = await Review.findOne(mine, "_id", { session }).lean<ReviewDocument>();
    if (!review) return;
    const { _id } = review;
    await tx.removeReview(_id);
    await Reply.deleteOne({ _id }, { session });
    await Notification.deleteOne({ _id }, { session });
  });
}
