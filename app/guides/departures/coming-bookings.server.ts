import { Booking, type BookingDocument, CONFIRMED } from "#models/booking";
import { Tour, type TourDocument } from "#models/tour";
import { BATCH } from "~/db/batches";
import { type Clock, systemClock } from "~/infra/clock";
import { toObjectId } from "~/db/ids.server";
import type { Caller } from "~/accounts/caller.server";
import { zoneOf } from "~/infra/tour-zone.server";

export interface ComingBooking {
  title: string;
  slug: string;
  date: string;
  timeZone: string;
}

export const COMING_BOOKINGS = 10;

/** The soonest first, each departure once. A booking without a date has its tour's. */
export async function comingBookings(
  caller: Caller,
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<ComingBooking[]> {
  const now = clock().getTime();
  const bookings = await Booking.find(
    { userId: toObjectId(caller.id), status: CONFIRMED },
    "tourId date",
  ).lean<BookingDocument[]>();
  const dated = bookings
    .filter(({ date }) => date && date.getTime() > now)
    .sort((a, b) => a.date!.getTime() - b.date!.getTime())
    .slice(0, COMING_BOOKINGS);
  const undated = bookings.filter(({ date }) => !date).slice(0, BATCH - dated.length);
  const booked = [...dated, ...undated];
  if (booked.length === 0) return [];
  const tours = await Tour.find(
    { _id: { $in: booked.map(({ tourId }) => tourId) } },
    "title slug date timeZone",
  ).lean<TourDocument[]>();
  const byId = new Map(tours.map((tour) => [tour._id.toString(), tour]));
  const coming = booked.flatMap(({ tourId, date }) => {
    const tour = byId.get(tourId.toString());
    const at = date ?? tour?.date;
    if (!tour || !at || at.getTime() <= now) return [];
    const { title, slug } = tour;
    const departure = { title, slug, date: at.toISOString(), timeZone: zoneOf(tour) };
    return [[`${departure.date} ${departure.slug}`, departure] as const];
  });
  return [...new Map(coming).values()]
    .sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
    .slice(0, COMING_BOOKINGS);
}
