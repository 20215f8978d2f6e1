import type { PipelineStage, Types } from "mongoose";
import { Booking, type BookingDocument, CONFIRMED, readBooking } from "#models/booking";
import { asText } from "#models/reading";
import type { TourDocument } from "#models/tour";
import { groupedBy } from "~/lib/grouped";
import { departureFilter } from "./departures.server";

/** Explorers of a departure whose names are read. */
export const SOME_EXPLORERS = 50;
/** Explorers whose names are read for a page, without those of the departure that is shown whole. */
const NAMED_AT_ONCE = 300;

/** `open` has begun and holds confirmed bookings: it can be completed. */
export type DepartureState = "open" | "upcoming" | "past";

/** A tour at one of its dates. */
export interface TourDeparture {
  tour: TourDocument;
  date: Date | null;
}

export const departureKey = ({ tour, date }: TourDeparture) =>
  `${tour._id.toString()}_${date?.getTime() ?? ""}`;

export interface BookedDeparture extends TourDeparture {
  counts: { status: string; count: number }[];
  bookings: BookingDocument[];
}

/** A departure, and how many of its explorers are to be named. */
interface WantedDeparture extends TourDeparture {
  state: DepartureState;
  limit: number;
}

/**
 * Reads the bookings of the departures on a page by one command. Where they are many, it counts them, and names those of
 * the departures with few, of those to be completed, and of the one that is asked for.
 */
export async function readBookings(
  wanted: WantedDeparture[],
): Promise<Map<string, BookedDeparture>> {
  if (wanted.length === 0) return new Map();
  const few = await findBookings(wanted);
  if (few.length <= NAMED_AT_ONCE) {
    const bookingsByDeparture = groupedBy(few, departureKeyFinder(wanted));
    return new Map(
      wanted.map((one) => {
        const rows = bookingsByDeparture.get(departureKey(one)) ?? [];
        const first = one.state === "open" ? confirmedFirst(rows) : rows;
        const counts = sumUp(rows.map(({ status }) => [status, 1]));
        return [departureKey(one), { ...one, counts, bookings: first.slice(0, one.limit) }];
      }),
    );
  }
  const counts = await countBookings(wanted);
  const total = (one: TourDeparture) =>
    (counts.get(departureKey(one)) ?? []).reduce((sum, { count }) => sum + count, 0);
  let left = NAMED_AT_ONCE;
  const small = wanted.filter((one) => {
    const isSmall = total(one) <= Math.min(left, SOME_EXPLORERS);
    if (isSmall) left -= total(one);
    return isSmall;
  });
  const named = groupedBy(
    small.length > 0 ? await findBookings(small) : [],
    departureKeyFinder(small),
  );
  const booked = await Promise.all(
    wanted.map(async (one) => ({
      ...one,
      counts: counts.get(departureKey(one)) ?? [],
      bookings: named.get(departureKey(one)) ?? (await readFirst(one)),
    })),
  );
  return new Map(booked.map((one) => [departureKey(one), one]));
}

const bookingsFilter = ({ tour, date }: TourDeparture) => departureFilter(tour, date)!;

/** Stages that choose the bookings of these departures. */
const ofDepartures = (found: TourDeparture[]): PipelineStage.Match[] => [
  {
    $match: {
      tourId: { $in: found.map(({ tour }) => tour._id) },
      date: { $in: [...found.flatMap(({ date }) => date ?? []), null] },
    },
  },
  // A stage of its own: with an `$or` beside others the embedded database would use no index.
  { $match: { $or: found.map(bookingsFilter) } },
];

async function findBookings(found: TourDeparture[]): Promise<BookingDocument[]> {
  const rows = await Booking.aggregate<BookingDocument>([
    ...ofDepartures(found),
    { $sort: { _id: 1 } },
    { $limit: NAMED_AT_ONCE + 1 },
  ]).option({ batchSize: NAMED_AT_ONCE + 2 });
  for (const row of rows) readBooking(row);
  return rows;
}

/** Returns the key of the departure that a booking belongs to; one without a date belongs to that of its tour. */
function departureKeyFinder(found: TourDeparture[]) {
  const byTour = new Map(found.map(({ tour }) => [tour._id.toString(), tour]));
  return ({ tourId, date }: { tourId: Types.ObjectId; date: Date | null }): string => {
    const tour = byTour.get(tourId.toString())!;
    return departureKey({ tour, date: date ?? tour.date });
  };
}

const isConfirmed = ({ status }: BookingDocument) => status === CONFIRMED;

/** The guide has to say of the confirmed ones whether they came. */
const confirmedFirst = (bookings: BookingDocument[]) => [
  ...bookings.filter(isConfirmed),
  ...bookings.filter((one) => !isConfirmed(one)),
];

async function countBookings(
  found: TourDeparture[],
): Promise<Map<string, BookedDeparture["counts"]>> {
  const rows = await Booking.aggregate<{
    _id: { tourId: Types.ObjectId; date: Date | null; status: unknown };
    count: number;
  }>([
    ...ofDepartures(found),
    {
      $group: { _id: { tourId: "$tourId", date: "$date", status: "$status" }, count: { $sum: 1 } },
    },
  ]);
  const keyOfRow = departureKeyFinder(found);
  const grouped = groupedBy(rows, ({ _id }) => keyOfRow(_id));
  return new Map(
    [...grouped].map(([key, some]) => [
      key,
      // All malformed statuses of a platform count as one, as where bookings are read (models/booking.ts).
      sumUp(some.map(({ _id, count }) => [asText(_id.status) ?? "", count])),
    ]),
  );
}

/** The first explorers of a departure with many, where the guide needs them. */
async function readFirst({ state, limit, ...found }: WantedDeparture): Promise<BookingDocument[]> {
  const isAsked = limit > SOME_EXPLORERS;
  if (state !== "open" && !isAsked) return [];
  const firstBookings = (more: object, most: number) =>
    Booking.find({ ...bookingsFilter(found), ...more })
      .sort({ _id: 1 })
      .limit(most)
      .lean<BookingDocument[]>();
  if (state !== "open") return firstBookings({}, limit);
  const confirmed = await firstBookings({ status: CONFIRMED }, limit);
  return confirmed.length < limit
    ? [
        ...confirmed,
        ...(await firstBookings({ status: { $ne: CONFIRMED } }, limit - confirmed.length)),
      ]
    : confirmed;
}

function sumUp(rows: [status: string, count: number][]) {
  const counts = new Map<string, number>();
  for (const [status, count] of rows) counts.set(status, (counts.get(status) ?? 0) + count);
  return [...counts]
    .map(([status, count]) => ({ status, count }))
    .sort((one, other) => (one.status < other.status ? -1 : 1));
}
