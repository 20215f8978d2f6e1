import { type ClientSession, Types } from "mongoose";
import { Booking, COMPLETED, CONFIRMED, type BookingDocument } from "../../../models/booking";
import { RemovedReview } from "../../../models/removed-review";
import { Review, type ReviewDocument } from "../../../models/review";
import { readTour, Tour, type TourDocument } from "../../../models/tour";
import { readUser, User, type UserDocument } from "../../../models/user";
import { BATCH } from "../../infra/batches";
import { type Clock, systemClock } from "../../infra/clock";
import { ServiceError } from "../../infra/errors.server";
import { toObjectId } from "../../infra/ids.server";
import { type Caller, requireCaller } from "../caller.server";
import { howGuideIsTold, type ReviewMails } from "../notifications/settings.server";
import { texts } from "../texts";

/** Whether somebody may review a tour, and if not, why, in the API's words. */
export type ReviewEligibility =
  /** With the way in which the tour's guide is told of the review. */
  | { kind: "eligible"; guideIsTold: ReviewMails }
  | { kind: "loggedOut" }
  | { kind: "ownTour"; text: string }
  /** With the departure that the caller is booked for: the next one, or else the last that is not completed yet. */
  | { kind: "notCompleted"; text: string; booked: { date: string; isOver: boolean } | null }
  | { kind: "alreadyReviewed"; text: string; reviewId: string; createdAt: string }
  /** With a review that an operator has removed. */
  | { kind: "removed"; text: string };

/** Checks 1 and 5 to 7 of docs/rules.md (Posting), which do not depend on what is posted. */
export async function reviewEligibility(
  caller: Caller | null,
  tour: { id: string; createdById: string; date: string | null },
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<ReviewEligibility> {
  if (!caller) return { kind: "loggedOut" };
  if (tour.createdById === caller.id) return { kind: "ownTour", text: texts.ownTour };
  const userId = requireCaller(caller);
  const tourId = toObjectId(tour.id)!;
  const [own, removed, completed] = await Promise.all([
    Review.findOne({ tourId, userId }, "createdAt").lean<ReviewDocument>(),
    RemovedReview.exists({ tourId, userId }),
    Booking.exists({ userId, tourId, status: COMPLETED }),
  ]);
  if (own)
    return {
      kind: "alreadyReviewed",
      text: texts.alreadyReviewed,
      reviewId: own._id.toString(),
      createdAt: own.createdAt.toISOString(),
    };
  if (removed) return { kind: "removed", text: texts.alreadyReviewed };
  if (!completed) {
    const booked = await bookedDeparture({ userId, tourId }, tour.date, clock().getTime());
    return { kind: "notCompleted", text: texts.notCompleted, booked };
  }
  return { kind: "eligible", guideIsTold: await howGuideIsTold(tour.createdById) };
}

/** The departure of a confirmed booking: the next one, or else the last; a booking without a date has its tour's. */
async function bookedDeparture(
  of: { userId: Types.ObjectId; tourId: Types.ObjectId },
  tourDate: string | null,
  now: number,
): Promise<{ date: string; isOver: boolean } | null> {
  const bookings = await Booking.find({ ...of, status: CONFIRMED }, "date")
    .limit(BATCH)
    .lean<Pick<BookingDocument, "date">[]>();
  const times = bookings
    .flatMap(({ date }) => date?.getTime() ?? (tourDate ? Date.parse(tourDate) : []))
    .sort((a, b) => a - b);
  const time = times.find((at) => at > now) ?? times.at(-1);
  return time === undefined ? null : { date: new Date(time).toISOString(), isOver: time <= now };
}

/** Checks 4 to 7 of docs/rules.md (Posting), before anything is written. */
export async function requireEligible(
  userId: Types.ObjectId,
  tourId: Types.ObjectId,
): Promise<void> {
  const [tour, reviewed, completed] = await Promise.all([
    Tour.findById(tourId, "createdById removedReviews").lean<TourDocument>(),
    Review.exists({ tourId, userId }),
    Booking.exists({ userId, tourId, status: COMPLETED }),
  ]);
  requireReviewableTour(tour, userId);
  if (reviewed || (await wasRemoved(tour, userId)))
    throw new ServiceError(400, texts.alreadyReviewed);
  if (!completed) throw new ServiceError(400, texts.notCompleted);
}

/** Whom and what a new review is about. */
export interface ReviewParties {
  explorer: UserDocument;
  tour: TourDocument;
  /** Null when the tour's guide has no account. */
  guide: UserDocument | null;
}

/**
 * Checks 4, 5 and 7 of docs/rules.md (Posting) again, in the transaction of `session`, and that there is
 * such a user; check 6 is the unique index's, but for a review that was removed meanwhile. Returns what the answer and
 * the guide's e-mail tell of.
 */
export async function requireStillEligible(
  userId: Types.ObjectId,
  tourId: Types.ObjectId,
  session: ClientSession,
): Promise<ReviewParties> {
  // One command; each join is by `_id`.
  const join = (from: string, localField: string, as: string) => ({
    $lookup: { from, localField, foreignField: "_id", as },
  });
  const [booked] = await Booking.aggregate<{
    explorers: UserDocument[];
    tour: TourDocument;
    guides: UserDocument[];
  }>(
    [
      { $match: { userId, tourId, status: COMPLETED } },
      { $limit: 1 },
      join(Tour.collection.collectionName, "tourId", "tour"),
      { $unwind: "$tour" },
      join(User.collection.collectionName, "userId", "explorers"),
      join(User.collection.collectionName, "tour.createdById", "guides"),
    ],
    { session },
  );
  if (!booked) {
    requireReviewableTour(
      await Tour.findById(tourId, "createdById", { session }).lean<TourDocument>(),
      userId,
    );
    throw new ServiceError(400, texts.notCompleted);
  }
  const {
    tour,
    explorers: [explorer],
    guides: [joined],
  } = booked;
  const isId = tour.createdById instanceof Types.ObjectId;
  readTour(tour);
  requireReviewableTour(tour, userId);
  if (await wasRemoved(tour, userId, session)) throw new ServiceError(400, texts.alreadyReviewed);
  if (!explorer) throw new ServiceError(401, texts.unauthorized);
  for (const user of [explorer, joined]) if (user) readUser(user);
  // A platform's malformed record names its guide in another way than by an id.
  const guide = isId
    ? (joined ?? null)
    : await User.findById(tour.createdById, null, { session }).lean<UserDocument>();
  return { explorer, tour, guide };
}

/** Whether an operator has removed the user's review of the tour; asks the database only for a tour that has some. */
const wasRemoved = async (
  { _id: tourId, removedReviews }: TourDocument,
  userId: Types.ObjectId,
  session: ClientSession | null = null,
): Promise<boolean> =>
  removedReviews > 0 && (await RemovedReview.exists({ tourId, userId }).session(session)) !== null;

/** Checks 4 and 5 of docs/rules.md (Posting): the tour exists, and somebody else is its guide. */
function requireReviewableTour(
  tour: TourDocument | null,
  userId: Types.ObjectId,
): asserts tour is TourDocument {
  if (!tour) throw new ServiceError(404, texts.tourNotFound);
  if (tour.createdById.equals(userId)) throw new ServiceError(400, texts.ownTour);
}
