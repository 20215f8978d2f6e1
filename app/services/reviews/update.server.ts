import { Notification } from "../../../models/notification";
import { Review, type ReviewDocument } from "../../../models/review";
import { User, type UserDocument } from "../../../models/user";
import { type Clock, systemClock } from "../../infra/clock";
import { parseInput } from "../../infra/validation.server";
import { type Caller, requireWriter } from "../caller.server";
import { EDIT_WINDOW_MS } from "../limits";
import { type PublicReview, toPublicReview } from "../../store/reviews/public-review.server";
import { changeReviews } from "../../store/reviews/changes.server";
import { endRedaction } from "../../store/reviews/removal.server";
import { matchesSnapshot, requireEditable, requireMatch, tagOf } from "./own-review.server";
import { UpdateReviewBody } from "./schemas";

/**
 * Changes what the body of a PATCH names, after the checks of docs/rules.md (Editing) in their order,
 * and returns the changed review; `reviewId` is as it came from the client. A body that equals the stored
 * fields is no edit and leaves `editedAt`. With `ifMatch` it changes only a review that is in one of these
 * states, which is the last check (docs/rules.md, If-Match).
 * Throws `ServiceError` with the status and text of the first failed check.
 */
export async function updateReview(
  caller: Caller | null,
  reviewId: string,
  body: unknown,
  { clock = systemClock, ifMatch }: { clock?: Clock; ifMatch?: readonly string[] } = {},
): Promise<PublicReview> {
  const { author, change, review, explorer } = await requireWriter(caller, async (author) => {
    const { rating, comment } = parseInput(UpdateReviewBody, body);
    const [review, explorer] = await Promise.all([
      requireEditable(author, reviewId, clock()),
      User.findById(author, "name image").lean<UserDocument>(),
    ]);
    requireMatch(review, ifMatch);
    const change = {
      ...(rating !== undefined && { rating }),
      ...(comment !== undefined && { comment }),
    };
    return { change, review, explorer };
  });

  return changeReviews(
    review.tourId,
    async (session) => {
      const now = clock();
      const editOf = (stored: ReviewDocument) => ({
        ...change,
        ...(tagOf({ ...stored, ...change }) !== tagOf(stored) && { editedAt: now }),
      });
      const options = { session, runValidators: true };
      const inTime = { $eq: review.createdAt, $gte: new Date(now.getTime() - EDIT_WINDOW_MS) };
      let edit = editOf(review);
      let updated = { ...review, ...edit };
      const seen = { ...matchesSnapshot(review), createdAt: inTime };
      if ((await Review.updateOne(seen, { $set: edit }, options)).matchedCount === 0) {
        // It is another author's, too old, in another state or a malformed record. A change after this read
        // conflicts with the write, and both are repeated.
        const still = await requireEditable(author, reviewId, now, session);
        requireMatch(still, ifMatch && [tagOf(review)]);
        edit = editOf(still);
        await Review.updateOne({ _id: review._id }, { $set: edit }, options);
        updated = { ...still, ...edit };
      }
      if (updated.redaction && updated.comment) await endRedaction(updated, session, now);
      // An e-mail about only this review has the review as posted; the guide's daily e-mail has it as it is now.
      await Notification.updateOne(
        { _id: review._id, state: "pending", kind: "digest" },
        { $set: { "inputs.rating": updated.rating, "inputs.comment": updated.comment } },
        { session },
      );
      return { answer: toPublicReview(updated, explorer) };
    },
    { keepCount: true },
  );
}
