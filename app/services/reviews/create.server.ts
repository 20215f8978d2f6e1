import { type ClientSession, mongo } from "mongoose";
import { Review, type ReviewDocument } from "../../../models/review";
import { Tour, type TourDocument } from "../../../models/tour";
import { User, type UserDocument } from "../../../models/user";
import { type Clock, systemClock } from "../../infra/clock";
import { ServiceError } from "../../infra/errors.server";
import { toObjectId } from "../../infra/ids.server";
import { parseBody } from "../../infra/validation.server";
import { type Caller, requireWriter, unauthorized } from "../caller.server";
import { enqueueNotification } from "../notifications/outbox.server";
import { wakeNotifications } from "../notifications/delivery.server";
import { refuseOwnTour, requireCompletedBooking, tourNotFound } from "./eligibility.server";
import { type PublicReview, toPublicReview } from "./public-review.server";
import { CreateReviewBody } from "./schemas";
import { ALREADY_REVIEWED } from "./texts";
import { changeReviews } from "./transaction.server";

/**
 * Makes a review of `caller` from the body of a POST, in the order of spec.md's checks.
 * Gives the stored review; throws `ServiceError` with the specification's status and text.
 * `alsoStore` writes what stands or falls with the review, in its transaction.
 */
export async function createReview(
  caller: Caller,
  body: unknown,
  clock: Clock = systemClock,
  alsoStore?: (created: PublicReview, session: ClientSession) => Promise<void>,
): Promise<PublicReview> {
  const author = await requireWriter(caller);
  const { tourId, rating, comment } = parseBody(CreateReviewBody, body);
  const id = toObjectId(tourId);
  if (!id) throw tourNotFound();
  const found = await Tour.findById(id, "createdById").lean<TourDocument>();
  refuseOwnTour(found, author);
  if (await Review.exists({ tourId: id, userId: author })) throw alreadyReviewed();
  await requireCompletedBooking(author, id);

  const created = await changeReviews(id, async (session, tour) => {
    // What may have changed since the first look is decided again; the unique index does the rest.
    refuseOwnTour(tour, author);
    await requireCompletedBooking(author, id, session);
    const explorer = await User.findById(author, null, { session }).lean<UserDocument>();
    if (!explorer) throw unauthorized();
    const review = {
      tourId: id,
      userId: author,
      rating,
      comment: comment ?? null,
      createdAt: clock(),
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

async function insertReview(review: Omit<ReviewDocument, "_id">, session: ClientSession) {
  try {
    const [stored] = await Review.create([review], { session });
    return stored!.toObject<ReviewDocument>();
  } catch (error) {
    // The unique index decides between posts of one pair that all passed the check.
    if (error instanceof mongo.MongoServerError && error.code === 11000) throw alreadyReviewed();
    throw error;
  }
}

const alreadyReviewed = () => new ServiceError(400, ALREADY_REVIEWED);
