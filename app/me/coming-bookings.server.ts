import type { Caller } from "~/accounts/caller.server";
import { type NamedTour, namedTour } from "~/tours/named-tour.server";
import { COMING_SHOWN, findBooked, soonestFirst } from "./booked.server";

interface ComingBooking extends NamedTour {
  date: string;
}

/** The soonest first, each departure once. A booking without a date has its tour's. */
export async function comingBookings(caller: Caller): Promise<ComingBooking[]> {
  const now = new Date();
  const { coming, tours } = await findBooked(caller);
  const dated = coming.flatMap(({ tourId, date }) => {
    const tour = tours.get(tourId.toString());
    const at = date ?? tour?.date;
    return tour && at && at > now ? [{ tour, date: at }] : [];
  });
  const departures = dated.sort(soonestFirst).map(({ tour, date }) => ({
    ...namedTour(tour),
    date: date.toISOString(),
  }));
  const distinct = new Map(departures.map((one) => [`${one.date} ${one.slug}`, one]));
  return [...distinct.values()].slice(0, COMING_SHOWN);
}
