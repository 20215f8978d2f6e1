import { type ClientSession, Types } from "mongoose";
import { type Clock, systemClock } from "../../infra/clock";
import { isDuplicateKeyError, ServiceError } from "../../infra/errors.server";
import { toObjectId } from "../../infra/ids.server";
import { parseInput } from "../../infra/validation.server";
import { type Caller, requireWriter } from "../caller.server";
import { wakeNotifications } from "../notifications/delivery.server";
import { notificationsOf } from "../notifications/outbox.server";
import { type PublicReview, toPublicReview } from "../../store/reviews/public-review.server";
import { texts } from "../texts";
import { changeReviews } from "../../store/reviews/changes.server";
import { CreateReviewBody } from "./schemas";
import { requireEligible, requireStillEligible } from "./eligibility.server";

/**
 * Stores a review by `caller` from the body of a POST, after the checks of docs/rules.md (Posting) in
 * their order, and returns it. `alsoStore` writes in the review's transaction
 * the documents that are stored only together with it. Throws `ServiceError` with the status and
 * text of the first failed check.
 */
export async function createReview(
  caller: Caller | null,
  body: unknown,
  {
    clock = systemClock,
    alsoStore,
  }: {
    clock?: Clock;
    alsoStore?: (created: PublicReview, session: ClientSession) => Promise<void>;
  } = {},
): Promise<PublicReview> {
  const { author, id, rating, comment } = await requireWriter(caller, async (author) => {
    const { tourId, rating, comment } = parseInput(CreateReviewBody, body);
    const id = toObjectId(tourId);
    if (!id) throw new ServiceError(404, texts.tourNotFound);
    await requireEligible(author, id);
    return { id, rating, comment: comment ?? null };
  });

  const prepare = async (session: ClientSession) => {
    // What may have changed since the first look is decided again; the unique index does the rest.
    const { explorer, tour, guide } = await requireStillEligible(author, id, session);
    const review = {
      _id: new Types.ObjectId(),
      tourId: id,
      userId: author,
      rating,
      comment,
      createdAt: clock(),
      // By the check above, in this transaction.
      verified: true,
    };
    const created = toPublicReview(review, explorer);
    await alsoStore?.(created, session);
    const notifications = notificationsOf(review, { explorer, tour, guide });
    return { review, notifications, answer: { created, notifications } };
  };
  try {
    const { created, notifications } = await changeReviews(id, prepare);
    // A daily e-mail is not due before its hour.
    if (notifications.some(({ kind }) => kind === "review")) wakeNotifications();
    return created;
  } catch (error) {
    // The unique index decides between posts of one pair that all passed the check.
    throw isDuplicateKeyError(error, "tourId", "userId")
      ? new ServiceError(400, texts.alreadyReviewed)
      : error;
  }
}
