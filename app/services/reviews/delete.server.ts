import type { Types } from "mongoose";
import { Notification } from "../../../models/notification";
import { Reply } from "../../../models/reply";
import { Review, type ReviewDocument } from "../../../models/review";
import { type Caller, requireWriter } from "../caller.server";
import { changeReviews } from "../../store/reviews/changes.server";
import { matchesSnapshot, requireDeletable, requireMatch, tagOf } from "./own-review.server";

/**
 * Deletes a review with its reply, after the checks of docs/rules.md (Deleting) in their order; `reviewId` is as it
 * came from the client. With `ifMatch` it deletes only a review that is in one of these states, which
 * is the last check. Throws `ServiceError` with the status and text of the first failed check.
 */
export async function deleteReview(
  caller: Caller | null,
  reviewId: string,
  { ifMatch }: { ifMatch?: readonly string[] } = {},
): Promise<void> {
  const { author, review } = await requireWriter(caller, async (author) => {
    const review = await requireDeletable(author, reviewId);
    requireMatch(review, ifMatch);
    return { review };
  });
  await changeReviews(review.tourId, async (session) => {
    const { deletedCount } = await Review.deleteOne(matchesSnapshot(review), { session });
    if (deletedCount === 0) {
      // It is another author's, in another state or a malformed record. A change after this read conflicts
      // with the write, and both are repeated.
      const still = await requireDeletable(author, reviewId, session);
      requireMatch(still, ifMatch && [tagOf(review)]);
      await Review.deleteOne({ _id: review._id }, { session });
    }
    await Reply.deleteOne({ _id: review._id }, { session });
    // An e-mail about only this review is still sent; the guide's daily e-mail lists the reviews that exist.
    await Notification.deleteOne(
      { _id: review._id, state: "pending", kind: "digest" },
      { session },
    );
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
  await changeReviews(tourId, async (session) => {
    const mine = { tourId, userId: author };
    const review = await Review.findOne(mine, "_id", { session }).lean<ReviewDocument>();
    if (!review) return;
    await Review.deleteOne({ _id: review._id }, { session });
    await Reply.deleteOne({ _id: review._id }, { session });
    await Notification.deleteOne({ _id: review._id }, { session });
  });
}
