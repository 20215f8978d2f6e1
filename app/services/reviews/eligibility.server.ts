import type { ClientSession, Types } from "mongoose";
import { Booking, COMPLETED } from "../../../models/booking";
import { Review } from "../../../models/review";
import type { TourDocument } from "../../../models/tour";
import { ServiceError } from "../../infra/errors.server";
import { toObjectId } from "../../infra/ids.server";
import { type Caller, requireCaller } from "../caller.server";
import { ALREADY_REVIEWED, NOT_COMPLETED, OWN_TOUR } from "./texts";

/** Whether the caller may review a tour, and if not, why, in the specification's words. */
export type Standing =
  | { kind: "may" }
  | { kind: "nobody" }
  | { kind: "own"; text: string }
  | { kind: "notCompleted"; text: string }
  | { kind: "reviewed"; text: string; reviewId: string };

/** Looks at a tour with the caller's eyes: the checks of POST that do not depend on its body. */
export async function standingOf(
  caller: Caller,
  tour: { id: string; createdById: string },
): Promise<Standing> {
  if (!caller) return { kind: "nobody" };
  if (tour.createdById === caller.id) return { kind: "own", text: OWN_TOUR };
  const author = requireCaller(caller);
  const tourId = toObjectId(tour.id)!;
  const [mine, completed] = await Promise.all([
    Review.exists({ tourId, userId: author }),
    Booking.exists({ userId: author, tourId, status: COMPLETED }),
  ]);
  if (mine) return { kind: "reviewed", text: ALREADY_REVIEWED, reviewId: mine._id.toString() };
  return completed ? { kind: "may" } : { kind: "notCompleted", text: NOT_COMPLETED };
}

/** The id of the caller's review with just this tour, rating and comment; null when there is none. */
export async function findSameReview(
  caller: Caller,
  body: { tourId: string; rating?: number; comment: string },
): Promise<string | null> {
  const same = await Review.exists({
    tourId: toObjectId(body.tourId),
    userId: requireCaller(caller),
    rating: body.rating || null,
    comment: body.comment || null,
  });
  return same && same._id.toString();
}

/** Checks 4 and 5 of POST. */
export function refuseOwnTour(
  tour: TourDocument | null,
  userId: Types.ObjectId,
): asserts tour is TourDocument {
  if (!tour) throw tourNotFound();
  if (tour.createdById.equals(userId)) throw new ServiceError(400, OWN_TOUR);
}

/** Check 7 of POST. */
export async function requireCompletedBooking(
  userId: Types.ObjectId,
  tourId: Types.ObjectId,
  session: ClientSession | null = null,
): Promise<void> {
  if (!(await Booking.exists({ userId, tourId, status: COMPLETED }).session(session)))
    throw new ServiceError(400, NOT_COMPLETED);
}

export const tourNotFound = () => new ServiceError(404, "Tour not found");
