import type { PipelineStage, Types } from "mongoose";
import { Booking, type BookingDocument, CONFIRMED, readBooking } from "#models/booking";
import { asText } from "#models/reading";
import type { TourDocument } from "#models/tour";
import { type Author, findAuthors, NOBODY } from "~/db/people.server";
import { batches } from "~/db/batches";
import { groupedBy } from "~/infra/grouped";
import { pageOf } from "~/infra/numbered-pages";
import { namedTour } from "~/tours/named-tour.server";
import type { GuideQuery } from "~/guides/guide-address";
import { departureOf } from "./departures.server";

const RECENT_MS = 30 * 24 * 60 * 60 * 1_000;
/** The departures to come behind the next five are folded. */
const PER_PAGE: Record<DepartureState, number> = { open: 5, upcoming: 10, past: 5 };
const MOST_DEPARTURES = 1_000;
const SOME_EXPLORERS = 50;
/** So many are named on a page, those of the one of which all are asked for beside them. */
const NAMED_AT_ONCE = 300;
/** The bound of the departure of which all are asked for. */
const MOST_EXPLORERS = 1_000;

/** `open` has begun and holds confirmed bookings: it can be completed. */
export type DepartureState = "open" | "upcoming" | "past";

export type Departure = ReturnType<typeof toDeparture>;
export type DeparturePages = Awaited<ReturnType<typeof pagesOfDepartures>>;

/**
 * The asked pages of the tours' departures with their bookings: those to be completed (the oldest first), to come (the
 * soonest first) and of the last 30 days.
 */
export async function pagesOfDepartures(
  tours: TourDocument[],
  asked: Pick<GuideQuery, DepartureState | "all">,
  now: Date,
) {
  const found = await findDepartures(tours, now);
  const page = (state: DepartureState, direction: 1 | -1) => {
    const sorted = [...found[state].values()].sort(
      (a, b) =>
        direction * (timeOf(a) - timeOf(b)) || (String(a.tour._id) < String(b.tour._id) ? -1 : 1),
    );
    return {
      ...pageOf(sorted, asked[state], PER_PAGE[state]),
      total: sorted.length,
      first: sorted[0],
    };
  };
  const lists = { open: page("open", 1), upcoming: page("upcoming", 1), past: page("past", -1) };
  const wanted = (["open", "upcoming", "past"] as const).flatMap((state) =>
    lists[state].items.map((one) => ({
      ...one,
      state,
      limit: keyOf(one) === asked.all ? MOST_EXPLORERS : SOME_EXPLORERS,
    })),
  );
  const booked = await readBookings(wanted);
  const people = await findAuthors(
    [...booked.values()].flatMap(({ bookings }) => bookings.map(({ userId }) => userId.toString())),
    { remember: false },
  );
  const toPage = ({ items, page, pages, total }: (typeof lists)["open"]) => ({
    page,
    pages,
    total,
    items: items.map((one) => toDeparture(booked.get(keyOf(one))!, people)),
  });
  const next = lists.upcoming.first;
  return {
    open: toPage(lists.open),
    upcoming: toPage(lists.upcoming),
    past: toPage(lists.past),
    /** The soonest one to come; null without any. */
    next: next ? { tour: namedTour(next.tour), date: next.date!.toISOString() } : null,
  };
}

/** Whether any departure of these tours is open; ends at the first one that is, since it is asked at each log-in. */
export async function isAnyOpen(tours: TourDocument[], now: Date): Promise<boolean> {
  const over = { $gte: new Date(now.getTime() - RECENT_MS), $lte: now };
  const isOver = ({ date }: TourDocument) => !date || (date >= over.$gte && date <= over.$lte);
  for (const batch of batches(tours, TOURS_AT_ONCE)) {
    const dated = { tourId: { $in: batch.map(({ _id }) => _id) }, date: over };
    const undated = { tourId: { $in: batch.filter(isOver).map(({ _id }) => _id) }, date: null };
    for (const booked of [dated, undated])
      if (await Booking.exists({ ...booked, status: CONFIRMED })) return true;
  }
  return false;
}

/** A tour at one of its dates. */
interface Found {
  tour: TourDocument;
  date: Date | null;
}

const keyOf = ({ tour, date }: Found) => `${tour._id.toString()}_${date?.getTime() ?? ""}`;

/** A departure without a date stands before all others that are over. */
const timeOf = ({ date }: Found) => date?.getTime() ?? 0;

/** So many tours are asked for by one command. */
const TOURS_AT_ONCE = 500;

async function findDepartures(tours: TourDocument[], now: Date) {
  const since = new Date(now.getTime() - RECENT_MS);
  const found: Record<DepartureState, Map<string, Found>> = {
    open: new Map(),
    upcoming: new Map(),
    past: new Map(),
  };
  const add = (state: DepartureState, departure: Found) =>
    found[state].set(keyOf(departure), departure);
  for (const batch of batches(tours, TOURS_AT_ONCE)) {
    const byId = new Map(batch.map((tour) => [tour._id.toString(), tour]));
    const tourId = { $in: batch.map(({ _id }) => _id) };
    const recent = batch.filter(({ date }) => !date || date >= since);
    const [over, upcoming, undated] = await Promise.all([
      // Those to be completed first, so that no others hide them.
      findDates({ tourId, date: { $gte: since, $lte: now } }, { isOpen: -1, "_id.date": -1 }),
      findDates({ tourId, date: { $gt: now } }, { "_id.date": 1 }),
      Booking.aggregate<{ _id: { tourId: Types.ObjectId; status: string } }>([
        { $match: { tourId: { $in: recent.map(({ _id }) => _id) }, date: null } },
        { $group: { _id: { tourId: "$tourId", status: "$status" } } },
      ]).option({ batchSize: MOST_DEPARTURES }),
    ]);
    const departure = ({ _id: { tourId, date } }: Dated) => ({
      tour: byId.get(tourId.toString())!,
      date,
    });
    for (const row of over) add(row.isOpen ? "open" : "past", departure(row));
    for (const row of upcoming) add("upcoming", departure(row));
    // A booking without a date belongs to that of its tour.
    for (const { _id } of undated) {
      const tour = byId.get(_id.tourId.toString())!;
      const isOver = !tour.date || tour.date <= now;
      const state = !isOver ? "upcoming" : _id.status === CONFIRMED ? "open" : "past";
      add(state, { tour, date: tour.date });
    }
  }
  // A tour's own date may have bookings with and without it.
  for (const key of found.open.keys()) found.past.delete(key);
  return found;
}

interface Dated {
  _id: { tourId: Types.ObjectId; date: Date };
  /** Whether there is a confirmed booking: 1, otherwise 0. */
  isOpen: number;
}

/** The tours and dates of the bookings that match, the first ones in that order. */
const findDates = (match: object, order: Record<string, 1 | -1>) =>
  Booking.aggregate<Dated>([
    { $match: match },
    {
      $group: {
        _id: { tourId: "$tourId", date: "$date" },
        isOpen: { $max: { $cond: [{ $eq: ["$status", CONFIRMED] }, 1, 0] } },
      },
    },
    { $sort: order },
    { $limit: MOST_DEPARTURES },
  ]).option({ batchSize: MOST_DEPARTURES + 1 });

interface Booked extends Found {
  counts: { status: string; count: number }[];
  bookings: BookingDocument[];
}

/** A departure, and how many of its explorers are to be named. */
interface Wanted extends Found {
  state: DepartureState;
  limit: number;
}

/**
 * Reads the bookings of the departures on a page by one command. Where they are many, it counts them, and names those of
 * the departures with few, of those to be completed, and of the one that is asked for.
 */
async function readBookings(wanted: Wanted[]): Promise<Map<string, Booked>> {
  if (wanted.length === 0) return new Map();
  const few = await findBookings(wanted);
  if (few.length <= NAMED_AT_ONCE) {
    const rowsOf = groupedBy(few, keysOf(wanted));
    return new Map(
      wanted.map((one) => {
        const rows = rowsOf.get(keyOf(one)) ?? [];
        const first = one.state === "open" ? confirmedFirst(rows) : rows;
        const counts = sumUp(rows.map(({ status }) => [status, 1]));
        return [keyOf(one), { ...one, counts, bookings: first.slice(0, one.limit) }];
      }),
    );
  }
  const counts = await countBookings(wanted);
  const total = (one: Found) =>
    (counts.get(keyOf(one)) ?? []).reduce((sum, { count }) => sum + count, 0);
  let left = NAMED_AT_ONCE;
  const small = wanted.filter((one) => {
    const isSmall = total(one) <= Math.min(left, SOME_EXPLORERS);
    if (isSmall) left -= total(one);
    return isSmall;
  });
  const named = groupedBy(small.length > 0 ? await findBookings(small) : [], keysOf(small));
  const booked = await Promise.all(
    wanted.map(async (one) => ({
      ...one,
      counts: counts.get(keyOf(one)) ?? [],
      bookings: named.get(keyOf(one)) ?? (await readFirst(one)),
    })),
  );
  return new Map(booked.map((one) => [keyOf(one), one]));
}

const filterOf = ({ tour, date }: Found) => departureOf(tour, date)!;

/** Stages that choose the bookings of these departures. */
const ofDepartures = (found: Found[]): PipelineStage.Match[] => [
  {
    $match: {
      tourId: { $in: found.map(({ tour }) => tour._id) },
      date: { $in: [...found.flatMap(({ date }) => date ?? []), null] },
    },
  },
  // A stage of its own: with an `$or` beside others the embedded database would use no index.
  { $match: { $or: found.map(filterOf) } },
];

async function findBookings(found: Found[]): Promise<BookingDocument[]> {
  const rows = await Booking.aggregate<BookingDocument>([
    ...ofDepartures(found),
    { $sort: { _id: 1 } },
    { $limit: NAMED_AT_ONCE + 1 },
  ]).option({ batchSize: NAMED_AT_ONCE + 2 });
  for (const row of rows) readBooking(row);
  return rows;
}

/** Returns the key of the departure that a booking belongs to; one without a date belongs to that of its tour. */
function keysOf(found: Found[]) {
  const byTour = new Map(found.map(({ tour }) => [tour._id.toString(), tour]));
  return ({ tourId, date }: { tourId: Types.ObjectId; date: Date | null }): string => {
    const tour = byTour.get(tourId.toString())!;
    return keyOf({ tour, date: date ?? tour.date });
  };
}

const isConfirmed = ({ status }: BookingDocument) => status === CONFIRMED;

/** The guide has to say of the confirmed ones whether they came. */
const confirmedFirst = (bookings: BookingDocument[]) => [
  ...bookings.filter(isConfirmed),
  ...bookings.filter((one) => !isConfirmed(one)),
];

async function countBookings(found: Found[]): Promise<Map<string, Booked["counts"]>> {
  const rows = await Booking.aggregate<{
    _id: { tourId: Types.ObjectId; date: Date | null; status: unknown };
    count: number;
  }>([
    ...ofDepartures(found),
    {
      $group: { _id: { tourId: "$tourId", date: "$date", status: "$status" }, count: { $sum: 1 } },
    },
  ]);
  const keyOfRow = keysOf(found);
  const grouped = groupedBy(rows, ({ _id }) => keyOfRow(_id));
  return new Map(
    [...grouped].map(([key, some]) => [
      key,
      // A platform's malformed ones are one, as where bookings are read (models/booking.ts).
      sumUp(some.map(({ _id, count }) => [asText(_id.status) ?? "", count])),
    ]),
  );
}

/** The first explorers of a departure with many, where the guide needs them. */
async function readFirst({ state, limit, ...found }: Wanted): Promise<BookingDocument[]> {
  const isAsked = limit > SOME_EXPLORERS;
  if (state !== "open" && !isAsked) return [];
  const read = (more: object, most: number) =>
    Booking.find({ ...filterOf(found), ...more })
      .sort({ _id: 1 })
      .limit(most)
      .lean<BookingDocument[]>();
  if (state !== "open") return read({}, limit);
  const confirmed = await read({ status: CONFIRMED }, limit);
  return confirmed.length < limit
    ? [...confirmed, ...(await read({ status: { $ne: CONFIRMED } }, limit - confirmed.length))]
    : confirmed;
}

function sumUp(rows: [status: string, count: number][]) {
  const counts = new Map<string, number>();
  for (const [status, count] of rows) counts.set(status, (counts.get(status) ?? 0) + count);
  return [...counts.keys()].sort().map((status) => ({ status, count: counts.get(status)! }));
}

/** As a list of people is ordered; of the same name, who booked first. */
const byName = new Intl.Collator("en");

function toDeparture(booked: Booked, people: Map<string, Author>) {
  const { tour, date, counts, bookings } = booked;
  return {
    key: keyOf(booked),
    tour: { id: tour._id.toString(), ...namedTour(tour) },
    /** Null when neither the bookings nor the tour have a date. */
    date: date?.toISOString() ?? null,
    counts,
    bookings: bookings
      .map(({ _id, userId, status }) => {
        const { name, image } = people.get(userId.toString()) ?? NOBODY;
        return { id: _id.toString(), status, name, image };
      })
      .sort((a, b) => byName.compare(a.name, b.name)),
  };
}
