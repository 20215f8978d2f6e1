import { Tour, type TourDocument } from "#models/tour";
import { beginningOfDay, dayAfter, endOfDay, isDay, shortDay, today } from "~/lib/days";
import { env } from "~/config/env.server";
import { datesWithin } from "~/db/embedded/departures.server";
import { MOST_LISTED_TOURS } from "~/search/tour-refresh.server";
import type { Days } from "./list-query";

/** Days before and after the requested ones that are searched. */
const DAYS_EACH_WAY = 7;
const MOST_SHOWN = 4;

export interface NearDay {
  day: string;
  /** "Fri 4 Dec" */
  name: string;
  tours: number;
}

/** Returns the days to come next to these on which tours of these ids leave. */
export async function nearestDays(
  { from, to }: Days,
  ids: ReadonlySet<string>,
): Promise<NearDay[]> {
  const now = today(env().timeZone);
  const neighbouringDays = (day: string | null, way: 1 | -1) =>
    day ? Array.from({ length: DAYS_EACH_WAY }, (_, n) => dayAfter(day, way * (n + 1))) : [];
  const sides = [neighbouringDays(from, -1), neighbouringDays(to, 1)].map((days) =>
    days.filter((day) => isDay(day) && day >= now),
  );
  const found = await Promise.all(sides.map((days) => toursByDay(days, ids)));
  const nearest = found
    .flat()
    .filter(({ tours }) => tours > 0)
    .sort((a, b) => a.away - b.away)
    .slice(0, MOST_SHOWN);
  return nearest
    .sort((a, b) => (a.day < b.day ? -1 : 1))
    .map(({ day, tours }) => ({ day, tours, name: shortDay(day, now) }));
}

async function toursByDay(days: string[], ids: ReadonlySet<string>) {
  const sorted = [...days].sort();
  const first = sorted[0];
  const last = sorted.at(-1);
  if (!first || !last) return [];
  const zone = env().timeZone;
  const within = { $gte: beginningOfDay(first, zone), $lte: endOfDay(last, zone) };
  const inPeriod = [{ $gte: ["$$this", within.$gte] }, { $lte: ["$$this", within.$lte] }];
  const found = await Promise.all([
    Tour.find({ date: within }, "date").limit(MOST_LISTED_TOURS).lean(),
    Tour.aggregate<Pick<TourDocument, "_id" | "dates">>([
      ...datesWithin(within),
      { $project: { dates: { $filter: { input: "$dates", cond: { $and: inPeriod } } } } },
      { $limit: MOST_LISTED_TOURS },
    ]),
  ]);
  const departures = found.flat().map((tour) => ({
    id: String(tour._id),
    times: ("date" in tour ? [tour.date] : tour.dates).flatMap((at) => at?.getTime() ?? []),
  }));
  const matching = departures.filter(({ id }) => ids.has(id));
  return days.map((day, n) => {
    const begin = beginningOfDay(day, zone).getTime();
    const end = endOfDay(day, zone).getTime();
    const leaving = matching.filter(({ times }) => times.some((at) => at >= begin && at <= end));
    return { day, away: n, tours: new Set(leaving.map(({ id }) => id)).size };
  });
}
