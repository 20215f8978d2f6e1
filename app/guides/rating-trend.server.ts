import type { Types } from "mongoose";
import { asNumber } from "#models/reading";
import { Review } from "#models/review";
import type { TourDocument } from "#models/tour";
import { clockTime, momentOf } from "~/infra/zones";
import { zoneOf } from "~/infra/tour-zone.server";

const MONTHS = 12;
/** The days before the recent ones are compared with these. */
const RECENT_MS = 90 * 24 * 60 * 60 * 1_000;

export interface PeriodRating {
  count: number;
  /** Null without ratings. */
  mean: number | null;
}

/** In its own zone. */
export interface MonthRating extends PeriodRating {
  /** Such as "2026-05". */
  month: string;
}

export interface RatingTrend {
  /** Twelve months, oldest first. */
  months: MonthRating[];
  /** The last 90 days, and the 90 days before. */
  recent: { last: PeriodRating; before: PeriodRating };
}

interface Period {
  name: string;
  from: Date;
}

const NONE: PeriodRating = { count: 0, mean: null };

/** Months by the tour's own clocks. */
export async function readTrends(
  tours: TourDocument[],
  now: Date,
): Promise<(tour: TourDocument) => RatingTrend> {
  const months = new Map<string, PeriodRating>();
  // Nearly always one.
  for (const zone of new Set(tours.map(zoneOf))) {
    const ofZone = tours.filter((tour) => zoneOf(tour) === zone);
    for (const [key, rating] of await ratingsIn(monthsUpTo(now, zone), ofZone))
      months.set(key, rating);
  }
  const recent = await ratingsIn(
    [
      { name: "before", from: new Date(now.getTime() - 2 * RECENT_MS) },
      { name: "last", from: new Date(now.getTime() - RECENT_MS) },
    ],
    tours,
  );
  return (tour) => ({
    months: monthsUpTo(now, zoneOf(tour)).map(({ name }) => ({
      month: name,
      ...(months.get(keyOf(tour._id, name)) ?? NONE),
    })),
    recent: {
      last: recent.get(keyOf(tour._id, "last")) ?? NONE,
      before: recent.get(keyOf(tour._id, "before")) ?? NONE,
    },
  });
}

const keyOf = (tourId: Types.ObjectId, name: string) => `${tourId.toString()} ${name}`;

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

/** For each tour and period, oldest first. */
async function ratingsIn(
  periods: Period[],
  tours: TourDocument[],
): Promise<Map<string, PeriodRating>> {
  const tourId = { $in: tours.map(({ _id }) => _id) };
  const rows = await Review.aggregate<{
    _id: { tourId: Types.ObjectId; name: string };
    mean: unknown;
    count: number;
  }>([
    { $match: { tourId, createdAt: { $gte: periods[0]!.from } } },
    {
      $group: {
        _id: {
          tourId: "$tourId",
          // By their limits: the database may not know every zone.
          name: {
            $switch: {
              branches: periods.toReversed().map(({ name, from }) => ({
                case: { $gte: ["$createdAt", from] },
                then: name,
              })),
            },
          },
        },
        // As the tour's own mean: of what is a rating.
        mean: {
          $avg: {
            $cond: [
              { $and: [{ $gte: ["$rating", 1] }, { $lte: ["$rating", 5] }] },
              "$rating",
              null,
            ],
          },
        },
        count: { $sum: 1 },
      },
    },
  ]);
  return new Map(
    rows.map(({ _id, mean, count }) => [
      keyOf(_id.tourId, _id.name),
      // Of decimals the mean is one, too.
      { count, mean: asNumber(mean) ?? null },
    ]),
  );
}
