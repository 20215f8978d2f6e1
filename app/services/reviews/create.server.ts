import type { ClientSession } from "mongoose";
import { Review, type ReviewDocument } from "../../../models/review";
import { Tour, type TourDocument } from "../../../models/tour";
import { User, type UserDocument } from "../../../models/user";
import { type Clock, systemClock } from "../../infra/clock";
import { isDuplicateKeyError, ServiceError } from "../../infra/errors.server";
import { toObjectId } from "../../infra/ids.server";
import { parseInput } from "../../infra/validation.server";
import { type Caller, requireWriter } from "../caller.server";
import { wakeNotifications } from "../notifications/delivery.server";
import { enqueueNotification } from "../notifications/outbox.server";
import { requireCompletedBooking, requireReviewableTour } from "./eligibility.server";
import { type PublicReview, toPublicReview } from "./public-review.server";
import { CreateReviewBody } from "./schemas";
import { texts } from "./texts";
import { changeReviews } from "./transaction.server";

/**
 * Stores a review by `caller` from the body of a POST, after the checks of docs/rules.md (Posting) in
 * their order, and returns it. `alsoStore` writes what must stand or fall with the review, in its
 * transaction. Throws `ServiceError` with the status and text of the first failed check.
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
  const author = await requireWriter(caller);
  const { tourId, rating, comment } = parseInput(CreateReviewBody, body);
  const id = toObjectId(tourId);
  if (!id) throw new ServiceError(404, texts.tourNotFound);
  const found = await Tour.findById(id, "createdById").lean<TourDocument>();
  requireReviewableTour(found, author);
  if (await Review.exists({ tourId: id, userId: author })) throw alreadyReviewed();
  await requireCompletedBooking(author, id);

  const created = await changeReviews(id, async (session, tour) => {
    // What may have changed since the first look is decided again; the unique index does the rest.
    requireReviewableTour(tour, author);
    await requireCompletedBooking(author, id, session);
    const explorer = await User.findById(author, null, { session }).lean<UserDocument>();
    if (!explorer) throw new ServiceError(401, texts.unauthorized);
    const review = {
      tourId: id,
      userId: author,
      rating,
      comment: comment ?? null,
      createdAt: clock(),
      // By the check above, in this transaction.
      verified: true,
    };
    const stored = await insertReview(review, session);
    await enqueueNotification(stored, tour, explorer, session);
    const created = toPublicReview(stored, explorer);
    await alsoStore?.(created, session);
    return created;
  });
  wakeNotifications();
  return created;
}

async function insertReview(
  review: Omit<ReviewDocument, "_id" | "rating"> & { rating: number },
  session: ClientSession,
) {
  try {
    const [stored] = await Review.create([review], { session });
    return { ...stored!.toObject<ReviewDocument>(), rating: review.rating };
  } catch (error) {
    // The unique index decides between posts of one pair that all passed the check.
    throw isDuplicateKeyError(error, "tourId", "userId") ? alreadyReviewed() : error;
  }
}

const alreadyReviewed = () => new ServiceError(400, texts.alreadyReviewed);
