import { Booking } from "../../../models/booking";
import { Notification } from "../../../models/notification";
import { Review, type ReviewDocument } from "../../../models/review";
import { toObjectId } from "../../infra/ids.server";
import { type Caller, requireWriter } from "../caller.server";
import {
  changedMeanwhile,
  requireDeletable,
  requireTag,
  reviewNotFound,
  stateOf,
} from "./own-review.server";
import { changeReviews } from "./transaction.server";

/**
 * Deletes a review, in the order of spec.md's checks; `reviewId` is as it came from the client.
 * With `tags` it does so only to a review in one of these states, and after all other checks.
 * Throws `ServiceError` likewise.
 */
export async function deleteReview(
  caller: Caller,
  reviewId: string,
  tags?: readonly string[],
): Promise<void> {
  const author = await requireWriter(caller);
  const review = await requireDeletable(author, reviewId);
  requireTag(review, tags);
  await changeReviews(review.tourId, async (session) => {
    const mine = { _id: review._id, userId: author };
    const { deletedCount } = await Review.deleteOne(
      { ...mine, ...(tags && stateOf(review)) },
      { session },
    );
    if (deletedCount === 0) {
      const isChanged = tags && (await Review.exists(mine).session(session));
      throw isChanged ? changedMeanwhile() : reviewNotFound();
    }
    // A mail of its own goes out all the same; the guide's daily one tells of what is there.
    await Notification.deleteOne({ _id: review._id, state: "pending", digest: true }, { session });
  });
}

/**
 * Deletes every review of a user together with the guide's e-mail about it, each in its tour's own
 * change. Called once more after the account is gone it leaves nothing: it claims every tour that
 * the user has booked, and a review that was being written there meanwhile comes either before its
 * claim and is deleted, or after it and finds no author.
 */
export async function deleteReviewsOf(userId: string): Promise<void> {
  const author = toObjectId(userId);
  const [reviewed, booked] = await Promise.all([
    Review.distinct("tourId", { userId: author }),
    Booking.distinct("tourId", { userId: author }),
  ]);
  const tourIds = new Map([...reviewed, ...booked].map((id) => [id.toString(), id]));
  for (const tourId of tourIds.values())
    await changeReviews(tourId, async (session) => {
      const mine = { tourId, userId: author };
      const review = await Review.findOne(mine, "_id", { session }).lean<ReviewDocument>();
      if (!review) return;
      await Review.deleteOne({ _id: review._id }, { session });
      await Notification.deleteOne({ _id: review._id }, { session });
    });
}
