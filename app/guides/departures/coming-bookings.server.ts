import { Booking, type BookingDocument, CONFIRMED } from "#models/booking";
import { BATCH } from "~/db/batches";
import { type Clock, systemClock } from "~/lib/clock";
import { toObjectId } from "~/db/ids.server";
import type { Caller } from "~/accounts/caller.server";
import { findTours, type NamedTour, namedTour } from "~/tours/named-tour.server";

const SHOWN = 10;

interface ComingBooking extends NamedTour {
  date: string;
}

const soonestFirst = (a: { date: Date }, b: { date: Date }) => a.date.getTime() - b.date.getTime();

/** The soonest first, each departure once. A booking without a date has its tour's. */
export async function comingBookings(
  caller: Caller,
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<ComingBooking[]> {
  const now = clock();
  const bookings = await Booking.find(
    { userId: toObjectId(caller.id), status: CONFIRMED },
    "tourId date",
  ).lean<BookingDocument[]>();
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
