import type { Types } from "mongoose";
import { Booking, CONFIRMED, type BookingDocument } from "#models/booking";
import { asText } from "#models/reading";
import type { TourDocument } from "#models/tour";
import { User, type UserDocument } from "#models/user";
import { type Author, NOBODY, toAuthor } from "~/db/people.server";
import { batches, BATCH } from "~/db/batches";
import { type NumberedPage, pageOf } from "~/infra/numbered-pages";
import { TOURS_AT_ONCE } from "~/reviews/list/page.server";
import { zoneOf } from "~/infra/tour-zone.server";
import { departureOf } from "./departures.server";

const RECENT_MS = 30 * 24 * 60 * 60 * 1_000;
/** Of those to come, all behind the next five are folded. */
const PER_PAGE: Record<DepartureState, number> = { open: 5, upcoming: 10, past: 5 };
const MOST_DEPARTURES = 1_000;
/** The one of which all are asked for has another bound. */
const SOME_EXPLORERS = 50;
const MOST_EXPLORERS = 1_000;

/** `open` has begun and holds confirmed bookings: it can be completed. */
export type DepartureState = "open" | "upcoming" | "past";

export interface Departure {
  key: string;
  tour: { id: string; title: string; slug: string; timeZone: string };
  /** ISO 8601; null when neither the bookings nor the tour have a date. */
  date: string | null;
  counts: { status: string; count: number }[];
  bookings: DepartureBooking[];
}

export interface DepartureBooking {
  id: string;
  explorer: { name: string; image: string | null };
  status: string;
}

interface Key {
  tourId: string;
  date: Date | null;
}

export type DepartureKeys = Record<DepartureState, Key[]>;

/**
 * Those to be completed (the oldest first), to come (the soonest first) and of the last 30 days. Each state is read
 * separately, so that no number of future bookings hides departures that are to be completed.
 */
export async function findDepartures(tours: TourDocument[], now: Date): Promise<DepartureKeys> {
  const found = await findKeys(tours, now);
  const sorted = (state: DepartureState, direction: 1 | -1) =>
    [...found[state].values()].sort(
      (a, b) => direction * (timeOf(a) - timeOf(b)) || (a.tourId < b.tourId ? -1 : 1),
    );
  return { open: sorted("open", 1), upcoming: sorted("upcoming", 1), past: sorted("past", -1) };
}

/** The departures on that page of each state, with their bookings; `all` is the key of the one with all explorers. */
export async function pagesOfDepartures(
  tours: TourDocument[],
  keys: DepartureKeys,
  pages: Record<DepartureState, number>,
  all: string,
): Promise<Record<DepartureState, NumberedPage<Departure>>> {
  const byId = new Map(tours.map((tour) => [tour._id.toString(), tour]));
  const page = async (state: DepartureState) => {
    const { items, ...place } = pageOf(keys[state], pages[state], PER_PAGE[state]);
    const read = items.map(({ tourId, date }) => {
      const limit = keyOf(tourId, date) === all ? MOST_EXPLORERS : SOME_EXPLORERS;
      return readBookings(byId.get(tourId)!, date, { limit, isOpen: state === "open" });
    });
    return { ...place, items: await Promise.all(read) };
  };
  const [open, upcoming, past] = await Promise.all([page("open"), page("upcoming"), page("past")]);
  const shown = [open, upcoming, past].flatMap(({ items }) => items);
  const people = await findPeople(
    shown.flatMap(({ bookings }) => bookings.map(({ userId }) => userId)),
  );
  const named = ({ items, ...place }: typeof open): NumberedPage<Departure> => ({
    ...place,
    items: items.map((booked) => toDeparture(booked, people)),
  });
  return { open: named(open), upcoming: named(upcoming), past: named(past) };
}

const keyOf = (tourId: string, date: Date | null) => `${tourId}_${date?.toISOString() ?? ""}`;

/** A departure without a date stands before all others that are over. */
const timeOf = ({ date }: Key) => date?.getTime() ?? 0;

type Found = Record<DepartureState, Map<string, Key>>;

async function findKeys(tours: TourDocument[], now: Date): Promise<Found> {
  const since = new Date(now.getTime() - RECENT_MS);
  const found: Found = { open: new Map(), upcoming: new Map(), past: new Map() };
  const add = (state: DepartureState, tourId: string, date: Date | null) => {
    const key = `${tourId} ${date?.getTime()}`;
    if (state !== "past" || !found.open.has(key)) found[state].set(key, { tourId, date });
    if (state === "open") found.past.delete(key);
  };
  for (const batch of batches(tours, TOURS_AT_ONCE)) {
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
      for (const { _id } of rows) add(state as DepartureState, _id.tourId.toString(), _id.date);
    // A booking without a date belongs to that of its tour.
    const dates = new Map(recent.map(({ _id, date }) => [_id.toString(), date]));
    for (const { _id } of undated) {
      const id = _id.tourId.toString();
      const date = dates.get(id)!;
      const isOver = date === null || date <= now;
      add(!isOver ? "upcoming" : _id.status === CONFIRMED ? "open" : "past", id, date);
    }
  }
  return found;
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

/** The tours and dates of the bookings that match, the first or the last ones by date. */
const findDates = (match: object, direction: 1 | -1) =>
  Booking.aggregate<{ _id: { tourId: Types.ObjectId; date: Date } }>([
    { $match: match },
    { $group: { _id: { tourId: "$tourId", date: "$date" } } },
    { $sort: { "_id.date": direction } },
    { $limit: MOST_DEPARTURES },
  ]);

/** As a list of people is ordered; of the same name, who booked first. */
const byName = new Intl.Collator("en");

interface Booked extends Pick<Departure, "counts"> {
  tour: TourDocument;
  at: Date | null;
  bookings: BookingDocument[];
}

async function readBookings(
  tour: TourDocument,
  at: Date | null,
  { limit, isOpen }: { limit: number; isOpen: boolean },
): Promise<Booked> {
  const filter = departureOf(tour, at)!;
  const read = (more: object = {}) =>
    Booking.find({ ...filter, ...more })
      .sort({ _id: 1 })
      .limit(limit)
      .lean<BookingDocument[]>();
  const bookings = await read();
  if (bookings.length < limit) {
    const counts = countByStatus(bookings.map(({ status }) => ({ status, count: 1 })));
    return { tour, at, bookings, counts };
  }
  const counts = await countBookings(filter);
  // The guide has to say of these whether they came.
  return { tour, at, bookings: isOpen ? await read({ status: CONFIRMED }) : bookings, counts };
}

function toDeparture(
  { tour, at, bookings, counts }: Booked,
  people: Map<string, Author>,
): Departure {
  return {
    key: keyOf(tour._id.toString(), at),
    tour: {
      id: tour._id.toString(),
      title: tour.title,
      slug: tour.slug,
      timeZone: zoneOf(tour),
    },
    date: at?.toISOString() ?? null,
    counts,
    bookings: bookings
      .map(({ _id, userId, status }) => ({
        id: _id.toString(),
        explorer: people.get(userId.toString()) ?? NOBODY,
        status,
      }))
      .sort((a, b) => byName.compare(a.explorer.name, b.explorer.name)),
  };
}

async function countBookings(filter: object): Promise<Departure["counts"]> {
  const rows = await Booking.aggregate<{ _id: unknown; count: number }>([
    { $match: filter },
    { $group: { _id: "$status", count: { $sum: 1 } } },
  ]);
  // A platform's malformed ones are one, as where bookings are read (models/booking.ts).
  return countByStatus(rows.map(({ _id, count }) => ({ status: asText(_id) ?? "", count })));
}

function countByStatus(rows: Departure["counts"]): Departure["counts"] {
  const counts = new Map<string, number>();
  for (const { status, count } of rows) counts.set(status, (counts.get(status) ?? 0) + count);
  return [...counts.keys()].sort().map((status) => ({ status, count: counts.get(status)! }));
}

export async function findPeople(ids: Types.ObjectId[]): Promise<Map<string, Author>> {
  const distinct = [...new Map(ids.map((id) => [id.toString(), id])).values()];
  const people = new Map<string, Author>();
  for (const batch of batches(distinct, BATCH))
    for (const person of await User.find({ _id: { $in: batch } }, "name image").lean<
      Pick<UserDocument, "_id" | "name" | "image">[]
    >())
      people.set(person._id.toString(), toAuthor(person));
  return people;
}
