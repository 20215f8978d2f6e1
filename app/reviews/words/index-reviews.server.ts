import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { mongo, Types } from "mongoose";
import { Review, type ReviewDocument } from "#models/review";
import { listName, ReviewIndex, type ReviewIndexDocument, WordList } from "#models/review-index";
import { Tour, type TourDocument } from "#models/tour";
import { cursorBatches } from "~/db/batches";
import { newestFirst, reviewPlace } from "~/db/cursor.server";
import { detectCommentLanguages, hasComment } from "~/reviews/list/commented.server";
import { type Corpus, mentionedOften } from "../topics/topics.server";
import { type ReviewRow, writeRows } from "./rows.server";
import { detailScore } from "./detail.server";
import { wordKeys } from "./words-of-review.server";

/** Most reviews of an index, the newest of a tour with more: it takes some 20 MB of memory while it is made. */
const MOST_REVIEWS = 100_000;
/** Reviews for each list of words, so that one takes about 100 KB. */
const REVIEWS_PER_LIST = 1_000;
const READ_AT_ONCE = 1_000;
/** Most languages, as one byte numbers them. Comments in further ones count as uncertain. */
const MOST_LANGUAGES = 200;

interface IndexedRow extends ReviewRow {
  keys: Set<string>;
}

/**
 * Reads the reviews of a tour and stores an index of their words, stars and languages (docs/decisions/012-tour-index.md).
 * Another process may do so meanwhile: the index of the newest state stays. With a `corpus` it says which words are
 * mentioned often.
 */
export async function indexReviews(
  tourId: Types.ObjectId,
  { corpus, stopped }: { corpus?: Corpus; stopped?: AbortSignal } = {},
): Promise<void> {
  const tour = await Tour.findById(
    tourId,
    "ratingsVersion title location createdById",
  ).lean<TourDocument>();
  const readAt = new Date();
  const rows = await readIndexedRows(tourId, stopped);
  if (!tour || rows.length === 0) return removeIndex(tourId);
  const counts = new Map<string, number>();
  for (const { language } of rows)
    if (language !== null) counts.set(language, (counts.get(language) ?? 0) + 1);
  const languages = [...counts]
    .map(([tag, count]) => ({ tag, count }))
    .sort((a, b) => b.count - a.count || (a.tag < b.tag ? -1 : 1))
    .slice(0, MOST_LANGUAGES);
  const build = new Types.ObjectId();
  const lists = Math.ceil(rows.length / REVIEWS_PER_LIST);
  const places = rowsByKey(rows);
  for (let list = 0; list < lists; list++) {
    stopped?.throwIfAborted();
    const some = [...places].filter(([key]) => listNumber(key, lists) === list);
    const written = Object.fromEntries(some.map(([key, numbers]) => [key, toBinary(numbers)]));
    const words = { _id: listName(build, list), tourId, build, places: written };
    await WordList.insertMany([words]);
  }
  const tags = languages.map(({ tag }) => tag);
  const index: Omit<ReviewIndexDocument, "_id"> = {
    version: tour.ratingsVersion,
    readAt,
    build,
    lists,
    rows: new mongo.Binary(writeRows(rows, tags)),
    languages,
    mentioned: corpus ? await mentionedOften(tour, { rows, tags, places, corpus }) : [],
  };
  const isNewer = { _id: tourId, version: { $gt: index.version } };
  if (!(await ReviewIndex.exists(isNewer)))
    await ReviewIndex.updateOne({ _id: tourId }, { $set: index }, { upsert: true });
  const stored = await ReviewIndex.findById(tourId, "build").lean<ReviewIndexDocument>();
  await WordList.deleteMany({ tourId, build: { $ne: stored?.build } });
}

export async function removeIndex(tourId: Types.ObjectId): Promise<void> {
  await ReviewIndex.deleteOne({ _id: tourId });
  await WordList.deleteMany({ tourId });
}

/** Newest first. */
async function readIndexedRows(
  tourId: Types.ObjectId,
  stopped?: AbortSignal,
): Promise<IndexedRow[]> {
  const found = Review.find({ tourId }, "rating comment createdAt verified")
    .sort({ createdAt: -1, _id: -1 })
    .limit(MOST_REVIEWS)
    .lean<ReviewDocument>()
    .cursor({ batchSize: READ_AT_ONCE });
  const rows: IndexedRow[] = [];
  for await (const batch of cursorBatches(found, READ_AT_ONCE)) {
    const languages = await detectCommentLanguages(batch);
    for (const [n, review] of batch.entries()) {
      if (!(review._id instanceof Types.ObjectId)) continue;
      rows.push(toIndexedRow(review, languages[n] ?? null));
      // Other requests are answered meanwhile.
      if (rows.length % 20 === 0) await setImmediate();
      stopped?.throwIfAborted();
    }
  }
  // A platform's malformed time has another place in the database's order.
  return rows.sort((a, b) => newestFirst(placeIn(a), placeIn(b)));
}

const placeIn = ({ _id, time, rating }: ReviewRow) => ({ id: _id.toString(), time, rating });

function toIndexedRow(review: ReviewDocument, language: string | null): IndexedRow {
  const { time, rating } = reviewPlace(review);
  const isWritten = hasComment(review);
  const keys = isWritten ? wordKeys(review.comment, language) : new Set<string>();
  const telling = detailScore(review);
  return { _id: review._id, time, rating, telling, language, hasComment: isWritten, keys };
}

/** Returns the numbers of the rows that have each word. */
function rowsByKey(rows: IndexedRow[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [n, { keys }] of rows.entries())
    for (const key of keys) {
      const numbers = places.get(key);
      if (numbers) numbers.push(n);
      else places.set(key, [n]);
    }
  return places;
}

const toBinary = (numbers: number[]) =>
  new mongo.Binary(Buffer.from(Uint32Array.from(numbers).buffer));

/** Returns the number of the list that has a word. */
export const listNumber = (key: string, lists: number) =>
  lists === 1 ? 0 : createHash("md5").update(key).digest().readUInt32LE() % lists;
