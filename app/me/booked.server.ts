import type { Types } from "mongoose";
import { Booking, type BookingDocument, COMPLETED, CONFIRMED } from "#models/booking";
import { Review } from "#models/review";
import type { Caller } from "~/accounts/caller.server";
import { BATCH } from "~/db/batches";
import type { Place } from "~/db/cursor.server";
import { toObjectId } from "~/db/ids.server";
import { oncePerRequest } from "~/lib/request-scope.server";
import { findTours } from "~/tours/named-tour.server";

type OwnBooking = Pick<BookingDocument, "tourId" | "userId" | "date" | "status">;

/** Waiting tours whose documents are read with the bookings: those of a first page, and some for tours that are gone. */
export const WAITING_READ = 20;

export const COMING_SHOWN = 10;

/** Returns what a user has booked, to come or completed; read once in a request. */
export const findOwnBookings = (userId: Types.ObjectId | null): Promise<OwnBooking[]> =>
  oncePerRequest(`bookings of ${String(userId)}`, async () =>
    Booking.find(
      { userId, status: { $in: [CONFIRMED, COMPLETED] } },
      "tourId userId date status",
    ).lean<BookingDocument[]>(),
  );

/**
 * Returns a user's tours that wait for a review, in their order, also those that are gone or the user's own; the
 * departures that may be to come; and the tours of these and of the first `WAITING_READ`. Read once in a request.
 */
export const findBooked = (caller: Caller) =>
  oncePerRequest(`booked by ${caller.id}`, async () => {
    const userId = toObjectId(caller.id);
    const [bookings, reviewed] = await Promise.all([
      findOwnBookings(userId),
      Review.distinct("tourId", { userId }),
    ]);
    const waiting = toWaiting(bookings, reviewed);
    const coming = toComing(bookings);
    const tours = await findTours([
      ...waiting.slice(0, WAITING_READ).flatMap(({ id }) => toObjectId(id) ?? []),
      ...coming.map(({ tourId }) => tourId),
    ]);
    return { waiting, coming, tours };
  });

/** The latest booking first, then by id; a place's time is that of the tour's latest booking, 0 when no booking says. */
export const latestFirst = (a: Place, b: Place) => b.time - a.time || (a.id < b.id ? -1 : 1);

function toWaiting(bookings: OwnBooking[], reviewed: Types.ObjectId[]): Place[] {
  const done = new Set(reviewed.map(String));
  const times = new Map<string, number>();
  for (const { tourId, date, status } of bookings) {
    const id = tourId.toString();
    if (status === COMPLETED && !done.has(id))
      times.set(id, Math.max(times.get(id) ?? 0, date?.getTime() ?? 0));
  }
  return [...times].map(([id, time]) => ({ rating: null, time, id })).sort(latestFirst);
}

export const soonestFirst = (a: { date: Date }, b: { date: Date }) =>
  a.date.getTime() - b.date.getTime();

/** A booking without a date has its tour's, which is not known here. */
function toComing(bookings: OwnBooking[]): Pick<OwnBooking, "tourId" | "date">[] {
  const now = new Date();
  const confirmed = bookings.filter(({ status }) => status === CONFIRMED);
  const dated = confirmed
    .flatMap(({ tourId, date }) => (date && date > now ? [{ tourId, date }] : []))
    .sort(soonestFirst)
    .slice(0, COMING_SHOWN);
  const undated = confirmed
    .filter(({ date }) => !date)
    .slice(0, BATCH - WAITING_READ - dated.length);
  return [...dated, ...undated];
}
