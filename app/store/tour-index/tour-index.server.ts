import { setTimeout as sleep } from "node:timers/promises";
import { Types } from "mongoose";
import { Tour, type TourDocument } from "../../../models/tour";
import { batchesOf, BATCH } from "../../infra/batches";
import { log } from "../../infra/log.server";
import { findAuthors } from "../people.server";
import { type NumberedPage, pageOf } from "../../infra/numbered-pages";
import { type ChangedRatings, TourOrder, type TourSort } from "./tour-order.server";
import { WordIndex } from "./word-index.server";

/** The most tours that an index holds; more would need a search engine. */
const MOST_TOURS = 100_000;

/** Characters of a place that can be a suggestion: longer ones are addresses. */
const LONGEST_PLACE = 60;
/** Places whose order is kept. */
const TOP_PLACES = 20;

/** How long a walk rests after each batch, as a multiple of how long the batch took. */
const REST = 9;
/** The longest of these rests, in milliseconds: the database closes idle cursors. */
const LONGEST_REST_MS = 5_000;

/** The tours in memory, as far as the list needs them to find and order them. */
export class TourIndex {
  readonly #order = new TourOrder();
  readonly #words = new WordIndex();
  /** How many tours each place has. */
  readonly #places = new Map<string, number>();
  #topPlaces: string[] | undefined;

  /** How many tours there are. */
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

  /** Updates the ratings of the tour of that id, if it is in the index. */
  rate(id: string, ratings: ChangedRatings): void {
    this.#order.rate(id, ratings);
  }

  /** Takes out tours that are gone. */
  remove(ids: string[]): void {
    this.#order.remove(ids);
  }

  /** Sorts now, so that no request has to. */
  sort(): void {
    for (const name of ["best", "reviewed", "newest"] as const) this.#order.sorted(name);
  }

  /**
   * One page of the ids of the tours that have all these words, or of all tours for null, and how many there
   * are. A page past the end is the last one.
   */
  find(
    words: string[] | null,
    sort: TourSort,
    page: number,
    size: number,
  ): NumberedPage<string> & { total: number } {
    const all = this.#order.sorted(sort === "match" ? "best" : sort);
    const found = words ? this.#matching(words, all, sort) : all;
    const { items, ...place } = pageOf(found, page, size);
    return { ...place, items: items.map((tour) => this.#order.idOf(tour)), total: found.length };
  }

  /**
   * Other searches that find something where these words found nothing: all of them, as far as tours have them
   * or one like them, or else each by itself. At most `most`.
   */
  nearest(words: string[], most: number): string[] {
    const near = [...new Set(words.map((word) => this.#words.nearest(word)))].filter(
      (word) => word !== null,
    );
    const isOther = (found: string[]) => found.join(" ") !== words.join(" ");
    const finds = (found: string[]) => isOther(found) && this.find(found, "best", 1, 1).total > 0;
    if (near.length > 0 && finds(near)) return [near.join(" ")];
    return near.filter((word) => finds([word])).slice(0, most);
  }

  /** The places that most tours have, at most so many of them. */
  places(most: number): string[] {
    this.#topPlaces ??= [...this.#places]
      .sort(([a, toursOfA], [b, toursOfB]) => toursOfB - toursOfA || (a < b ? -1 : 1))
      .slice(0, TOP_PLACES)
      .map(([place]) => place);
    return this.#topPlaces.slice(0, most);
  }

  #matching(words: string[], all: readonly number[], sort: TourSort): number[] {
    const scores = this.#words.search(words);
    const matching = all.filter((tour) => scores[tour]! > 0);
    // Tours that match equally well keep their order.
    if (sort === "match") matching.sort((a, b) => scores[b]! - scores[a]!);
    return matching;
  }
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
  index.sort();
  return index;
}

async function addTours(index: TourIndex, tours: TourDocument[]): Promise<void> {
  const guides = await findAuthors(
    tours.map(({ createdById }) => createdById.toString()),
    { remember: false },
  );
  for (const tour of tours) index.add(tour, guides.get(tour.createdById.toString())!.name);
}
