import { Booking, type BookingDocument, COMPLETED } from "../../../models/booking";
import { Review, type ReviewDocument } from "../../../models/review";
import { Tour, type TourDocument } from "../../../models/tour";
import { type Clock, systemClock } from "../../infra/clock";
import { toObjectId } from "../../infra/ids.server";
import type { Caller } from "../caller.server";
import { EDIT_WINDOW_MS } from "./limits";

/** An own review as its author sees it. */
export interface MyReview {
  id: string;
  rating: number | null;
  comment: string | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  edited: boolean;
  /** Until when it can be edited, in ISO 8601; null when that is over. */
  editableUntil: string | null;
  /** Null when the tour is gone. */
  tour: { title: string; slug: string } | null;
}

/** Returns the caller's own reviews, newest first. */
export async function myReviews(
  caller: Caller,
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<MyReview[]> {
  const now = clock();
  const reviews = await Review.find({ userId: toObjectId(caller.id) })
    .sort({ createdAt: -1, _id: -1 })
    .lean<ReviewDocument[]>();
  const tours = await Tour.find(
    { _id: { $in: reviews.map(({ tourId }) => tourId) } },
    "title slug",
  ).lean<TourDocument[]>();
  const byId = new Map(tours.map(({ _id, title, slug }) => [_id.toString(), { title, slug }]));
  return reviews.map((review) => {
    const end = new Date(review.createdAt.getTime() + EDIT_WINDOW_MS);
    return {
      id: review._id.toString(),
      rating: review.rating,
      comment: review.comment || null,
      createdAt: review.createdAt.toISOString(),
      edited: Boolean(review.editedAt),
      editableUntil: now <= end ? end.toISOString() : null,
      tour: byId.get(review.tourId.toString()) ?? null,
    };
  });
}

export interface TourToReview {
  title: string;
  slug: string;
  /** When the user last took part, in ISO 8601; null when the booking does not say. */
  date: string | null;
}

/** Returns the tours that the caller may review and has not, the latest booking first. */
export async function toursToReview(caller: Caller): Promise<TourToReview[]> {
  const userId = toObjectId(caller.id);
  const [bookings, reviewed] = await Promise.all([
    Booking.find({ userId, status: COMPLETED }, "tourId date").lean<BookingDocument[]>(),
    Review.distinct("tourId", { userId }),
  ]);
  const done = new Set(reviewed.map(String));
  const dates = new Map<string, number>();
  for (const { tourId, date } of bookings) {
    const id = tourId.toString();
    if (!done.has(id)) dates.set(id, Math.max(dates.get(id) ?? 0, date?.getTime() ?? 0));
  }
  const tours = await Tour.find(
    { _id: { $in: [...dates.keys()].map(toObjectId) }, createdById: { $ne: userId } },
    "title slug",
  ).lean<TourDocument[]>();
  const dateOf = (tour: TourDocument) => dates.get(tour._id.toString())!;
  return tours
    .sort((a, b) => dateOf(b) - dateOf(a) || a.title.localeCompare(b.title, "en"))
    .map((tour) => ({
      title: tour.title,
      slug: tour.slug,
      date: dateOf(tour) ? new Date(dateOf(tour)).toISOString() : null,
    }));
}
