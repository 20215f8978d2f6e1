import { type ClientSession, Types } from "mongoose";
import { Booking, COMPLETED, CONFIRMED, type BookingDocument } from "#models/booking";
import { RemovedReview } from "#models/removed-review";
import { Review, type ReviewDocument } from "#models/review";
import { readTour, Tour, type TourDocument } from "#models/tour";
import { readUser, User, type UserDocument } from "#models/user";
import { ServiceError } from "~/lib/errors.server";
import { isObjectId } from "~/db/ids.server";
import { joinById } from "~/db/join.server";
import { type Caller, requireCaller } from "~/accounts/caller.server";
import { isSuspended } from "~/accounts/users.server";
import { guideMailPreference, type ReviewMails } from "~/mail/mail-settings.server";
import type { ReviewPeople } from "~/mail/outbox.server";
import { texts } from "~/lib/refusal-texts";
import { type Deadline, editDeadline } from "~/ui/time";

/** Result of checks 4 to 7: the people involved, or the first check that failed. */
export type CheckResult =
  | ({ kind: "eligible" } & ReviewPeople)
  | { kind: "alreadyReviewed"; review: ReviewDocument }
  /** An operator has removed their review. */
  | { kind: "removed" }
  | { kind: "noTour" | "ownTour" | "notCompleted" | "noAccount" };

const REFUSALS = {
  noTour: [404, texts.tourNotFound],
  ownTour: [400, texts.ownTour],
  alreadyReviewed: [400, texts.alreadyReviewed],
  removed: [400, texts.alreadyReviewed],
  notCompleted: [400, texts.notCompleted],
  noAccount: [401, texts.unauthorized],
} as const;

/** Checks 4 to 7 of docs/rules/reviews.md (Posting), in their order, and that the user may still act. */
export async function mayReview(
  userId: Types.ObjectId,
  tourId: Types.ObjectId,
  session: ClientSession | null = null,
): Promise<CheckResult> {
  const findEarlierReview = () =>
    Review.findOne({ tourId, userId }, "createdAt").session(session).lean<ReviewDocument>();
  // At once, except in a transaction: the driver allows it one command at a time.
  const [completed, earlier] = await Promise.all([
    findCompleted(userId, tourId, session),
    session ? null : findEarlierReview(),
  ]);
  const tour =
    completed?.tour ?? (await Tour.findById(tourId).session(session).lean<TourDocument>());
  if (!tour) return { kind: "noTour" };
  if (tour.createdById.equals(userId)) return { kind: "ownTour" };
  // Where it is stored in this transaction, the unique index of the pair decides.
  const review = session && !completed ? await findEarlierReview() : earlier;
  if (review) return { kind: "alreadyReviewed", review };
  // Only a tour of which operators have removed reviews has any to look for.
  if (
    tour.removedReviews > 0 &&
    (await RemovedReview.exists({ tourId, userId }).session(session)) !== null
  )
    return { kind: "removed" };
  if (!completed) return { kind: "notCompleted" };
  const { explorer, guide } = completed;
  const isActive = explorer !== null && !isSuspended(explorer);
  return isActive ? { kind: "eligible", explorer, tour, guide } : { kind: "noAccount" };
}

/** Throws `ServiceError` for the check that has failed. */
export function requireEligible(result: CheckResult): ReviewPeople {
  if (result.kind === "eligible") return result;
  const [status, text] = REFUSALS[result.kind];
  throw new ServiceError(status, text);
}

/** Returns a tour that the user has completed, with both accounts; null without a completed booking of it. */
async function findCompleted(
  userId: Types.ObjectId,
  tourId: Types.ObjectId,
  session: ClientSession | null,
): Promise<(Omit<ReviewPeople, "explorer"> & { explorer: UserDocument | null }) | null> {
  // One command reads all of it.
  const [found] = await Booking.aggregate<{
    tour: TourDocument;
    explorers: UserDocument[];
    guides: UserDocument[];
  }>([
    { $match: { userId, tourId, status: COMPLETED } },
    { $limit: 1 },
    joinById(Tour, "tourId", "tour"),
    { $unwind: "$tour" },
    joinById(User, "userId", "explorers"),
    joinById(User, "tour.createdById", "guides"),
  ]).session(session);
  if (!found) return null;
  const { tour, explorers, guides } = found;
  const isId = isObjectId(tour.createdById);
  readTour(tour);
  for (const user of [...explorers, ...guides]) readUser(user);
  // A platform's malformed record names its guide in another way than by an id.
  const guide = isId
    ? guides[0]
    : await User.findById(tour.createdById).session(session).lean<UserDocument>();
  return { tour, explorer: explorers[0] ?? null, guide: guide ?? null };
}

interface BookedDate {
  date: string;
  isOver: boolean;
}

/** A result of the checks as the page of a tour needs it. */
export type ReviewEligibility =
  | { kind: "eligible"; guideIsTold: ReviewMails }
  | { kind: "loggedOut" }
  | { kind: "notCompleted"; text: string; booked: BookedDate | null }
  /** With until when the caller can edit it. */
  | { kind: "alreadyReviewed"; text: string; reviewId: string; deadline: Deadline | null }
  | { kind: "ownTour" | "removed"; text: string };

/** `mayReview` for the page of a tour, which says what to do next. */
export async function reviewEligibility(
  caller: Caller | null,
  tour: { id: string; date: string | null },
): Promise<ReviewEligibility> {
  if (!caller) return { kind: "loggedOut" };
  const userId = requireCaller(caller);
  const tourId = new Types.ObjectId(tour.id);
  const result = await mayReview(userId, tourId);
  switch (result.kind) {
    case "eligible":
      return { kind: "eligible", guideIsTold: guideMailPreference(result.guide) };
    case "noTour":
    case "noAccount":
      return { kind: "loggedOut" };
    case "notCompleted": {
      const booked = await bookedDeparture({ userId, tourId }, tour.date);
      return { kind: "notCompleted", text: texts.notCompleted, booked };
    }
    case "alreadyReviewed": {
      const { kind, review } = result;
      const reviewId = review._id.toString();
      const deadline = editDeadline(review.createdAt.toISOString());
      return { kind, text: texts.alreadyReviewed, reviewId, deadline };
    }
    default:
      return { kind: result.kind, text: REFUSALS[result.kind][1] };
  }
}

/** More than anybody has of one tour. */
const BOOKINGS_READ = 100;

/** The departure that they are booked for: the next one, or else the last; a booking without a date has its tour's. */
async function bookedDeparture(
  of: { userId: Types.ObjectId; tourId: Types.ObjectId },
  tourDate: string | null,
): Promise<BookedDate | null> {
  const bookings = await Booking.find({ ...of, status: CONFIRMED }, "date")
    .limit(BOOKINGS_READ)
    .lean<Pick<BookingDocument, "date">[]>();
  const times = bookings
    .flatMap(({ date }) => date?.getTime() ?? (tourDate ? Date.parse(tourDate) : []))
    .sort((a, b) => a - b);
  const now = Date.now();
  const time = times.find((at) => at > now) ?? times.at(-1);
  return time === undefined ? null : { date: new Date(time).toISOString(), isOver: time <= now };
}
