import type { TourDocument } from "#models/tour";
import { env } from "~/config/env.server";
import { tourTimeZone } from "~/lib/tour-zone.server";
import { dayOfMoment } from "~/config/zones";

/** The page of a tour folds those behind the next five, and counts the rest. */
const NEXT = 5;
const FOLDED = 45;

/** Its last moment belongs to it; one without a beginning or an end is open there. */
export interface Period {
  from: Date | null;
  until: Date | null;
}

type DepartureDates = Pick<TourDocument, "date" | "dates">;
type BookableTour = DepartureDates & Pick<TourDocument, "slug" | "timeZone" | "bookingUrl">;

interface BookableDeparture {
  /** In ISO 8601, UTC. */
  at: string;
  /** Where exactly this one is booked; null where nothing says. */
  bookingUrl: string | null;
}

export interface DeparturesToCome {
  next: BookableDeparture[];
  folded: BookableDeparture[];
  /** How many there are beyond these. */
  later: number;
}

export const NONE_TO_COME: DeparturesToCome = { next: [], folded: [], later: 0 };

/** Returns the departures of `date` and `dates`, each once, the soonest first. */
function sortedDepartures({ date, dates }: DepartureDates): Date[] {
  const times = [...(date ? [date] : []), ...dates].map((one) => one.getTime());
  return [...new Set(times)].sort((a, b) => a - b).map((time) => new Date(time));
}

const isWithin = (at: Date, { from, until }: Period) =>
  (!from || at >= from) && (!until || at <= until);

/** Returns the next departure of the period that is still to come, or else its last one. */
export function nearestDeparture(tour: DepartureDates, period?: Period): Date | null {
  const now = new Date();
  const departures = sortedDepartures(tour).filter((at) => !period || isWithin(at, period));
  return departures.find((at) => at > now) ?? departures.at(-1) ?? null;
}

/** In milliseconds since 1970; infinite without one. */
export const nextDeparture = ({ date, dates }: DepartureDates, after: number): number =>
  [date, ...dates].reduce((next, at) => (at && +at > after ? Math.min(next, +at) : next), Infinity);

export function departuresToCome(tour: BookableTour): DeparturesToCome {
  const now = new Date();
  const toCome = sortedDepartures(tour).filter((at) => at > now);
  const isOfDay = bookingUrlTemplate(tour)?.includes("{date}");
  const shown = toCome.slice(0, NEXT + FOLDED).map((at) => ({
    at: at.toISOString(),
    bookingUrl: isOfDay ? findBookingUrl(tour, at) : null,
  }));
  return {
    next: shown.slice(0, NEXT),
    folded: shown.slice(NEXT),
    later: toCome.length - shown.length,
  };
}

/** Where the tour is booked, at the day of that departure; null where nothing says. */
export function findBookingUrl(
  tour: BookableTour,
  departure = nearestDeparture(tour),
): string | null {
  // The day of one that is over cannot be booked.
  const day = departure && departure > new Date() ? dayOfMoment(departure, tourTimeZone(tour)) : "";
  return bookingUrlTemplate(tour)?.replaceAll("{date}", day) ?? null;
}

const bookingUrlTemplate = ({ bookingUrl, slug }: BookableTour) =>
  bookingUrl ?? env().bookingUrl?.replaceAll("{slug}", () => encodeURIComponent(slug)) ?? null;
