import type { Types } from "mongoose";
import { Booking, CONFIRMED } from "#models/booking";
import type { TourDocument } from "#models/tour";
import { DAY_MS } from "~/lib/durations";
import { type Authors, findAuthors } from "~/accounts/people.server";
import { batches } from "~/db/batches";
import { numberedPage } from "~/lib/numbered-pages";
import { namedTour } from "~/tours/named-tour.server";
import type { GuideQuery } from "~/guides/guide-address";
import {
  type BookedDeparture,
  type DepartureState,
  type TourDeparture,
  departureKey,
  readBookings,
  SOME_EXPLORERS,
} from "./departure-bookings.server";

const RECENT_MS = 30 * DAY_MS;
/** The departures to come behind the next five are folded. */
const PER_PAGE: Record<DepartureState, number> = { open: 5, upcoming: 10, past: 5 };
const MOST_DEPARTURES = 1_000;
/** Most explorers of the departure that is shown with all of them. */
const MOST_EXPLORERS = 1_000;

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
        direction * (departureMs(a) - departureMs(b)) ||
        (String(a.tour._id) < String(b.tour._id) ? -1 : 1),
    );
    return {
      ...numberedPage(sorted, asked[state], PER_PAGE[state]),
      total: sorted.length,
      first: sorted[0],
    };
  };
  const lists = { open: page("open", 1), upcoming: page("upcoming", 1), past: page("past", -1) };
  const wanted = (["open", "upcoming", "past"] as const).flatMap((state) =>
    lists[state].items.map((one) => ({
      ...one,
      state,
      limit: departureKey(one) === asked.all ? MOST_EXPLORERS : SOME_EXPLORERS,
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
    items: items.map((one) => toDeparture(booked.get(departureKey(one))!, people)),
  });
  const next = lists.upcoming.first;
  return {
    open: toPage(lists.open),
    upcoming: toPage(lists.upcoming),
    past: toPage(lists.past),
    /** The soonest one to come; null without any. */
    next: next?.date ? { tour: namedTour(next.tour), date: next.date.toISOString() } : null,
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

/** A departure without a date stands before all others that are over. */
const departureMs = ({ date }: TourDeparture) => date?.getTime() ?? 0;

/** Tours in one query. */
const TOURS_AT_ONCE = 500;

async function findDepartures(tours: TourDocument[], now: Date) {
  const since = new Date(now.getTime() - RECENT_MS);
  const found: Record<DepartureState, Map<string, TourDeparture>> = {
    open: new Map(),
    upcoming: new Map(),
    past: new Map(),
  };
  const addDeparture = (state: DepartureState, departure: TourDeparture) =>
    found[state].set(departureKey(departure), departure);
  for (const batch of batches(tours, TOURS_AT_ONCE)) {
    const byId = new Map(batch.map((tour) => [tour._id.toString(), tour]));
    const tourId = { $in: batch.map(({ _id }) => _id) };
    const recent = batch.filter(({ date }) => !date || date >= since);
    const [over, upcoming, undated] = await Promise.all([
      // The departures to be completed come first, so that no others hide them.
      findDates({ tourId, date: { $gte: since, $lte: now } }, { isOpen: -1, "_id.date": -1 }),
      findDates({ tourId, date: { $gt: now } }, { "_id.date": 1 }),
      Booking.aggregate<{ _id: { tourId: Types.ObjectId; status: string } }>([
        { $match: { tourId: { $in: recent.map(({ _id }) => _id) }, date: null } },
        { $group: { _id: { tourId: "$tourId", status: "$status" } } },
      ]).option({ batchSize: MOST_DEPARTURES }),
    ]);
    const addDated = (state: DepartureState, { _id: { tourId, date } }: Dated) => {
      const tour = byId.get(tourId.toString());
      if (tour) addDeparture(state, { tour, date });
    };
    for (const row of over) addDated(row.isOpen ? "open" : "past", row);
    for (const row of upcoming) addDated("upcoming", row);
    // A booking without a date belongs to that of its tour.
    for (const { _id } of undated) {
      const tour = byId.get(_id.tourId.toString());
      if (!tour) continue;
      const isOver = !tour.date || tour.date <= now;
      const state = !isOver ? "upcoming" : _id.status === CONFIRMED ? "open" : "past";
      addDeparture(state, { tour, date: tour.date });
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

/** As a list of people is ordered; of the same name, who booked first. */
const byName = new Intl.Collator("en");

function toDeparture(booked: BookedDeparture, people: Authors) {
  const { tour, date, counts, bookings } = booked;
  return {
    key: departureKey(booked),
    tour: { id: tour._id.toString(), ...namedTour(tour) },
    /** Null when neither the bookings nor the tour have a date. */
    date: date?.toISOString() ?? null,
    counts,
    bookings: bookings
      .map(({ _id, userId, status }) => {
        const { name, image } = people.get(userId.toString());
        return { id: _id.toString(), status, name, image };
      })
      .sort((a, b) => byName.compare(a.name, b.name)),
  };
}
