import type { Types } from "mongoose";
import { Booking, type BookingDocument, COMPLETED, CONFIRMED } from "#models/booking";
import { BATCH } from "~/db/batches";
import { oncePerRequest } from "~/lib/request-scope.server";
import { toObjectId } from "~/db/ids.server";
import type { Caller } from "~/accounts/caller.server";
import { findTours, type NamedTour, namedTour } from "~/tours/named-tour.server";

const SHOWN = 10;

interface ComingBooking extends NamedTour {
  date: string;
}

/** Returns what a user has booked, to come or completed; read once in a request. */
export const findOwnBookings = (
  userId: Types.ObjectId | null,
): Promise<Pick<BookingDocument, "tourId" | "date" | "status">[]> =>
  oncePerRequest(`bookings of ${String(userId)}`, async () =>
    Booking.find({ userId, status: { $in: [CONFIRMED, COMPLETED] } }, "tourId date status").lean<
      BookingDocument[]
    >(),
  );

const soonestFirst = (a: { date: Date }, b: { date: Date }) => a.date.getTime() - b.date.getTime();

/** The soonest first, each departure once. A booking without a date has its tour's. */
export async function comingBookings(caller: Caller): Promise<ComingBooking[]> {
  const now = new Date();
  const all = await findOwnBookings(toObjectId(caller.id));
  const bookings = all.filter(({ status }) => status === CONFIRMED);
  const dated = bookings
    .flatMap(({ tourId, date }) => (date && date > now ? [{ tourId, date }] : []))
    .sort(soonestFirst)
    .slice(0, SHOWN);
  const undated = bookings.filter(({ date }) => !date).slice(0, BATCH - dated.length);
  const booked = [...dated, ...undated];
  if (booked.length === 0) return [];
  const tours = await findTours(booked.map(({ tourId }) => tourId));
  const coming = booked.flatMap(({ tourId, date }) => {
    const tour = tours.get(tourId.toString());
    const at = date ?? tour?.date;
    return tour && at && at > now ? [{ tour, date: at }] : [];
  });
  const departures = coming.sort(soonestFirst).map(({ tour, date }) => ({
    ...namedTour(tour),
    date: date.toISOString(),
  }));
  const distinct = new Map(departures.map((one) => [`${one.date} ${one.slug}`, one]));
  return [...distinct.values()].slice(0, SHOWN);
}
