import { setTimeout as sleep } from "node:timers/promises";
import { Types } from "mongoose";
import { ReviewIndex, type ReviewIndexDocument } from "#models/review-index";
import { Tour, type TourDocument } from "#models/tour";
import { DAY_MS, MINUTE_MS } from "~/lib/durations";
import { cursorBatches, BATCH } from "~/db/batches";
import { isDatabaseSilent } from "~/db/database.server";
import { log } from "~/lib/log.server";
import { Poller } from "~/jobs/poller.server";
import { getCorpus } from "../topics/topics.server";
import { indexReviews, removeIndex } from "./index-reviews.server";

const EVERY_MS = 5_000;
/** How often all tours are checked, for what other processes and the platform have changed. */
const WALK_MS = 10 * MINUTE_MS;
/** A platform's own writes change no version. */
const OLDEST_MS = DAY_MS;
/**
 * The pause after an index, as a multiple of the time that it took: a twentieth of a core at most, and of the
 * database's time.
 */
const REST = 19;

/** Some megabytes; the next walk finds further ones. */
export const MOST_CHANGED = 20_000;

/** The tours whose reviews this process has changed. */
const changed = new Set<string>();

let nextWalk = 0;

/** Must be called after a commit that has changed a tour's reviews; their index follows within seconds. */
export function reviewsChanged(tourId: Types.ObjectId): void {
  if (changed.size < MOST_CHANGED) changed.add(tourId.toString());
  else nextWalk = 0;
}

/**
 * Brings the indexes of reviews up to date, as far as they are not. No lease is needed: two processes that make the
 * same one lose only time, and the next walk finds one that has failed.
 */
export async function refreshIndexes(stopped: AbortSignal): Promise<void> {
  if (performance.now() >= nextWalk) {
    await noteOutdated(stopped);
    nextWalk = changed.size < MOST_CHANGED ? performance.now() + WALK_MS : 0;
  }
  if (changed.size === 0) return;
  const corpus = await getCorpus(stopped);
  for (const id of changed) {
    changed.delete(id);
    const began = performance.now();
    await indexReviews(new Types.ObjectId(id), { corpus, stopped });
    const rest = REST * (performance.now() - began);
    await sleep(rest, undefined, { ref: false, signal: stopped });
  }
}

async function noteOutdated(stopped: AbortSignal): Promise<void> {
  const fields = "ratingsVersion reviewCount";
  const tours = Tour.find({}, fields).sort({ _id: 1 }).lean<TourDocument>();
  for await (const batch of cursorBatches(tours.cursor({ batchSize: BATCH }), BATCH)) {
    stopped.throwIfAborted();
    const ids = batch.map(({ _id }) => _id).filter((id) => id instanceof Types.ObjectId);
    const indexes = await ReviewIndex.find({ _id: { $in: ids } }, "version readAt").lean<
      Pick<ReviewIndexDocument, "_id" | "version" | "readAt">[]
    >();
    const byTour = new Map(indexes.map((index) => [index._id.toString(), index]));
    for (const { _id, ratingsVersion, reviewCount } of batch) {
      const index = byTour.get(_id.toString());
      const isOld = index && index.readAt.getTime() < Date.now() - OLDEST_MS;
      if (isOld || (index ? index.version !== ratingsVersion : reviewCount > 0))
        reviewsChanged(_id);
    }
  }
  await forgetGoneTours(stopped);
}

async function forgetGoneTours(stopped: AbortSignal): Promise<void> {
  const indexes = ReviewIndex.find({}, "_id").lean<Pick<ReviewIndexDocument, "_id">>();
  for await (const batch of cursorBatches(indexes.cursor({ batchSize: BATCH }), BATCH)) {
    stopped.throwIfAborted();
    const ids = batch.map(({ _id }) => _id);
    const there = await Tour.find({ _id: { $in: ids } }, "_id").lean<Pick<TourDocument, "_id">[]>();
    const known = new Set(there.map(({ _id }) => _id.toString()));
    for (const id of ids) if (!known.has(id.toString())) await removeIndex(id);
  }
}

export const reviewIndexes = new Poller({
  every: () => EVERY_MS,
  work: refreshIndexes,
  onError: (error) => {
    if (!isDatabaseSilent()) log.error({ err: error }, "the index of reviews cannot be made");
  },
});
