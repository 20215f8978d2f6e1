import { Booking } from "../../../models/booking";
import { Notification } from "../../../models/notification";
import { Review, type ReviewDocument } from "../../../models/review";
import { objectIds, toObjectId } from "../../infra/ids.server";
import { type Caller, requireWriter } from "../caller.server";
import { requireDeletable, requireMatch, tagOf } from "./own-review.server";
import { changeReviews } from "./transaction.server";

/**
 * Deletes a review, after the checks of docs/rules.md (Deleting) in their order; `reviewId` is as it
 * came from the client. With `ifMatch` it deletes only a review that is in one of these states, which
 * is the last check. Throws `ServiceError` with the status and text of the first failed check.
 */
export async function deleteReview(
  caller: Caller | null,
  reviewId: string,
  { ifMatch }: { ifMatch?: readonly string[] } = {},
): Promise<void> {
  const author = await requireWriter(caller);
  const review = await requireDeletable(author, reviewId);
  requireMatch(review, ifMatch);
  await changeReviews(review.tourId, async (session) => {
    // Time passes between check and write. What is changed after this look conflicts with the write,
    // and both are done again.
    const still = await requireDeletable(author, reviewId, session);
    requireMatch(still, ifMatch && [tagOf(review)]);
    await Review.deleteOne({ _id: review._id }, { session });
    // An e-mail about this review alone is still sent; the guide's daily one lists what exists.
    await Notification.deleteOne(
      { _id: review._id, state: "pending", kind: "digest" },
      { session },
    );
  });
}

/**
 * Deletes every review of a user together with the guide's e-mail about it, each in its tour's own
 * transaction. Called once more after the account is gone it leaves nothing: it claims every tour that
 * the user has booked, and a review that was being written there meanwhile comes either before its
 * claim and is deleted, or after it and finds no author.
 */
export async function deleteReviewsOf(userId: string): Promise<void> {
  const author = toObjectId(userId);
  const [reviewed, booked] = await Promise.all([
    Review.distinct("tourId", { userId: author }),
    Booking.distinct("tourId", { userId: author }),
  ]);
  const tourIds = new Map(objectIds([...reviewed, ...booked]).map((id) => [id.toString(), id]));
  for (const tourId of tourIds.values())
    await changeReviews(tourId, async (session) => {
      const mine = { tourId, userId: author };
      const review = await Review.findOne(mine, "_id", { session }).lean<ReviewDocument>();
      if (!review) return;
      await Review.deleteOne({ _id: review._id }, { session });
      await Notification.deleteOne({ _id: review._id }, { session });
    });
  // A platform's record may name no tour by an id; no tour's ratings change with it.
  await Review.deleteMany({ userId: author, tourId: { $not: { $type: "objectId" } } });
}
