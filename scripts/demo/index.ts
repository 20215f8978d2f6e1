import { readFileSync } from "node:fs";
import { MINUTE_MS } from "~/lib/durations";
import { clockTime, momentAtClockTime } from "~/config/zones";
import { DEMO_PASSWORD_HASH } from "~/accounts/log-in/demo-log-ins.server";

/** The time zone of the demo's coast. */
const DEMO_ZONE = "Europe/Rome";

/** The demo log-ins, and what each can try. */
export const demoLogins = [
  {
    email: "amelie.norden@example.org",
    note: "came back from five tours that wait for a review; one more is booked, and at another a guide says she did not come",
  },
  {
    email: "jonas.lindqvist@example.org",
    note: "wrote two reviews in the last 24 hours, which can still be edited, and some older ones",
  },
  {
    email: "ilaria.bonfante@example.org",
    note: "five tours, many reviews, departures to mark as completed and departures to come",
  },
];

interface User {
  id: string;
  name: string;
  email: string;
}

/** A tour with its bookings and reviews. Times are relative, see `momentOfText`; its facts are imported as they stand. */
interface Tour {
  id: string;
  title: string;
  slug: string;
  createdById: string;
  description: string;
  date: string | null;
  location: string;
  durationMinutes: number;
  bookings: { id: string; userId: string; status: string; date: string }[];
  reviews: {
    id: string;
    userId: string;
    rating: number;
    comment: string | null;
    createdAt: string;
    reply?: { text: string; createdAt: string };
  }[];
}

/** The records of a file of this folder: one a line. Commands run in the repository's root. */
const readRecords = <Record>(name: string) =>
  readFileSync(`scripts/demo/${name}.ndjson`, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record);

/** The tours of the demo, as they stand in its file. */
export const demoTours = (): Tour[] => readRecords<Tour>("tours");

/**
 * Returns the demo's records as an import takes them, and the guides' replies, with times relative to `now`: the same
 * `now` gives the same data. Ids, texts and authors never change.
 */
export function demoData(now: Date) {
  const at = (text: string) => momentOfText(text, now).toISOString();
  const tours = demoTours();
  const reviewed = tours.flatMap((tour) => tour.reviews.map((review) => ({ tour, review })));
  const users = readRecords<User>("users").map((user) => ({
    ...user,
    image: null,
    ...(demoLogins.some(({ email }) => email === user.email) && {
      passwordHash: DEMO_PASSWORD_HASH,
    }),
  }));
  return {
    users,
    tours: tours.map(({ bookings: _, reviews: __, date, ...tour }, nth) => ({
      ...tour,
      date: date && at(date),
      ...(date && { dates: weekendDates(date, nth, now) }),
      timeZone: DEMO_ZONE,
      image: null,
    })),
    bookings: tours.flatMap(({ id: tourId, bookings }) =>
      bookings.map((booking) => ({ ...booking, tourId, date: at(booking.date) })),
    ),
    reviews: reviewed.map(({ tour, review: { reply: _, ...review } }) => ({
      ...review,
      tourId: tour.id,
      createdAt: at(review.createdAt),
    })),
    replies: reviewed.flatMap(({ tour, review: { id: reviewId, reply } }) => {
      if (!reply) return [];
      const { id: tourId, createdById: userId } = tour;
      return { ...reply, createdAt: at(reply.createdAt), reviewId, tourId, userId };
    }),
  };
}

const WEEKENDS = 6;

/** At the time of that text on the Saturdays or Sundays to come, or on both: of three tours each is another. */
function weekendDates(text: string, nth: number, now: Date): string[] {
  const weekdays = [[6], [0], [6, 0]][nth % 3]!;
  return Array.from({ length: 7 * WEEKENDS }, (_, n) =>
    momentOfText(`${n + 1} days ${text.slice(-5)}`, now),
  )
    .filter((at) => weekdays.includes(clockTime(at, DEMO_ZONE).weekday))
    .map((at) => at.toISOString());
}

/**
 * The moment of a text, by the clocks of `DEMO_ZONE`: "-47 days 16:05" is a time on a day before or after that of `now`,
 * "last 21:00" the last such time before `now`, and "-160 minutes" is counted from `now`.
 */
function momentOfText(text: string, now: Date): Date {
  const [, amount] = /^(-?\d+) (?:days|minutes)/.exec(text) ?? [];
  if (text.endsWith(" minutes")) return new Date(now.getTime() + Number(amount) * MINUTE_MS);
  const [hour, minute] = text.slice(-5).split(":").map(Number) as [number, number];
  const { year, month, day } = clockTime(now, DEMO_ZONE);
  const on = (days: number) =>
    momentAtClockTime({ year, month, day: day + days, hour, minute }, DEMO_ZONE);
  if (amount !== undefined) return on(Number(amount));
  return on(0) < now ? on(0) : on(-1);
}
