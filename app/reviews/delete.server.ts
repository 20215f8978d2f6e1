import type { Types } from "mongoose";
import { Notification } from "#models/notification";
import { Reply } from "#models/reply";
import { Review, type ReviewDocument } from "#models/review";
import type { TourDocument } from "#models/tour";
import { type Caller, requireCaller } from "~/accounts/caller.server";
import { changeTour } from "./change-tour.server";
import type { TourTransaction } from "./tour-transaction.server";
import {
  getStoredReview,
  findReviewForChange,
  type IfMatch,
  requireDeletable,
} from "./own-review.server";

/**
 * Deletes a review with its reply, after the checks of docs/rules/reviews.md (Deleting) in their order, the last of
 * which is `ifMatch`. Throws `ServiceError` for the first that fails.
 */
export async function deleteReview(
  caller: Caller | null,
  reviewId: string,
  { ifMatch }: IfMatch = {},
): Promise<void> {
  const author = requireCaller(caller);
  const found = await getStoredReview(reviewId);
  requireDeletable(found, author, { ifMatch });
  const { _id } = found;
  await changeTour(found.tourId, async (tx) => {
    const { session } = tx;
    const { review, tour } = await findReviewForChange(_id, session);
    requireDeletable(review, author, { ifMatch });
    await removeWithReply(review, tx, tour);
    await Notification.deleteOne({ _id, state: "pending" }, { session });
  });
}

/**
 * Deletes the user's review of a tour, if there is one, together with its reply and the guide's e-mail about it, in the
 * tour's own transaction.
 */
export const deleteReviewOf = (userId: Types.ObjectId, tourId: Types.ObjectId): Promise<void> =>
  changeTour(tourId, async (tx) => {
    const { session } = tx;
    const review = await Review.findOne({ tourId, userId }, "rating", {
      session,
    }).lean<ReviewDocument>();
    if (!review) return;
    await removeWithReply(review, tx);
    await Notification.deleteOne({ _id: review._id }, { session });
  });

async function removeWithReply(
  review: Pick<ReviewDocument, "_id" | "rating">,
  tx: TourTransaction,
  tour: TourDocument | null = null,
): Promise<void> {
  await tx.removeReview(review, "deleted", tour);
  await Reply.deleteOne({ _id: review._id }, { session: tx.session });
}
