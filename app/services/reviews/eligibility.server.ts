import type { ClientSession, Types } from "mongoose";
import { Booking, COMPLETED } from "../../../models/booking";
import { Review, type ReviewDocument } from "../../../models/review";
import type { TourDocument } from "../../../models/tour";
import { ServiceError } from "../../infra/errors.server";
import { toObjectId } from "../../infra/ids.server";
import { type Caller, requireCaller } from "../caller.server";
import { texts } from "./texts";

/** Whether somebody may review a tour, and if not, why, in the API's words. */
export type ReviewEligibility =
  | { kind: "eligible" }
  | { kind: "loggedOut" }
  | { kind: "ownTour"; text: string }
  | { kind: "notCompleted"; text: string }
  | { kind: "alreadyReviewed"; text: string; reviewId: string; createdAt: string };

/** Checks 1 and 5 to 7 of docs/rules.md (Posting), which do not depend on what is posted. */
export async function reviewEligibility(
  caller: Caller | null,
  tour: { id: string; createdById: string },
): Promise<ReviewEligibility> {
  if (!caller) return { kind: "loggedOut" };
  if (tour.createdById === caller.id) return { kind: "ownTour", text: texts.ownTour };
  const userId = requireCaller(caller);
  const tourId = toObjectId(tour.id)!;
  const [own, completed] = await Promise.all([
    Review.findOne({ tourId, userId }, "createdAt").lean<ReviewDocument>(),
    Booking.exists({ userId, tourId, status: COMPLETED }),
  ]);
  if (own)
    return {
      kind: "alreadyReviewed",
      text: texts.alreadyReviewed,
      reviewId: own._id.toString(),
      createdAt: own.createdAt.toISOString(),
    };
  return completed ? { kind: "eligible" } : { kind: "notCompleted", text: texts.notCompleted };
}

/** Checks 4 and 5 of docs/rules.md (Posting): the tour exists, and somebody else is its guide. */
export function requireReviewableTour(
  tour: TourDocument | null,
  userId: Types.ObjectId,
): asserts tour is TourDocument {
  if (!tour) throw new ServiceError(404, texts.tourNotFound);
  if (tour.createdById.equals(userId)) throw new ServiceError(400, texts.ownTour);
}

/** Check 7 of docs/rules.md (Posting). */
export async function requireCompletedBooking(
  userId: Types.ObjectId,
  tourId: Types.ObjectId,
  session: ClientSession | null = null,
): Promise<void> {
  if (!(await Booking.exists({ userId, tourId, status: COMPLETED }).session(session)))
    throw new ServiceError(400, texts.notCompleted);
}
