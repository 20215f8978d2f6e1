import { Tour, type TourDocument } from "#models/tour";
import { beginningOfDay, dayAfter, daysInWords, endOfDay, today, weekendFrom } from "~/lib/days";
import { env } from "~/config/env.server";
import { datesWithin } from "~/db/embedded/departures.server";
import { DateReader } from "~/search/dates.server";
import { MOST_LISTED_TOURS } from "~/search/tour-refresh.server";
import type { Period } from "~/tours/departures.server";
import type { Days, ListQuery } from "./list-query";

/** The days of which a search asks for departures, by the site's zone (docs/rules/tours.md, Tours). */
export interface AskedDays extends Days {
  inWords: string;
  /** The words of the search beside those of a date. */
  rest: string;
  /** The search with blanks instead of those of a date. */
  blanked: string;
  /** Whether words of the search name these days. */
  isTyped: boolean;
}

const dateReader = new DateReader(env().tourLanguage);

/** Returns the days of the address, or else those that words name. */
export function askedDays({ words, from, to }: Pick<ListQuery, "words"> & Days): AskedDays | null {
  const now = today(env().timeZone);
  const days = from || to ? { from, to, rest: words, blanked: words } : dateReader.read(words, now);
  if (!days) return null;
  return { ...days, inWords: daysInWords(days.from, days.to, now), isTyped: !from && !to };
}

/** Days that are often asked for. */
export function usualDays(): ({ name: string } & Days)[] {
  const now = today(env().timeZone);
  const weekend = weekendFrom(now);
  return [
    { name: "Today", from: now, to: now },
    // On a Sunday that is today.
    ...(weekend.from === now && weekend.to === now ? [] : [{ name: "This weekend", ...weekend }]),
    { name: "Next 7 days", from: now, to: dayAfter(now, 6) },
  ];
}

export const toPeriod = ({ from, to }: Days): Period => ({
  from: from ? beginningOfDay(from, env().timeZone) : null,
  until: to ? endOfDay(to, env().timeZone) : null,
});

/** The ids of the tours with a departure in the period. */
export async function toursLeaving({ from, until }: Period): Promise<Set<string>> {
  const within = { ...(from && { $gte: from }), ...(until && { $lte: until }) };
  const found = await Promise.all([
    Tour.find({ date: within }, "_id").limit(MOST_LISTED_TOURS).lean(),
    Tour.aggregate<Pick<TourDocument, "_id">>([
      ...datesWithin(within),
      { $project: { _id: 1 } },
      { $limit: MOST_LISTED_TOURS },
    ]),
  ]);
  return new Set(found.flat().map(({ _id }) => String(_id)));
}
