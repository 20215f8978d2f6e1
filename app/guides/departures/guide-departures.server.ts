import type { Types } from "mongoose";
import { Booking, CONFIRMED, type BookingDocument } from "#models/booking";
import { asText } from "#models/reading";
import type { TourDocument } from "#models/tour";
import { type Author, findAuthors, NOBODY } from "~/db/people.server";
import { batches } from "~/db/batches";
import { pageOf } from "~/infra/numbered-pages";
import { TOURS_AT_ONCE } from "~/reviews/list/page.server";
import { namedTour } from "~/tours/named-tour.server";
import type { GuideQuery } from "~/guides/guide-address";
import { departureOf } from "./departures.server";

const RECENT_MS = 30 * 24 * 60 * 60 * 1_000;
/** The departures to come behind the next five are folded. */
const PER_PAGE: Record<DepartureState, number> = { open: 5, upcoming: 10, past: 5 };
const MOST_DEPARTURES = 1_000;
const SOME_EXPLORERS = 50;
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
  const page = async (state: DepartureState, direction: 1 | -1) => {
    const sorted = [...found[state].values()].sort(
      (a, b) =>
        direction * (timeOf(a) - timeOf(b)) || (String(a.tour._id) < String(b.tour._id) ? -1 : 1),
    );
    const { items, ...place } = pageOf(sorted, asked[state], PER_PAGE[state]);
    const read = items.map((one) => readBookings(one, keyOf(one) === asked.all, state === "open"));
    return { ...place, items: await Promise.all(read) };
  };
  const pages = await Promise.all([page("open", 1), page("upcoming", 1), page("past", -1)]);
  const shown = pages.flatMap(({ items }) => items.flatMap(({ bookings }) => bookings));
  const people = await findAuthors(
    shown.map(({ userId }) => userId.toString()),
    { remember: false },
  );
  const [open, upcoming, past] = pages.map(({ items, ...place }) => ({
    ...place,
    items: items.map((booked) => toDeparture(booked, people)),
  }));
  return { open: open!, upcoming: upcoming!, past: past! };
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

/** Reads each state separately, so that no number of future bookings hides departures that are to be completed. */
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
    const over = { $gte: since, $lte: now };
    const [open, upcoming, past, undated] = await Promise.all([
      findDates({ tourId, status: CONFIRMED, date: over }, 1),
      findDates({ tourId, date: { $gt: now } }, 1),
      findDates({ tourId, date: over }, -1),
      Booking.aggregate<{ _id: { tourId: Types.ObjectId; status: string } }>([
        { $match: { tourId: { $in: recent.map(({ _id }) => _id) }, date: null } },
        { $group: { _id: { tourId: "$tourId", status: "$status" } } },
      ]),
    ]);
    for (const [state, rows] of Object.entries({ open, upcoming, past }))
      for (const { _id } of rows)
        add(state as DepartureState, { tour: byId.get(_id.tourId.toString())!, date: _id.date });
    // A booking without a date belongs to that of its tour.
    for (const { _id } of undated) {
      const tour = byId.get(_id.tourId.toString())!;
      const isOver = !tour.date || tour.date <= now;
      const state = !isOver ? "upcoming" : _id.status === CONFIRMED ? "open" : "past";
      add(state, { tour, date: tour.date });
    }
  }
  for (const key of found.open.keys()) found.past.delete(key);
  return found;
}

/** The tours and dates of the bookings that match, the first or the last ones by date. */
const findDates = (match: object, direction: 1 | -1) =>
  Booking.aggregate<{ _id: { tourId: Types.ObjectId; date: Date } }>([
    { $match: match },
    { $group: { _id: { tourId: "$tourId", date: "$date" } } },
    { $sort: { "_id.date": direction } },
    { $limit: MOST_DEPARTURES },
  ]);

type Booked = Awaited<ReturnType<typeof readBookings>>;

async function readBookings(found: Found, all: boolean, isOpen: boolean) {
  const limit = all ? MOST_EXPLORERS : SOME_EXPLORERS;
  const filter = departureOf(found.tour, found.date)!;
  const read = (more: object = {}) =>
    Booking.find({ ...filter, ...more })
      .sort({ _id: 1 })
      .limit(limit)
      .lean<BookingDocument[]>();
  const bookings = await read();
  if (bookings.length < limit)
    return { ...found, bookings, counts: sumUp(bookings.map(({ status }) => [status, 1])) };
  const rows = await Booking.aggregate<{ _id: unknown; count: number }>([
    { $match: filter },
    { $group: { _id: "$status", count: { $sum: 1 } } },
  ]);
  // A platform's malformed ones are one, as where bookings are read (models/booking.ts).
  const counts = sumUp(rows.map(({ _id, count }) => [asText(_id) ?? "", count]));
  // The guide has to say of the confirmed ones whether they came.
  return { ...found, counts, bookings: isOpen ? await read({ status: CONFIRMED }) : bookings };
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
