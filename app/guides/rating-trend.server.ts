import type { Types } from "mongoose";
import { asNumber } from "#models/reading";
import { Change, type ChangeDocument, type MonthEnds } from "#models/change";
import { Review } from "#models/review";
import type { TourDocument } from "#models/tour";
import { clockTime, momentOf } from "~/infra/zones";
import { zoneOf } from "~/infra/tour-zone.server";
import { monthOf } from "~/reviews/record-changes.server";

const MONTHS = 12;
/** The days before the recent ones are compared with these. */
const RECENT_MS = 90 * 24 * 60 * 60 * 1_000;
const LATER = "9999-12";

export interface PeriodRating {
  count: number;
  /** Null without ratings. */
  mean: number | null;
}

export type RatingTrend = ReturnType<Awaited<ReturnType<typeof readTrends>>>;

interface Period {
  name: string;
  from: Date;
}

/** Returns each tour's, with months by the tour's own clocks. */
export async function readTrends(tours: TourDocument[], now: Date) {
  const before = (ms: number) => new Date(now.getTime() - ms);
  const recent = [
    { name: "before", from: before(2 * RECENT_MS) },
    { name: "last", from: before(RECENT_MS) },
  ];
  const found = await ratingsIn(recent, tours);
  // Nearly always one.
  for (const zone of new Set(tours.map(zoneOf))) {
    const ofZone = tours.filter((tour) => zoneOf(tour) === zone);
    for (const [key, rating] of await ratingsIn(monthsUpTo(now, zone), ofZone))
      found.set(key, rating);
  }
  const ends = new Map<TourDocument, MonthEnds[]>();
  const firstMonth = (tour: TourDocument) => monthsUpTo(now, zoneOf(tour))[0]!.name;
  await Promise.all(
    tours.map(async (tour) => ends.set(tour, await findMonthEnds(tour, firstMonth(tour)))),
  );
  return (tour: TourDocument) => {
    const ratingIn = (name: string): PeriodRating =>
      found.get(keyOf(tour._id, name)) ?? { count: 0, mean: null };
    const ratingAtEnd = (month: string) =>
      // The mean of no ratings is stored as 0.
      ends.get(tour)!.find(({ from, to }) => from <= month && month <= to)?.mean || null;
    return {
      /** Twelve, such as "2026-05", oldest first. */
      months: monthsUpTo(now, zoneOf(tour)).map(({ name }) => ({
        month: name,
        ...ratingIn(name),
        /** The tour's rating at its end, or now; null where no line of its changes tells. */
        atEnd: ratingAtEnd(name),
      })),
      /** The last 90 days, and the 90 days before. */
      recent: { last: ratingIn("last"), before: ratingIn("before") },
    };
  };
}

const keyOf = (tourId: Types.ObjectId, name: string) => `${tourId.toString()} ${name}`;

/** The figures that a tour had at the ends of months, which no later change rewrites, and those that it has now. */
async function findMonthEnds(
  { _id: tourId, lastChange, reviewCount: count, avgRating: mean }: TourDocument,
  firstMonth: string,
): Promise<MonthEnds[]> {
  if (!lastChange) return [];
  const filter = { tourId, "atMonthEnds.to": { $gte: firstMonth } };
  const lines = await Change.find(filter, "atMonthEnds").lean<ChangeDocument[]>();
  const now = { from: monthOf(lastChange.time), to: LATER, count, mean };
  return [...lines.map(({ atMonthEnds }) => atMonthEnds!), now];
}

/** Twelve, by the clocks of a zone, oldest first. */
function monthsUpTo(now: Date, zone: string): Period[] {
  const { year, month } = clockTime(now, zone);
  return Array.from({ length: MONTHS }, (_, index) => {
    const first = new Date(Date.UTC(year, month - MONTHS + index));
    const shown = { year: first.getUTCFullYear(), month: first.getUTCMonth() + 1, day: 1 };
    return {
      name: first.toISOString().slice(0, 7),
      from: momentOf({ ...shown, hour: 0, minute: 0 }, zone),
    };
  });
}

/** The rating of each tour in each of the periods, which are given oldest first. */
async function ratingsIn(
  periods: Period[],
  tours: TourDocument[],
): Promise<Map<string, PeriodRating>> {
  const tourId = { $in: tours.map(({ _id }) => _id) };
  // By their limits: the database may not know every zone.
  const branches = periods.toReversed().map(({ name, from }) => ({
    case: { $gte: ["$createdAt", from] },
    then: name,
  }));
  // As for the tour's own mean.
  const isRating = { $and: [{ $gte: ["$rating", 1] }, { $lte: ["$rating", 5] }] };
  const rows = await Review.aggregate<{
    _id: { tourId: Types.ObjectId; name: string };
    mean: unknown;
    count: number;
  }>([
    { $match: { tourId, createdAt: { $gte: periods[0]!.from } } },
    {
      $group: {
        _id: { tourId: "$tourId", name: { $switch: { branches } } },
        mean: { $avg: { $cond: [isRating, "$rating", null] } },
        count: { $sum: 1 },
      },
    },
  ]);
  return new Map(
    rows.map(({ _id: { tourId, name }, mean, count }) => [
      keyOf(tourId, name),
      // The mean of decimals is one, too.
      { count, mean: asNumber(mean) ?? null },
    ]),
  );
}
