import { setTimeout as sleep } from "node:timers/promises";
import { Types } from "mongoose";
import { Tour, type TourDocument } from "#models/tour";
import { batchesOf, BATCH } from "~/db/batches";
import { findAuthors } from "~/db/people.server";
import { log } from "~/infra/log.server";
import { TourIndex } from "./tour-index.server";

/** More would need a search engine. */
export const MOST_TOURS = 100_000;

/** As a multiple of how long the batch took. */
const REST = 9;
/** The database closes idle cursors. */
const LONGEST_REST_MS = 5_000;

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
