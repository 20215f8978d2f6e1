import { isDay } from "~/lib/days";
import { firstCharacters } from "~/lib/text";
import { type Limit, LIMITS, type Limits } from "~/search/limits";
import type { TourSort } from "~/search/tour-order.server";

export type { TourSort };

/** How tours can be ordered, the default first: how well they match is an order only for a search. */
export const tourSorts = (isSearch: boolean): readonly [TourSort, ...TourSort[]] =>
  isSearch ? ["match", "best", "reviewed", "newest"] : ["best", "reviewed", "newest"];

/** The first and the last day of departures, such as "2026-12-05"; null where the address names none. */
export interface Days {
  from: string | null;
  to: string | null;
}

/** The query of a list of tours, as in its address. */
export interface ListQuery extends Days, Limits {
  /** As they were typed; empty for all tours. */
  words: string;
  sort: TourSort;
  page: number;
}

const readDay = (day: string | null) => (day !== null && isDay(day) ? day : null);

/** Missing and wrong values get the default. */
export function readListQuery(search: URLSearchParams): Omit<ListQuery, Limit> {
  const words = search.get("q")?.trim() ?? "";
  const sorts = tourSorts(words !== "");
  const sort = sorts.find((name) => name === search.get("sort")) ?? sorts[0];
  const page = /^[1-9]\d{0,5}$/.exec(search.get("page") ?? "");
  const from = readDay(search.get("from"));
  const to = readDay(search.get("to"));
  const isTurned = from !== null && to !== null && to < from;
  return { words, sort, page: page ? Number(page[0]) : 1, from, to: isTurned ? null : to };
}

export const LONGEST_SHOWN = 40;

/** Invalid parameters of an address, which count as absent. */
export interface Ignored {
  /** As it stands there. */
  text: string;
  /** The reason, such as "no day"; null for a last day before the first. */
  why: string | null;
}

/** The days of an address that count as none. */
export function ignoredDays(search: URLSearchParams): Ignored[] {
  const days = readListQuery(search);
  return (["from", "to"] as const).flatMap((name) => {
    const text = firstCharacters(search.get(name)?.trim() ?? "", LONGEST_SHOWN);
    const why = isDay(text) ? null : "no day";
    return text && days[name] === null ? { text, why } : [];
  });
}

/** The address of a list, without what is the default. */
export function listAddress({
  words,
  sort,
  page = 1,
  from,
  to,
  ...others
}: Partial<ListQuery>): string {
  const limits = LIMITS.flatMap((limit): [Limit, string][] => {
    const value = others[limit];
    return value === null || value === undefined ? [] : [[limit, String(value)]];
  });
  const query = new URLSearchParams({
    ...(words && { q: words }),
    ...(from && { from }),
    ...(to && { to }),
    ...Object.fromEntries(limits),
    ...(sort && tourSorts(Boolean(words)).indexOf(sort) > 0 && { sort }),
    ...(page > 1 && { page: String(page) }),
  }).toString();
  return query ? `/?${query}` : "/";
}
