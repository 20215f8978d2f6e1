import { Tour } from "#models/tour";
import { beginningOf, dayAfter, daysInWords, today, weekendFrom } from "~/infra/days";
import { env } from "~/infra/env.server";
import { MOST_TOURS } from "~/search/tour-index.server";
import type { Period } from "~/tours/departures.server";
import type { Days } from "./list-query";

/** The days of which a search asks for departures, by the site's zone (docs/rules/tours.md, Tours). */
export interface AskedDays extends Days {
  inWords: string;
}

export function askedDays({ from, to }: Days): AskedDays | null {
  if (!from && !to) return null;
  return { from, to, inWords: daysInWords(from, to, today(env().timeZone)) };
}

/** Days that are often asked for. */
export function usualDays(): ({ name: string } & Days)[] {
  const now = today(env().timeZone);
  return [
    { name: "Today", from: now, to: now },
    { name: "This weekend", ...weekendFrom(now) },
    { name: "Next 7 days", from: now, to: dayAfter(now, 6) },
  ];
}

export const periodOf = ({ from, to }: Days): Period => ({
  from: from ? beginningOf(from, env().timeZone) : null,
  until: to ? beginningOf(dayAfter(to, 1), env().timeZone) : null,
});

/** The ids of the tours with a departure in the period. */
export async function toursLeaving({ from, until }: Period): Promise<Set<string>> {
  const within = { ...(from && { $gte: from }), ...(until && { $lt: until }) };
  const found = await Promise.all(
    [{ date: within }, { dates: { $elemMatch: within } }].map((filter) =>
      Tour.find(filter, "_id").limit(MOST_TOURS).lean(),
    ),
  );
  return new Set(found.flat().map(({ _id }) => String(_id)));
}
