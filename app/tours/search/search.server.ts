import type { Cacheable } from "~/lib/request-scope.server";
import { Tour, type TourDocument } from "#models/tour";
import { findAuthors } from "~/accounts/people.server";
import { findQuotes, type Quote } from "~/reviews/list/newest-comments.server";
import { asTyped } from "~/search/search-words.server";
import type { TourIndex } from "~/search/tour-index.server";
import { tourRefresh } from "~/search/tour-refresh.server";
import type { Limits } from "~/search/limits";
import { withDifferentCovers } from "~/tours/cover-theme.server";
import { nearestDeparture, type Period } from "~/tours/departures.server";
import { type TourInShort, TOURS_PER_PAGE, toTourInShort } from "~/tours/tours.server";
import { type AskedDays, askedDays, toPeriod, toursLeaving } from "./asked-days.server";
import {
  type AskedLimit,
  askedLimits,
  shownChoices,
  type ShownChoices,
} from "./asked-limits.server";
import type { Days, ListQuery } from "./list-query";

/** How often a page is read again because tours on it are gone. */
const MOST_READS = 5;

export interface TourCard extends TourInShort {
  /** When it leaves next, in ISO 8601; null when no date to come is known. */
  nextDate: string | null;
  /** When it leaves on the days that were asked for, instead of the next date. */
  askedDate: string | null;
  /** The beginning of a recent comment. */
  quote: Quote | null;
}

export interface TourSearch extends Cacheable {
  tours: TourCard[];
  total: number;
  page: number;
  pages: number;
  /** Whether this process does not know the tours yet, as after its start: none are shown then. */
  preparing: boolean;
  days: AskedDays | null;
  limits: AskedLimit[];
  /** The choices for each limit, where they were asked for. */
  choices: ShownChoices | null;
  /** The words of the search beside those of dates and limits, as they were typed. */
  rest: string;
  /** The same without words at either end that say nothing about a tour. */
  told: string;
  /** How many tours have all words of the search in their texts, those of a date too. */
  asWords: number;
  /** The words of the search that no tour has, as they were typed: these tours have one that is spelt much like it. */
  mistyped: string[];
  /** Those words, as they are compared: in lower case and without accents. */
  corrected: string[];
  /** For a search whose words no tour has all of, if there are tours that have most of them. */
  partial: PartialMatch | null;
}

interface PartialMatch {
  /** These words, as they were typed. */
  leftOut: string[];
  /** Searches that leave other words out. */
  instead: { leftOut: string[]; words: string }[];
  /** A search for words that are spelt much like these, which leaves none out. */
  meant: string | null;
}

const PREPARING: TourSearch = {
  dependsOn: null,
  tours: [],
  total: 0,
  page: 1,
  pages: 1,
  preparing: true,
  days: null,
  limits: [],
  choices: null,
  rest: "",
  told: "",
  asWords: 0,
  mistyped: [],
  corrected: [],
  partial: null,
};

/**
 * Finds the tours that have every word in title, place, guide's name or description, or else most of them
 * (docs/rules/tours.md, Tours). A page past the end is the last one. This process's index knows which are shown, and in
 * which order.
 */
export async function searchTours(
  query: Omit<ListQuery, keyof Days | keyof Limits> & Partial<Days & Limits>,
  { size = TOURS_PER_PAGE, hasChoices = false } = {},
): Promise<TourSearch> {
  const days = askedDays({ from: null, to: null, ...query });
  const period = days ? toPeriod(days) : undefined;
  const among = period ? await toursLeaving(period) : null;
  const typed = (some: string[]) => some.map((word) => asTyped(query.words, word));
  for (let read = 1; ; read++) {
    const index = await currentIndex();
    if (!index) {
      const rest = days?.rest ?? query.words;
      return { ...PREPARING, days, rest, told: rest };
    }
    const { limits, asked, rest, isTyped } = askedLimits(
      query,
      days?.blanked ?? query.words,
      index,
    );
    const isRead = isTyped || (days?.isTyped ?? false);
    const left = index.readWords(rest);
    // Beside a date or a limit, words such as "on" leave no tour out.
    const words = left && left.length === 0 && isRead ? null : left;
    const { sort, page } = query;
    const found = index.find({ words, among, limits, sort, page, size });
    const { items: ids, leftOut, instead, ...further } = found;
    const tours = await readFound(index, ids, read);
    if (!tours) continue;
    const partial = words &&
      leftOut.length > 0 && {
        leftOut: typed(leftOut),
        instead: instead.map((other) => ({
          leftOut: typed(other.leftOut),
          words: typed(other.kept).join(" "),
        })),
        meant: index.meant(words),
      };
    return {
      ...further,
      // The departures of all tours follow no version.
      dependsOn: days ? null : tours,
      tours: await toCards(tours, period),
      preparing: false,
      days,
      limits: asked,
      choices: hasChoices ? shownChoices(index, { words, among, limits }) : null,
      rest,
      told: words ? index.told(rest) : "",
      asWords: isRead ? countWithAllWords(index, index.readWords(query.words)) : 0,
      mistyped: typed(further.mistyped),
      partial: partial || null,
    };
  }
}

function countWithAllWords(index: TourIndex, words: string[] | null): number {
  const found = index.find({ words, sort: "best", page: 1, size: 1 });
  return found.leftOut.length + found.mistyped.length > 0 ? 0 : found.total;
}

async function toCards(tours: TourDocument[], period?: Period): Promise<TourCard[]> {
  const [guides, quotes] = await Promise.all([
    findAuthors(tours.map(({ createdById }) => createdById.toString())),
    findQuotes(tours),
  ]);
  const now = new Date().toISOString();
  const cards = tours.map((tour) => toTourInShort(tour, guides.get(tour.createdById.toString())));
  return withDifferentCovers(cards).map((card, index) => {
    const departure = nearestDeparture(tours[index]!, period)?.toISOString() ?? null;
    return {
      ...card,
      nextDate: !period && departure !== null && departure > now ? departure : null,
      askedDate: period ? departure : null,
      quote: quotes.get(card.id) ?? null,
    };
  });
}

/** An index that has no tours is made anew when there are some. */
export async function currentIndex(): Promise<TourIndex | null> {
  const index = await tourRefresh.index();
  if (index?.size !== 0 || !(await Tour.exists({}))) return index;
  await tourRefresh.renew();
  return tourRefresh.index();
}

/**
 * Reads tours that the index has found, in that order. Takes those that are gone or closed out of it, and returns null
 * where it has to be asked again for others in their place; from the fifth `read` on some may be missing instead.
 */
export async function readFound(
  index: TourIndex,
  ids: string[],
  read: number,
): Promise<TourDocument[] | null> {
  const tours = await readInOrder(ids);
  if (tours.length === ids.length) return tours;
  const there = new Set(tours.map(({ _id }) => _id.toString()));
  index.remove(ids.filter((id) => !there.has(id)));
  // Too many are gone: this process must build its index anew.
  if (index.size === 0 || (read >= MOST_READS && tours.length === 0)) tourRefresh.forget();
  else if (read >= MOST_READS) return tours;
  return null;
}

async function readInOrder(ids: string[]): Promise<TourDocument[]> {
  if (ids.length === 0) return [];
  const tours = await Tour.find({ _id: { $in: ids } }).lean<TourDocument[]>();
  const byId = new Map(tours.map((tour) => [tour._id.toString(), tour]));
  return ids.flatMap((id) => byId.get(id) ?? []).filter(({ closedHereAt }) => !closedHereAt);
}
