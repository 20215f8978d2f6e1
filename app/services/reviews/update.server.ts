import type { ClientSession, Types } from "mongoose";
import { Review } from "../../../models/review";
import { User, type UserDocument } from "../../../models/user";
import { type Clock, systemClock } from "../../infra/clock";
import { parseBody } from "../../infra/validation.server";
import { type Caller, requireWriter } from "../caller.server";
import { EDIT_WINDOW_MS } from "./limits";
import {
  changedMeanwhile,
  findReview,
  requireEditable,
  requireTag,
  stateOf,
} from "./own-review.server";
import { type PublicReview, toPublicReview } from "./public-review.server";
import { UpdateReviewBody } from "./schemas";
import { changeReviews } from "./transaction.server";

/**
 * Changes what the body of a PATCH names, in the order of spec.md's checks; `reviewId` is as it
 * came from the client. With `tags` it does so only to a review in one of these states, and after
 * all other checks. Gives the changed review; throws `ServiceError` likewise.
 */
export async function updateReview(
  caller: Caller,
  reviewId: string,
  body: unknown,
  clock: Clock = systemClock,
  tags?: readonly string[],
): Promise<PublicReview> {
  const author = await requireWriter(caller);
  const { rating, comment } = parseBody(UpdateReviewBody, body);
  const review = await requireEditable(author, reviewId, clock());
  requireTag(review, tags);

  return changeReviews(
    review.tourId,
    async (session) => {
      const now = clock();
      // Not a findAndModify, for which the embedded database reads all reviews.
      const { matchedCount } = await Review.updateOne(
        // The author and the 24 hours stand here too, because time passes between check and write.
        {
          _id: review._id,
          userId: author,
          createdAt: { $gte: new Date(now.getTime() - EDIT_WINDOW_MS) },
          ...(tags && stateOf(review)),
        },
        {
          $set: {
            ...(rating !== undefined && { rating }),
            ...(comment !== undefined && { comment }),
            editedAt: now,
          },
        },
        { session, runValidators: true },
      );
      if (matchedCount === 0) throw await refusedEdit(author, reviewId, now, session, tags);
      const updated = await findReview(reviewId, session);
      const explorer = await User.findById(author, null, { session }).lean<UserDocument>();
      return toPublicReview(updated, explorer);
    },
    { keepCount: true },
  );
}

/** Why the write found no review that passes its filter, decided again by the checks' own order. */
async function refusedEdit(
  author: Types.ObjectId,
  reviewId: string,
  now: Date,
  session: ClientSession,
  tags: readonly string[] | undefined,
): Promise<Error> {
  return requireEditable(author, reviewId, now, session).then(
    () => (tags ? changedMeanwhile() : new Error("The review's filter and its checks disagree")),
    (refusal: Error) => refusal,
  );
}
