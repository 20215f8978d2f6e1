import type { TourDocument } from "#models/tour";
import { type NumberedPage, numberedPage } from "~/lib/numbered-pages";
import { env } from "~/config/env.server";
import {
  type ChangedRatings,
  tourCursor,
  type OrderedTour,
  type PlaceInOrder,
  TourOrder,
  type TourSort,
} from "./tour-order.server";
import { type Choices, FactIndex } from "./fact-index.server";
import { type Language, languageRules } from "./language.server";
import { LIMITS, type Limits, NO_LIMITS } from "./limits";
import { hasOnlyStopWords, searchedWords } from "./search-words.server";
import { mostWords } from "./most-words.server";
import { Places } from "./places.server";
import { WordIndex } from "./word-index.server";

export interface IndexQuery {
  /** As `indexedWords` returns them; all tours for null. */
  words: string[] | null;
  /** The ids of the tours that are asked for; null for all. */
  among?: ReadonlySet<string> | null;
  limits?: Limits;
  sort: TourSort;
  /** From 1. A page past the end is the last one. */
  page: number;
  size: number;
}

interface UnmatchedWords {
  /** The words of the search that no tour has: these tours have one that is spelt much like it. */
  mistyped: string[];
  /** The words that these tours have instead of the mistyped ones. */
  corrected: string[];
  /** The words of the search that these tours do not have, because none has all of them. */
  leftOut: string[];
  /** Alternative partial matches: for each set of words that other tours have, the words left out and those kept. */
  instead: { leftOut: string[]; kept: string[] }[];
}

export interface FoundTours extends NumberedPage<string>, UnmatchedWords {
  total: number;
}

const NOTHING_MISSING: UnmatchedWords = { mistyped: [], corrected: [], leftOut: [], instead: [] };

const MOST_INSTEAD = 2;

let versions = 0;

const isUnlimited = (limits: Limits) => LIMITS.every((limit) => limits[limit] === null);

/** The tours in memory, as far as the list needs them to find and order them. */
export class TourIndex {
  readonly #order = new TourOrder();
  /** Another number after each change; no other index of this process has the same. */
  version = ++versions;
  readonly #language: Language;
  readonly #words: WordIndex;
  readonly #facts = new FactIndex();
  readonly #places = new Places();
  #choicesOfAll: Choices | undefined;

  constructor(language = languageRules(env().tourLanguage, env().relatedWords)) {
    this.#language = language;
    this.#words = new WordIndex(language);
  }

  get size(): number {
    return this.#order.size;
  }

  add(tour: TourDocument, guide: string): void {
    const { title, location, description } = tour;
    this.version = ++versions;
    this.#choicesOfAll = undefined;
    const isNew = this.#order.add(tour._id.toString(), tour.avgRating, tour.reviewCount);
    if (!isNew) return;
    this.#words.add({ title, location: location ?? "", guide, description });
    this.#facts.add(tour);
    this.#places.add(location?.trim() ?? "");
  }

  rate(id: string, ratings: ChangedRatings): void {
    this.version = ++versions;
    this.#order.rate(id, ratings);
  }

  remove(ids: string[]): void {
    this.version = ++versions;
    this.#choicesOfAll = undefined;
    this.#order.remove(ids);
  }

  /** Sorts now, so that no request has to. */
  sort(): void {
    for (const name of ["best", "reviewed", "newest"] as const) this.#order.sorted(name);
  }

  readWords(text: string): string[] | null {
    return searchedWords(text, this.#language.isStopWord);
  }

  /** Takes away words at either end that say nothing about a tour, unless there are no others. */
  told(text: string): string {
    const typed = text.trim().split(/\s+/);
    const says = (word: string) =>
      this.readWords(word)?.some((one) => !this.#language.isGeneric(one)) ?? false;
    const first = typed.findIndex(says);
    return first < 0 ? text : typed.slice(first, typed.findLastIndex(says) + 1).join(" ");
  }

  hasOnlyStopWords(text: string): boolean {
    return hasOnlyStopWords(text, this.#language.isStopWord);
  }

  /** Whether that word stands in the texts of tours. */
  readonly hasWord = (word: string): boolean => this.#words.has(word);

  /** Whether a tour is led in that language. */
  readonly isSpoken = (code: string): boolean => this.#facts.isSpoken(code);

  /** The currency of all prices; null where there are several, or none. */
  get currency(): string | null {
    return this.#facts.currency;
  }

  /** The highest price that counts as low; null without prices. */
  get cheap(): number | null {
    return this.#facts.cheap;
  }

  /** The ids of tours that have all these words, or else most of them, within the limits. */
  find({ limits = NO_LIMITS, page, size, ...query }: IndexQuery): FoundTours {
    const { tours: matching, scores: _, ...missing } = this.#among(query);
    const tours = this.#within(matching, limits);
    const { items, ...place } = numberedPage(tours, page, size);
    return { ...place, ...missing, items: items.map(({ id }) => id), total: tours.length };
  }

  /** How many of the tours that have the words there are with each value of each limit, and all others. */
  choices(query: Pick<IndexQuery, "words" | "among" | "limits">): Choices {
    const { limits = NO_LIMITS, words, among } = query;
    if (words || among || !isUnlimited(limits)) return this.#countChoices(query);
    // Those of the list as most visitors ask for it.
    return (this.#choicesOfAll ??= this.#countChoices(query));
  }

  #countChoices({ limits = NO_LIMITS, words, among }: Parameters<TourIndex["choices"]>[0]) {
    const { tours } = this.#among({ words, among, sort: "best" });
    const numbers = tours.map(({ number }) => number);
    return this.#facts.choices(numbers, limits);
  }

  #among({ words, among, sort }: Pick<IndexQuery, "words" | "among" | "sort">) {
    const sorted = this.#order.sorted(sort === "match" ? "best" : sort);
    const all = among ? sorted.filter(({ id }) => among.has(id)) : sorted;
    return this.#matching(words, all, sort);
  }

  #within(tours: readonly OrderedTour[], limits: Limits): readonly OrderedTour[] {
    if (isUnlimited(limits)) return tours;
    return tours.filter(({ number }) => this.#facts.suits(number, limits));
  }

  /** The ids of the tours that `find` returns, those after that place; a cursor of the last one where more follow. */
  findAfter({
    words,
    sort,
    after,
    size,
  }: Pick<IndexQuery, "words" | "sort" | "size"> & { after: PlaceInOrder | null }) {
    const order = sort === "match" ? "best" : sort;
    const all = this.#order.sorted(order);
    const { tours, scores } = this.#matching(words, all, sort);
    const tourPlace = (tour: OrderedTour): PlaceInOrder => ({
      ...tour,
      score: sort === "match" ? (scores?.[tour.number] ?? 0) : 0,
    });
    const compare = this.#order.comparison(order);
    const isAfter = (tour: OrderedTour) => {
      const place = tourPlace(tour);
      return !after || (after.score - place.score || compare(place, after)) > 0;
    };
    const first = tours.findIndex(isAfter);
    const page = first === -1 ? [] : tours.slice(first, first + size);
    const last = page.at(-1);
    const next = last && first + size < tours.length ? tourCursor.encode(tourPlace(last)) : null;
    return { ids: page.map(({ id }) => id), next };
  }

  /** Returns a search for words that are spelt much like these, all of which some tours have. */
  meant(words: string[]): string | null {
    const near = this.#nearest(words);
    return near.length === words.length && this.#isBetter(near, words) ? near.join(" ") : null;
  }

  /** Returns words that are spelt much like those that found nothing, together with these or each by itself. */
  nearest(words: string[], most: number): string[] {
    const near = this.#nearest(words);
    const others = near.filter((word) => !words.includes(word));
    if (others.length === 0) return [];
    if (this.#isBetter(near, words)) return [near.join(" ")];
    return others.filter((word) => this.#isBetter([word], words)).slice(0, most);
  }

  /** Returns the words of several, each of which finds tours by itself. */
  single(words: string[], most: number): string[] {
    const says = (word: string) => !this.#language.isGeneric(word);
    return words.filter((word) => says(word) && this.#isBetter([word], words)).slice(0, most);
  }

  #nearest(words: string[]): string[] {
    const near = new Set(words.map((word) => this.#words.nearest(word)));
    return [...near].filter((word) => word !== null);
  }

  #isBetter(words: string[], others: string[]): boolean {
    const { total, leftOut } = this.find({ words, sort: "best", page: 1, size: 1 });
    return total > 0 && leftOut.length === 0 && words.join(" ") !== others.join(" ");
  }

  places(most: number): string[] {
    return this.#places.top(most);
  }

  #matching(words: string[] | null, all: readonly OrderedTour[], sort: TourSort) {
    if (!words) return { tours: all, scores: undefined, ...NOTHING_MISSING };
    const found = this.#words.search(words);
    const [kept, ...others] = words.length > 0 ? mostWords(found, all) : [];
    if (kept === undefined) return { tours: [], scores: found.scores, ...NOTHING_MISSING };
    const { asked, has, scores } = found;
    const tours = all.filter(({ number }) => (has[number]! & kept) === kept);
    // Tours that match equally well keep their order.
    if (sort === "match") tours.sort((a, b) => scores[b.number]! - scores[a.number]!);
    const missingIn = (set: number) => asked.filter((_, nth) => !(set & (1 << nth)));
    const leftOut = missingIn(kept);
    const mistyped = [...found.mistyped.keys()].filter(
      (word) => asked.includes(word) && !leftOut.includes(word),
    );
    const corrected = mistyped.flatMap((word) => found.mistyped.get(word) ?? []);
    const instead = others.slice(0, MOST_INSTEAD).map((set) => {
      const missing = missingIn(set);
      return { leftOut: missing, kept: words.filter((word) => !missing.includes(word)) };
    });
    return { tours, scores, mistyped, corrected, leftOut, instead };
  }
}
