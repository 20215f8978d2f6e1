import { asNumber } from "#models/reading";
import { Change, type ChangeDocument, type MonthEnds } from "#models/change";
import { Review } from "#models/review";
import type { TourDocument } from "#models/tour";
import { DAY_MS, HOUR_MS } from "~/lib/durations";
import { sha256 } from "~/lib/digest.server";
import { groupedBy } from "~/lib/grouped";
import { clockTime, momentAtClockTime } from "~/config/zones";
import { tourTimeZone } from "~/lib/tour-zone.server";
import { cachedFor, stateOfReviews } from "~/reviews/list/cached-by-version.server";
import { toMonth } from "~/reviews/record-changes.server";

const MONTHS = 12;
/** The days before the recent ones are compared with these. */
const RECENT_MS = 90 * DAY_MS;
const LATER = "9999-12";

/** Maximum age: writes of the platform raise no version. */
const KEPT_MS = 30_000;

export interface PeriodRating {
  count: number;
  /** Null without ratings. */
  mean: number | null;
}

export type RatingTrend = ReturnType<Awaited<ReturnType<typeof readTrends>>["of"]>;

interface ChartedMonth {
  name: string;
  from: Date;
}

/**
 * Returns those of the tours on a page, with months by each tour's own clocks, and that of all tours of their guide
 * together.
 */
export async function readTrends(led: TourDocument[], tours: TourDocument[], now: Date) {
  // Limits are whole hours, within which the figures of a tour's version stay.
  const ago = (ms: number) => new Date(Math.floor((now.getTime() - ms) / HOUR_MS) * HOUR_MS);
  // Reviews with a time in the future count to the last period.
  const recent = {
    last: [ago(RECENT_MS), null],
    before: [ago(2 * RECENT_MS), ago(RECENT_MS)],
  } as const;
  const months = new Map(
    [...new Set(tours.map(tourTimeZone))].map((zone) => [zone, listChartedMonths(now, zone)]),
  );
  const limits = [...months.values()].flat().map(({ from }) => from);
  const [ratings, getMonthEnds] = await Promise.all([
    ratingsBetween([...limits, recent.last[0], recent.before[0]], led, tours),
    findMonthEnds(
      tours,
      [...months.values()].flatMap(([first]) => first?.name ?? []),
    ),
  ]);
  const recentMeans = (ids: string[]) => ({
    last: ratings(ids, ...recent.last),
    before: ratings(ids, ...recent.before),
  });
  const of = (tour: TourDocument) => {
    const id = tour._id.toString();
    const own = months.get(tourTimeZone(tour)) ?? [];
    const ends = getMonthEnds(tour);
    return {
      /** Twelve, such as "2026-05", oldest first. */
      months: own.map(({ name, from }, index) => ({
        month: name,
        ...ratings([id], from, own[index + 1]?.from ?? null),
        /** The tour's rating at its end, or now; null where no entry of its log tells. */
        // The mean of no ratings is stored as 0.
        atEnd: ends.find(({ from, to }) => from <= name && name <= to)?.mean || null,
      })),
      /** The last 90 days, and the 90 days before. */
      recent: recentMeans([id]),
    };
  };
  return { of, ofAll: recentMeans([...tours.map(({ _id }) => _id.toString()), OTHERS]) };
}

/** The figures that tours had at the ends of months, which no later change rewrites, and those that they have now. */
async function findMonthEnds(tours: TourDocument[], firstMonths: string[]) {
  const changed = tours.filter(({ lastChange }) => lastChange);
  const filter = {
    tourId: { $in: changed.map(({ _id }) => _id) },
    "atMonthEnds.to": { $gte: firstMonths.sort()[0] },
  };
  const entries =
    changed.length > 0
      ? await Change.find(filter, "tourId atMonthEnds").lean<ChangeDocument[]>()
      : [];
  const byTour = groupedBy(entries, ({ tourId }) => tourId.toString());
  return ({ _id, lastChange, reviewCount: count, avgRating: mean }: TourDocument): MonthEnds[] => {
    if (!lastChange) return [];
    const now = { from: toMonth(lastChange.time), to: LATER, count, mean };
    const ended = byTour.get(_id.toString()) ?? [];
    return [...ended.flatMap(({ atMonthEnds }) => atMonthEnds ?? []), now];
  };
}

/** Twelve, by the clocks of a zone, oldest first. */
function listChartedMonths(now: Date, zone: string): ChartedMonth[] {
  const { year, month } = clockTime(now, zone);
  return Array.from({ length: MONTHS }, (_, index) => {
    const first = new Date(Date.UTC(year, month - MONTHS + index));
    const shown = { year: first.getUTCFullYear(), month: first.getUTCMonth() + 1, day: 1 };
    return {
      name: first.toISOString().slice(0, 7),
      from: momentAtClockTime({ ...shown, hour: 0, minute: 0 }, zone),
    };
  });
}

/** Stands for the tours that are not on the page. */
const OTHERS = "others";

/**
 * Reads the ratings of all tours between each two of the limits, those that are not on the page together: once for each
 * state of the tours, but for those that nobody has changed here, of which no version tells. Returns a function for the
 * rating of some between two limits, or since one.
 */
async function ratingsBetween(limits: Date[], led: TourDocument[], tours: TourDocument[]) {
  const changed = led.filter(({ ratingsVersion }) => ratingsVersion > 0);
  const shown = tours.map(({ _id }) => _id.toString());
  const key = `trends ${stateOfReviews(changed)} ${sha256([...limits.map(Number), ...shown].join())}`;
  const unchanged = led.filter((tour) => !changed.includes(tour));
  const rows = (
    await Promise.all([
      changed.length > 0 ? cachedFor(key, KEPT_MS, () => readRatings(limits, changed, tours)) : [],
      unchanged.length > 0 ? readRatings(limits, unchanged, tours) : [],
    ])
  ).flat();
  return (ids: string[], from: Date, to: Date | null): PeriodRating => {
    let sum = 0;
    let rated = 0;
    let count = 0;
    for (const { _id, ...row } of rows) {
      if (!ids.includes(String(_id.tourId)) || _id.from < Number(from)) continue;
      if (to && _id.from >= Number(to)) continue;
      // The sum of decimals is one, too.
      sum += asNumber(row.sum) ?? 0;
      rated += row.rated;
      count += row.count;
    }
    return { count, mean: rated > 0 ? sum / rated : null };
  };
}

/** Reads the ratings of all periods by one command. */
function readRatings(limits: Date[], led: TourDocument[], tours: TourDocument[]) {
  const starts = [...new Set(limits.map(Number))].sort((a, b) => a - b).map((ms) => new Date(ms));
  // Periods are told apart by their limits: the database may not know every zone.
  const branches = starts.toReversed().map((from) => ({
    case: { $gte: ["$createdAt", from] },
    then: from.getTime(),
  }));
  // As for the tour's own mean.
  const isRating = { $and: [{ $gte: ["$rating", 1] }, { $lte: ["$rating", 5] }] };
  const shown = tours.map(({ _id }) => _id);
  return Review.aggregate<{
    _id: { tourId: unknown; from: number };
    sum: unknown;
    rated: number;
    count: number;
  }>([
    { $match: { tourId: { $in: led.map(({ _id }) => _id) }, createdAt: { $gte: starts[0] } } },
    {
      $group: {
        _id: {
          tourId:
            shown.length < led.length
              ? { $cond: [{ $in: ["$tourId", shown] }, "$tourId", OTHERS] }
              : "$tourId",
          from: { $switch: { branches } },
        },
        sum: { $sum: { $cond: [isRating, "$rating", 0] } },
        rated: { $sum: { $cond: [isRating, 1, 0] } },
        count: { $sum: 1 },
      },
    },
  ]);
}
