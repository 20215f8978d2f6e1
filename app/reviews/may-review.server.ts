import { type ClientSession, Types } from "mongoose";
import { Booking, COMPLETED, CONFIRMED, type BookingDocument } from "#models/booking";
import { RemovedReview } from "#models/removed-review";
import { Review, type ReviewDocument } from "#models/review";
import { readTour, Tour, type TourDocument } from "#models/tour";
import { readUser, User, type UserDocument } from "#models/user";
import { BATCH } from "~/db/batches";
import { type Clock, systemClock } from "~/infra/clock";
import { ServiceError } from "~/infra/errors.server";
import { toObjectId } from "~/db/ids.server";
import { type Caller, requireCaller } from "~/accounts/caller.server";
import { guideMailPreference, type ReviewMails } from "~/mail/mail-settings.server";
import { texts } from "~/infra/refusal-texts";

export interface Parties {
  explorer: UserDocument;
  tour: TourDocument;
  /** Null when the tour's guide has no account. */
  guide: UserDocument | null;
}

/** The first check that somebody fails who wants to review a tour. */
type Refusal =
  | { check: "tourExists" | "notOwnTour" | "completed" | "hasAccount" }
  /** `review` is null when an operator has removed it. */
  | { check: "notReviewed"; review: ReviewDocument | null };

const REFUSED = {
  tourExists: [404, texts.tourNotFound],
  notOwnTour: [400, texts.ownTour],
  notReviewed: [400, texts.alreadyReviewed],
  completed: [400, texts.notCompleted],
  hasAccount: [401, texts.unauthorized],
} as const;

/**
 * Checks 4 to 7 of docs/rules/reviews.md (Posting), in their order, and that the user still has an account. Returns
 * the first that fails, or everybody whom the review is about.
 */
export async function mayReview(
  userId: Types.ObjectId,
  tourId: Types.ObjectId,
  session: ClientSession | null = null,
): Promise<{ refusal: Refusal } | ({ refusal: null } & Parties)> {
  const completed = await findCompleted(userId, tourId, session);
  const tour =
    completed?.tour ?? (await Tour.findById(tourId).session(session).lean<TourDocument>());
  if (!tour) return { refusal: { check: "tourExists" } };
  if (tour.createdById.equals(userId)) return { refusal: { check: "notOwnTour" } };
  const review = await Review.findOne({ tourId, userId }, "createdAt")
    .session(session)
    .lean<ReviewDocument>();
  // Only a tour of which operators have removed reviews has any to look for.
  const isReviewed =
    review !== null ||
    (tour.removedReviews > 0 &&
      (await RemovedReview.exists({ tourId, userId }).session(session)) !== null);
  if (isReviewed) return { refusal: { check: "notReviewed", review } };
  if (!completed) return { refusal: { check: "completed" } };
  const { explorer, guide } = completed;
  if (!explorer) return { refusal: { check: "hasAccount" } };
  return { refusal: null, explorer, tour, guide };
}

/** Throws `ServiceError` for the first check that fails. */
export async function requireMayReview(
  userId: Types.ObjectId,
  tourId: Types.ObjectId,
  session?: ClientSession,
): Promise<Parties> {
  const standing = await mayReview(userId, tourId, session);
  if (!standing.refusal) return standing;
  const [status, text] = REFUSED[standing.refusal.check];
  throw new ServiceError(status, text);
}

/** Returns a tour that the user has completed, with both accounts; null without a completed booking of it. */
async function findCompleted(
  userId: Types.ObjectId,
  tourId: Types.ObjectId,
  session: ClientSession | null,
): Promise<{
  tour: TourDocument;
  explorer: UserDocument | null;
  guide: UserDocument | null;
} | null> {
  // One command; each join is by `_id`.
  const join = (from: string, localField: string, as: string) => ({
    $lookup: { from, localField, foreignField: "_id", as },
  });
  const [found] = await Booking.aggregate<{
    tour: TourDocument;
    explorers: UserDocument[];
    guides: UserDocument[];
  }>([
    { $match: { userId, tourId, status: COMPLETED } },
    { $limit: 1 },
    join(Tour.collection.collectionName, "tourId", "tour"),
    { $unwind: "$tour" },
    join(User.collection.collectionName, "userId", "explorers"),
    join(User.collection.collectionName, "tour.createdById", "guides"),
  ]).session(session);
  if (!found) return null;
  const { tour, explorers, guides } = found;
  const isId = tour.createdById instanceof Types.ObjectId;
  readTour(tour);
  for (const user of [...explorers, ...guides]) readUser(user);
  // A platform's malformed record names its guide in another way than by an id.
  const guide = isId
    ? guides[0]
    : await User.findById(tour.createdById).session(session).lean<UserDocument>();
  return { tour, explorer: explorers[0] ?? null, guide: guide ?? null };
}

/** In the API's words. */
export type ReviewEligibility =
  /** With how the tour's guide is told of the review. */
  | { kind: "eligible"; guideIsTold: ReviewMails }
  | { kind: "loggedOut" }
  | { kind: "ownTour"; text: string }
  /** With the departure that the caller is booked for: the next one, or else the last that is not completed yet. */
  | { kind: "notCompleted"; text: string; booked: { date: string; isOver: boolean } | null }
  | { kind: "alreadyReviewed"; text: string; reviewId: string; createdAt: string }
  /** With a review that an operator has removed. */
  | { kind: "removed"; text: string };

/** `mayReview` for the page of a tour, which says what to do next. */
export async function reviewEligibility(
  caller: Caller | null,
  tour: { id: string; date: string | null },
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<ReviewEligibility> {
  if (!caller) return { kind: "loggedOut" };
  const userId = requireCaller(caller);
  const tourId = toObjectId(tour.id)!;
  const standing = await mayReview(userId, tourId);
  if (!standing.refusal)
    return { kind: "eligible", guideIsTold: guideMailPreference(standing.guide) };
  const { refusal } = standing;
  const [, text] = REFUSED[refusal.check];
  switch (refusal.check) {
    case "tourExists":
    case "hasAccount":
      return { kind: "loggedOut" };
    case "notOwnTour":
      return { kind: "ownTour", text };
    case "completed":
      return {
        kind: "notCompleted",
        text,
        booked: await bookedDeparture({ userId, tourId }, tour.date, clock().getTime()),
      };
    case "notReviewed": {
      const { review } = refusal;
      if (!review) return { kind: "removed", text };
      const [reviewId, createdAt] = [review._id.toString(), review.createdAt.toISOString()];
      return { kind: "alreadyReviewed", text, reviewId, createdAt };
    }
  }
}

/** The next one, or else the last; a booking without a date has its tour's. */
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
