import DataLoader from "dataloader";
import type { Types } from "mongoose";
import { readReview, Review, type ReviewDocument } from "../../../models/review";
import { Tour, type TourDocument } from "../../../models/tour";
import { LOOKUP } from "../embedded/batches";
import { entityTag } from "../../infra/digest.server";
import { toObjectId } from "../../infra/ids.server";
import { AUTHOR_STALENESS_MS, authorsOf } from "../people.server";
import { newestFirst, placeOf } from "../cursor.server";
import { listCache, toWholeList, type WholeList } from "./list-cache.server";
import { findMalformedReviews } from "./malformed.server";
import { type PublicReview, toPublicReview } from "./public-review.server";

/** What the kept lists of this process may take together, in bytes; and those that are being made. */
const KEPT_BYTES = 16 * 1024 * 1024;
const LOADING_BYTES = 8 * 1024 * 1024;

/** Up to how many bytes and reviews a list is made as a whole, and kept. */
const WHOLE_BYTES = 2 * 1024 * 1024;
export const WHOLE_REVIEWS = 5_000;

/** How many whole lists are made at once: each takes a connection and a batch of rows. */
const LOADS = 32;

/** Reviews that are read at once. */
const BATCH = 200;

/** All reviews of one tour, newest first: the body of GET /api/reviews, as a whole or in parts. */
export type ReviewList = { etag: string } & (
  | { body: Buffer; gzip: () => Promise<Buffer | null>; parts?: never }
  | { parts: () => AsyncIterable<string>; body?: never; gzip?: never }
);

// A tour and a version name exactly one list, so an entry is never wrong
// (docs/decisions/004-list-cache-by-version.md).
const kept = listCache({ maxBytes: KEPT_BYTES, ttl: AUTHOR_STALENESS_MS });

const NONE = toWholeList([Buffer.from('{"reviews":[]}')]);
const EMPTY: ReviewList = { ...NONE, gzip: () => kept.gzipOf("", NONE) };

// The whole lists that are being made; null for one that turned out too large.
const loads = new Map<string, Promise<WholeList | null>>();
let loadingBytes = 0;

// One query for all the versions that are asked for until the process has read what its clients have sent.
// Nothing is remembered: an answer must not be older than its request.
const versions = new DataLoader<string, TourVersion | null>(loadVersions, {
  cache: false,
  maxBatchSize: LOOKUP,
  batchScheduleFn: setImmediate,
});

interface TourVersion {
  version: number;
  /** How many reviews there are, as far as the tour knows. */
  count: number;
}

/**
 * All reviews of a tour, newest first and by larger id on a tie, with their authors (docs/rules.md, Listing).
 * A `tourId` that is no id, or names no tour, has an empty list. A list that is too large to be kept in
 * memory comes in parts, which are read from the database while they are taken.
 */
export async function listReviews(tourId: string): Promise<ReviewList> {
  const id = toObjectId(tourId);
  if (!id) return EMPTY;
  // Before the rows, which may then be newer than their version but never older.
  const tour = await versions.load(id.toString());
  if (tour === null) return EMPTY;

  const key = `${id.toString()}:${tour.version}`;
  const whole = kept.get(key) ?? (await loadOnce(key, id, tour.count));
  if (whole) return { etag: whole.etag, body: whole.body, gzip: () => kept.gzipOf(key, whole) };
  // The version does not cover the authors' names, which change the parts too.
  const period = Math.floor(Date.now() / AUTHOR_STALENESS_MS);
  return { etag: `W/"${entityTag(`${key}:${period}`)}"`, parts: () => partsOf(id) };
}

/** The whole list, which is made once for all who wait for it; null when it is none, or too many are made. */
function loadOnce(
  key: string,
  id: Types.ObjectId,
  count: number,
): Promise<WholeList | null> | null {
  const underWay = loads.get(key);
  if (underWay) return underWay;
  if (count > WHOLE_REVIEWS || loads.size >= LOADS) return null;
  const loading = loadWhole(id)
    .then((list) => {
      if (list) kept.set(key, list);
      return list;
    })
    .finally(() => loads.delete(key));
  loads.set(key, loading);
  return loading;
}

/** Empties this process's cache, because an author has a new name or picture. */
export function clearReviewListCache(): void {
  kept.clear();
}

async function loadVersions(tourIds: readonly string[]): Promise<(TourVersion | null)[]> {
  const tours = await Tour.find(
    { _id: { $in: tourIds.map((id) => toObjectId(id)) } },
    "ratingsVersion reviewCount",
  ).lean<Pick<TourDocument, "_id" | "ratingsVersion" | "reviewCount">[]>();
  const byId = new Map(
    tours.map(({ _id, ratingsVersion, reviewCount }) => [
      _id.toString(),
      { version: ratingsVersion ?? 0, count: reviewCount ?? 0 },
    ]),
  );
  return tourIds.map((id) => byId.get(id) ?? null);
}

/** The whole list, or null when it is too large for one or for what others have left. */
async function loadWhole(tourId: Types.ObjectId): Promise<WholeList | null> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const text of partsOf(tourId)) {
      const part = Buffer.from(text);
      parts.push(part);
      length += part.length;
      loadingBytes += part.length;
      if (length > WHOLE_BYTES || loadingBytes > LOADING_BYTES) return null;
    }
    return toWholeList(parts);
  } finally {
    loadingBytes -= length;
  }
}

/** The list's JSON, a batch of reviews at a time. */
async function* partsOf(tourId: Types.ObjectId): AsyncGenerator<string> {
  // The driver's own cursor: Mongoose's takes longer for each review than making its JSON.
  const cursor = Review.collection
    .find<ReviewDocument>({ tourId }, { batchSize: BATCH })
    .sort({ createdAt: -1, _id: -1 });
  try {
    const malformed = (await findMalformedReviews({ tourId })).sort(byNewest);
    const malformedIds = new Set(malformed.map(({ _id }) => _id.toString()));
    let before = '{"reviews":[';
    let batch: ReviewDocument[] = [];
    const flush = async () => {
      const authors = await authorsOf(batch.map(({ userId }) => userId.toString()));
      const reviews = batch.map((review): PublicReview =>
        toPublicReview(review, authors.get(review.userId.toString())),
      );
      const part = before + JSON.stringify(reviews).slice(1, -1);
      before = ",";
      batch = [];
      return part;
    };
    while (await cursor.hasNext()) {
      for (const review of cursor.readBufferedDocuments()) {
        readReview(review);
        if (malformedIds.size > 0 && malformedIds.has(review._id.toString())) continue;
        while (malformed[0] && byNewest(malformed[0], review) < 0) batch.push(malformed.shift()!);
        batch.push(review);
      }
      if (batch.length >= BATCH) yield await flush();
    }
    batch.push(...malformed);
    yield batch.length > 0 ? `${await flush()}]}` : before === "," ? "]}" : `${before}]}`;
  } finally {
    await cursor.close();
  }
}

const byNewest = (a: ReviewDocument, b: ReviewDocument) => newestFirst(placeOf(a), placeOf(b));
