import { isUndefined, omitBy } from "es-toolkit";
import { reviewContent } from "~/reviews/content";
import { asInputs, Notification } from "#models/notification";
import type { ReviewDocument } from "#models/review";
import { ServiceError } from "~/lib/errors.server";
import { texts } from "~/lib/refusal-texts";
import { parseInput } from "~/lib/validation.server";
import { type PublicReview, toPublicReview } from "~/reviews/list/public-review.server";
import { type Caller, requireCaller } from "~/accounts/caller.server";
import { isSuspended } from "~/accounts/users.server";
import { changeTour } from "./change-tour.server";
import { endRedaction } from "./removal.server";
import {
  getStoredReview,
  findReviewForChange,
  type IfMatch,
  requireEditable,
  storedReviewTag,
} from "./own-review.server";
import { EditReviewBody } from "./schemas";

/**
 * Changes what the body of a PATCH names, after the checks of docs/rules/reviews.md (Editing) in their order, the last
 * of which is `ifMatch`. A body that equals the stored fields is no edit and leaves `editedAt`. Throws `ServiceError`
 * for the first check that fails.
 */
export async function editReview(
  caller: Caller | null,
  reviewId: string,
  body: unknown,
  { ifMatch }: IfMatch = {},
): Promise<PublicReview> {
  const author = requireCaller(caller);
  const named = omitBy(parseInput(EditReviewBody, body), isUndefined);
  const found = await getStoredReview(reviewId);
  requireEditable(found, author, { now: new Date(), ifMatch });
  return changeTour(found.tourId, async (tx) => {
    const { session, now } = tx;
    const { review, author: explorer, tour } = await findReviewForChange(found._id, session);
    requireEditable(review, author, { now, ifMatch });
    if (!explorer || isSuspended(explorer)) throw new ServiceError(401, texts.unauthorized);
    const change: Partial<ReviewDocument> = { ...named };
    if (storedReviewTag({ ...review, ...change }) !== storedReviewTag(review))
      change.editedAt = now;
    const edited = { ...review, ...change };
    const { _id } = edited;
    await tx.editReview(review, change, tour);
    if (edited.redaction && edited.comment) await endRedaction(edited, session, now);
    // An e-mail about only this review has the review as posted; the guide's daily e-mail has it as it is now.
    await Notification.updateOne(
      { _id, state: "pending", kind: "digest" },
      { $set: asInputs(reviewContent(edited)) },
      { session },
    );
    return toPublicReview(edited, explorer);
  });
}
