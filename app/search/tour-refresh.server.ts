import { setTimeout as sleep } from "node:timers/promises";
import { Types } from "mongoose";
import { Tour, type TourDocument } from "#models/tour";
import { isDatabaseSilent } from "~/db/database.server";
import { log } from "~/lib/log.server";
import { Poller } from "~/jobs/poller.server";
import { BATCH, cursorBatches } from "~/db/batches";
import { findAuthors } from "~/accounts/people.server";
import { TourIndex } from "./tour-index.server";
import type { ChangedRatings } from "./tour-order.server";

const CHECK_MS = 5_000;
/** The pause between two checks is at least this multiple of what a check takes. */
const CHECK_REST = 9;
/** How long after a walk through all tours the next one begins in any case, in milliseconds. */
const WALK_MS = 120_000;
const FIRST_WALK_MS = 10_000;

/** Keeps an index of the tours, in the memory of this process, up to date in the background. */
export class TourRefresh {
  #index: TourIndex | undefined;
  /** The state of the tours as of the last walk; undefined asks for another walk. */
  #seen: string | undefined;
  #nextCheck = -Infinity;
  #nextWalk = -Infinity;
  /** The ratings that this process has changed since the walk under way began. */
  #changed: Map<string, ChangedRatings> | undefined;
  /** How often this process has asked for another walk. */
  #asked = 0;

  constructor(private readonly firstWalkMs = FIRST_WALK_MS) {}

  readonly #poller = new Poller({
    every: () => Math.max(CHECK_MS, this.#nextCheck - performance.now()),
    work: (stopped) => this.#checkOnce(stopped),
    onError: (error) => {
      if (!isDatabaseSilent())
        log.error({ err: error }, "the list of tours cannot be brought up to date");
    },
  });

  start(): void {
    this.#poller.start();
  }

  /** Resolves when a check or walk under way is over. */
  stop(): Promise<void> {
    return this.#poller.stop();
  }

  /** Another number after each change of the index. */
  get version(): number {
    return this.#index?.version ?? 0;
  }

  /** Until there is an index, waits for the first walk; null when that takes long. Rejects when the database fails. */
  async index(): Promise<TourIndex | null> {
    // Where nothing was started, as in the development server's reloaded code.
    if (performance.now() >= this.#nextCheck) void this.#poller.wake();
    if (!this.#index) {
      const waited = new AbortController();
      const late = sleep(this.firstWalkMs, undefined, { ref: false, signal: waited.signal });
      await Promise.race([this.check(), late.catch(() => {})]).finally(() => waited.abort());
    }
    return this.#index ?? null;
  }

  /** Walks through the tours even if they seem unchanged. Rejects when the database fails. */
  async renew(): Promise<void> {
    this.walkNext();
    // A check under way may have begun before the change that the caller wants to see.
    await this.check().catch(() => {});
    await this.check();
  }

  /** The next request waits for a walk, as after the start. */
  forget(): void {
    this.#index = undefined;
    this.#seen = undefined;
  }

  /** Checks whether tours were added or removed, and walks if need be. Rejects when the database fails. */
  check(): Promise<void> {
    return this.#poller.join();
  }

  /** Takes over at once what this process has changed. */
  rate(id: string, ratings: ChangedRatings): void {
    this.#index?.rate(id, ratings);
    this.#changed?.set(id, { ...this.#changed.get(id), ...ratings });
  }

  /** The next check walks, even if the tours seem unchanged: this process has closed one or opened it again. */
  walkNext(): void {
    this.#asked++;
  }

  async #checkOnce(stopped: AbortSignal): Promise<void> {
    stopped.throwIfAborted();
    const began = performance.now();
    this.#nextCheck = began + CHECK_MS;
    // A change during the walk asks for another one.
    const asked = this.#asked;
    const [count, newest] = await Promise.all([
      Tour.estimatedDocumentCount(),
      Tour.findOne({}, "_id").sort({ _id: -1 }).lean(),
    ]);
    const seen = `${asked} ${count} ${String(newest?._id)}`;
    const now = performance.now();
    this.#nextCheck = now + Math.max(CHECK_MS, CHECK_REST * (now - began));
    if (seen === this.#seen && now < this.#nextWalk) return;
    await this.#walk(stopped);
    this.#seen = seen;
    this.#nextWalk = performance.now() + WALK_MS;
  }

  async #walk(stopped: AbortSignal): Promise<void> {
    this.#changed = new Map();
    try {
      // Nobody waits while there is something to show.
      const rests = (this.#index?.size ?? 0) > 0;
      const index = await readTours({ rests, stopped });
      // They may have been read before these changes.
      for (const [id, ratings] of this.#changed) index.rate(id, ratings);
      index.sort();
      this.#index = index;
    } finally {
      this.#changed = undefined;
    }
  }
}

/** The index of this process. */
export const tourRefresh = new TourRefresh();

/** Most tours in memory; more would need a search engine. */
export const MOST_LISTED_TOURS = 100_000;

/** The pause after a batch, as a multiple of the time that it took. */
const REST = 9;
/** The database closes idle cursors. */
const LONGEST_REST_MS = 5_000;

interface ReadOptions {
  /** Takes a tenth of a core at most, and of the database's time, for a walk that nobody waits for. */
  rests: boolean;
  stopped: AbortSignal;
  most?: number;
}

/** Reads all tours into a new index, a batch at a time. Throws an `AbortError` when `stopped` aborts. */
export async function readTours(options: ReadOptions): Promise<TourIndex> {
  const { rests, stopped, most = MOST_LISTED_TOURS } = options;
  const index = new TourIndex();
  const fields =
    "title location description createdById avgRating reviewCount closedHereAt languages price currency minAge durationMinutes";
  const cursor = Tour.find({}, fields).lean<TourDocument>().cursor({ batchSize: BATCH });
  let began = performance.now();
  for await (const batch of cursorBatches(cursor, BATCH)) {
    // A tour whose id is no ObjectId has no page.
    const listed = batch.filter(
      ({ _id, closedHereAt }) => _id instanceof Types.ObjectId && !closedHereAt,
    );
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
  for (const tour of tours) index.add(tour, guides.get(tour.createdById.toString()).name);
}
