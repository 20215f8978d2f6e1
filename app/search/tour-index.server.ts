import { setTimeout as sleep } from "node:timers/promises";
import { Types } from "mongoose";
import { Tour, type TourDocument } from "#models/tour";
import { batchesOf, BATCH } from "~/db/batches";
import { log } from "~/infra/log.server";
import { findAuthors } from "~/db/people.server";
import { type NumberedPage, pageOf } from "~/infra/numbered-pages";
import { env } from "~/infra/env.server";
import {
  type ChangedRatings,
  type OrderedTour,
  TourOrder,
  type TourSort,
} from "./tour-order.server";
import { type Language, languageOf } from "./language.server";
import { hasOnlyStopWords, searchedWords } from "./search-words.server";
import { type Found, WordIndex } from "./word-index.server";

/** More would need a search engine. */
export const MOST_TOURS = 100_000;

/** Longer ones are addresses. */
const LONGEST_PLACE = 60;
const TOP_PLACES = 20;

/** As a multiple of how long the batch took. */
const REST = 9;
/** The database closes idle cursors. */
const LONGEST_REST_MS = 5_000;

export interface IndexQuery {
  /** As `wordsOf` returns them; all tours for null. */
  words: string[] | null;
  /** The ids of the tours that are asked for; null for all. */
  among?: ReadonlySet<string> | null;
  sort: TourSort;
  /** From 1. A page past the end is the last one. */
  page: number;
  size: number;
}

interface Missing {
  /** The words of the search that no tour has: these tours have one that is spelt much like it. */
  mistyped: string[];
  /** The words that these tours have instead of the mistyped ones. */
  corrected: string[];
  /** The words of the search that these tours do not have, because none has all of them. */
  leftOut: string[];
  /** The words that other tours lack instead: for each of these sets, the words left out and those kept. */
  instead: { leftOut: string[]; kept: string[] }[];
}

export interface FoundTours extends NumberedPage<string>, Missing {
  total: number;
}

const NOTHING_MISSING: Missing = { mistyped: [], corrected: [], leftOut: [], instead: [] };

const MOST_INSTEAD = 2;

/** The tours in memory, as far as the list needs them to find and order them. */
export class TourIndex {
  readonly #order = new TourOrder();
  readonly #language: Language;
  readonly #words: WordIndex;
  readonly #places = new Map<string, number>();
  #topPlaces: string[] | undefined;

  constructor(language = languageOf(env().tourLanguage, env().relatedWords)) {
    this.#language = language;
    this.#words = new WordIndex(language);
  }

  get size(): number {
    return this.#order.size;
  }

  add(tour: TourDocument, guide: string): void {
    const { title, location, description } = tour;
    const isNew = this.#order.add(tour._id.toString(), tour.avgRating, tour.reviewCount);
    if (!isNew) return;
    this.#words.add({ title, location: location ?? "", guide, description });
    const place = location?.trim() ?? "";
    if (place === "" || place.length > LONGEST_PLACE) return;
    this.#places.set(place, (this.#places.get(place) ?? 0) + 1);
    this.#topPlaces = undefined;
  }

  rate(id: string, ratings: ChangedRatings): void {
    this.#order.rate(id, ratings);
  }

  remove(ids: string[]): void {
    this.#order.remove(ids);
  }

  /** Sorts now, so that no request has to. */
  sort(): void {
    for (const name of ["best", "reviewed", "newest"] as const) this.#order.sorted(name);
  }

  wordsOf(text: string): string[] | null {
    return searchedWords(text, this.#language.isStopWord);
  }

  hasOnlyStopWords(text: string): boolean {
    return hasOnlyStopWords(text, this.#language.isStopWord);
  }

  /** The ids of tours that have all these words, or else most of them. */
  find({ words, among, sort, page, size }: IndexQuery): FoundTours {
    const sorted = this.#order.sorted(sort === "match" ? "best" : sort);
    const all = among ? sorted.filter(({ id }) => among.has(id)) : sorted;
    const { tours, ...missing } = words
      ? this.#matching(words, all, sort)
      : { tours: all, ...NOTHING_MISSING };
    const { items, ...place } = pageOf(tours, page, size);
    return { ...place, ...missing, items: items.map(({ id }) => id), total: tours.length };
  }

  /** Returns a search for words that are spelt much like these, all of which some tours have. */
  meant(words: string[]): string | null {
    const near = this.#nearest(words);
    return near.length === words.length && this.#isBetter(near, words) ? near.join(" ") : null;
  }

  /** Returns the words that found nothing as far as tours have them or one like them, together or each by itself. */
  nearest(words: string[], most: number): string[] {
    const near = this.#nearest(words);
    if (near.length > 0 && this.#isBetter(near, words)) return [near.join(" ")];
    return near
      .filter((word) => !this.#language.isGeneric(word) && this.#isBetter([word], words))
      .slice(0, most);
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
    this.#topPlaces ??= [...this.#places]
      .sort(([a, toursOfA], [b, toursOfB]) => toursOfB - toursOfA || (a < b ? -1 : 1))
      .slice(0, TOP_PLACES)
      .map(([place]) => place);
    return this.#topPlaces.slice(0, most);
  }

  #matching(words: string[], all: readonly OrderedTour[], sort: TourSort) {
    const found = this.#words.search(words);
    const [kept, ...others] = words.length > 0 ? setsOf(found, all) : [];
    if (kept === undefined) return { tours: [], ...NOTHING_MISSING };
    const { asked, has, scores } = found;
    const tours = all.filter(({ number }) => (has[number]! & kept) === kept);
    // Tours that match equally well keep their order.
    if (sort === "match") tours.sort((a, b) => scores[b.number]! - scores[a.number]!);
    const missingIn = (set: number) => asked.filter((_, nth) => !(set & (1 << nth)));
    const leftOut = missingIn(kept);
    const mistyped = [...found.mistyped.keys()].filter(
      (word) => asked.includes(word) && !leftOut.includes(word),
    );
    const corrected = mistyped.flatMap((word) => found.mistyped.get(word)!);
    const instead = others.slice(0, MOST_INSTEAD).map((set) => {
      const missing = missingIn(set);
      return { leftOut: missing, kept: words.filter((word) => !missing.includes(word)) };
    });
    return { tours, mistyped, corrected, leftOut, instead };
  }
}

/**
 * As bits: of which tours have most, if that is half of the words or more. The set of the tour that matches best comes
 * first.
 */
function setsOf({ asked, has, scores }: Found, all: readonly OrderedTour[]): number[] {
  const best = new Map<number, number>();
  for (const { number } of all)
    best.set(has[number]!, Math.max(best.get(has[number]!) ?? 0, scores[number]!));
  const sets = [...best].sort(([, a], [, b]) => b - a).map(([set]) => set);
  const sizeOf = (set: number) => asked.filter((_, nth) => set & (1 << nth)).length;
  const most = Math.max(0, ...sets.map(sizeOf));
  return most * 2 < asked.length ? [] : sets.filter((set) => sizeOf(set) === most);
}

/**
 * Reads all tours into a new index, a batch at a time. With `rests`, for a walk that nobody waits for, it takes
 * a tenth of a core at most, and of the database's time. Throws an `AbortError` when `stopped` aborts.
 */
export async function readTours({
  rests,
  stopped,
  most = MOST_TOURS,
}: {
  rests: boolean;
  stopped: AbortSignal;
  most?: number;
}): Promise<TourIndex> {
  const index = new TourIndex();
  const fields = "title location description createdById avgRating reviewCount";
  const cursor = Tour.find({}, fields).lean<TourDocument>().cursor({ batchSize: BATCH });
  let began = performance.now();
  for await (const batch of batchesOf(cursor, BATCH)) {
    // A tour whose id is no ObjectId has no page.
    const listed = batch.filter(({ _id }) => _id instanceof Types.ObjectId);
    const room = most - index.size;
    await addTours(index, listed.slice(0, room));
    if (listed.length > room) {
      log.warn({ tours: most }, "there are more tours than the list of tours holds");
      break;
    }
    stopped.throwIfAborted();
    const rest = Math.min(LONGEST_REST_MS, REST * (performance.now() - began));
    if (rests && batch.length === BATCH)
      await sleep(rest, undefined, { ref: false, signal: stopped });
    began = performance.now();
  }
  return index;
}

async function addTours(index: TourIndex, tours: TourDocument[]): Promise<void> {
  const guides = await findAuthors(
    tours.map(({ createdById }) => createdById.toString()),
    { remember: false },
  );
  for (const tour of tours) index.add(tour, guides.get(tour.createdById.toString())!.name);
}
