import type { Cacheable } from "~/lib/request-scope.server";
import { longDay, today } from "~/lib/days";
import { env } from "~/config/env.server";
import type { Limits } from "~/search/limits";
import { tourRefresh } from "~/search/tour-refresh.server";
import type { AskedDays } from "./asked-days.server";
import { type AskedLimit, askedLimits } from "./asked-limits.server";
import type { Days, ListQuery } from "./list-query";
import { nearestDays } from "./nearest-days.server";
import { currentIndex, searchTours, type TourCard } from "./search.server";

// Where a search finds nothing: others that find something.

const SUGGESTIONS = 3;
const PLACES = 6;
const BEST = 3;

export interface NothingFound {
  /** Whether it had no word that says anything about a tour, such as "the" alone. */
  common: boolean;
  /** Other searches that find something. */
  nearest: string[];
  /** Words of the search, each of which finds something. */
  single: string[];
  /** Places with many tours. */
  places: string[];
  /** The best rated tours. */
  best: TourCard[];
}

/** (docs/rules/tours.md, Tours) */
export async function nothingFound(words: string): Promise<NothingFound & Cacheable> {
  const [index, { tours, dependsOn }] = await Promise.all([
    tourRefresh.index(),
    searchTours({ words: "", sort: "best", page: 1 }, { size: BEST }),
  ]);
  return {
    common: index?.hasOnlyStopWords(words) ?? false,
    nearest: index?.nearest(index.readWords(words) ?? [], SUGGESTIONS) ?? [],
    single: index?.single(index.readWords(words) ?? [], SUGGESTIONS) ?? [],
    places: index?.places(PLACES) ?? [],
    best: tours,
    dependsOn,
  };
}

type SearchQuery = Pick<ListQuery, "words"> & Partial<Days & Limits>;

const totalFor = async (query: SearchQuery) =>
  (await searchTours({ sort: "best", page: 1, ...query }, { size: 1 })).total;

/**
 * The days next to these on which tours that the search finds leave, and how many it finds from the first of these days
 * on, and on any day.
 */
export async function onOtherDays(
  query: SearchQuery,
  { rest: words, from, to }: Pick<AskedDays, "rest" | keyof Days>,
) {
  const any = { ...query, words, from: null, to: null };
  // Days without an end were looked through already.
  const [later, always, ids] = await Promise.all([
    from && to ? totalFor({ ...any, from }) : 0,
    totalFor(any),
    foundIds(any),
  ]);
  const nearest = always > 0 ? await nearestDays({ from, to }, ids) : [];
  const now = today(env().timeZone);
  return { nearest, later, always, day: from && from === to ? longDay(from, now) : null };
}

export type OtherDays = Awaited<ReturnType<typeof onOtherDays>>;

async function foundIds(query: SearchQuery): Promise<Set<string>> {
  const index = await currentIndex();
  if (!index) return new Set();
  const { limits, rest, isTyped } = askedLimits(query, query.words, index);
  const left = index.readWords(rest);
  const words = left && left.length === 0 && isTyped ? null : left;
  const { items } = index.find({ words, limits, sort: "best", page: 1, size: index.size || 1 });
  return new Set(items);
}

export type WiderSearch = Awaited<ReturnType<typeof withoutLimits>>[number];

/** The searches without one of the limits, as far as they find tours, or else those with one of them and on any day. */
export async function withoutLimits(
  query: SearchQuery,
  limits: readonly AskedLimit[],
  rest: string,
) {
  const some = limits.map(({ inWords, without }) => ({
    inWords: `Without “${inWords}”`,
    search: { ...query, ...without },
  }));
  const others = limits.map(({ inWords, limit, value }) => ({
    inWords: `Only ${inWords}`,
    search: { words: rest, [limit]: value },
  }));
  const wider = await findingTours(some);
  return wider.length > 0 ? wider : findingTours(limits.length > 1 ? others : []);
}

async function findingTours(searches: { inWords: string; search: SearchQuery }[]) {
  const found = await Promise.all(
    searches.map(async (one) => ({ ...one, tours: await totalFor(one.search) })),
  );
  return found.filter(({ tours }) => tours > 0);
}
