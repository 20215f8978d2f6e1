import DataLoader from "dataloader";
import { LRUCache } from "lru-cache";
import type { Types } from "mongoose";
import { Review, type ReviewDocument } from "../../../models/review";
import { Tour, type TourDocument } from "../../../models/tour";
import { entityTag } from "../../infra/digest.server";
import { toObjectId } from "../../infra/ids.server";
import { AUTHOR_STALENESS_MS, authorsOf } from "../accounts/authors.server";
import { oddReviewsOf } from "./odd-reviews.server";
import { type PublicReview, toPublicReview } from "./public-review.server";

/** What the kept lists of this process may take together, in bytes. */
const KEPT_BYTES = 24 * 1024 * 1024;

/** Up to how many bytes and reviews a list is made as a whole, and kept. */
const WHOLE_BYTES = 2 * 1024 * 1024;
const WHOLE_REVIEWS = 5_000;

/** How many whole lists are made at once, so that they take a bounded part of the memory. */
const LOADS = 4;

/** Reviews that are read at once. */
const BATCH = 200;

/** All reviews of one tour, newest first: the body of GET /api/reviews, as a whole or in parts. */
export type ReviewList = { etag: string } & (
  { body: Buffer; parts?: never } | { parts: () => AsyncIterable<string>; body?: never }
);

type WholeList = Extract<ReviewList, { body: Buffer }>;

const EMPTY = toWholeList('{"reviews":[]}');

// A tour and a version name exactly one list, so an entry is never wrong
// (docs/decisions/004-list-cache-by-version.md).
const kept = new LRUCache<string, WholeList>({
  ttl: AUTHOR_STALENESS_MS,
  maxSize: KEPT_BYTES,
  sizeCalculation: ({ body }) => body.length,
});

// The whole lists that are being made; null for one that turned out too large.
const loads = new Map<string, Promise<WholeList | null>>();

// One query for all the versions that are asked for in one tick. Nothing is remembered: an answer
// must not be older than its request.
const versions = new DataLoader<string, TourVersion | null>(loadVersions, { cache: false });

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
  const loadUnderWay = loads.get(key);
  const whole = kept.get(key) ?? (loadUnderWay && (await loadUnderWay));
  if (whole) return whole;
  if (whole === undefined && tour.count <= WHOLE_REVIEWS && loads.size < LOADS) {
    const loading = loadWhole(id).finally(() => loads.delete(key));
    loads.set(key, loading);
    const loaded = await loading;
    if (loaded) {
      kept.set(key, loaded);
      return loaded;
    }
  }
  // The version does not cover the authors' names, which change the parts too.
  const period = Math.floor(Date.now() / AUTHOR_STALENESS_MS);
  return { etag: `W/"${entityTag(`${key}:${period}`)}"`, parts: () => partsOf(id) };
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

/** The whole list, or null when it is too large for one. */
async function loadWhole(tourId: Types.ObjectId): Promise<WholeList | null> {
  const parts: string[] = [];
  let length = 0;
  for await (const part of partsOf(tourId)) {
    parts.push(part);
    length += part.length;
    if (length > WHOLE_BYTES) return null;
  }
  return toWholeList(parts.join(""));
}

/** The list's JSON, a batch of reviews at a time. */
async function* partsOf(tourId: Types.ObjectId): AsyncGenerator<string> {
  const cursor = Review.find({ tourId })
    .sort({ createdAt: -1, _id: -1 })
    .lean<ReviewDocument>()
    .cursor({ batchSize: BATCH });
  try {
    const odd = (await oddReviewsOf(tourId)).sort((a, b) => (isNewer(a, b) ? -1 : 1));
    const oddIds = new Set(odd.map(({ _id }) => _id.toString()));
    let before = '{"reviews":[';
    let batch: ReviewDocument[] = [];
    const flush = async () => {
      const authors = await authorsOf(batch.map(({ userId }) => userId.toString()));
      const reviews = batch.map((review): PublicReview =>
        toPublicReview(review, authors.get(review.userId.toString())),
      );
      const part = before + reviews.map((review) => JSON.stringify(review)).join();
      before = ",";
      batch = [];
      return part;
    };
    for await (const review of cursor) {
      if (oddIds.has(review._id.toString())) continue;
      while (odd[0] && isNewer(odd[0], review)) batch.push(odd.shift()!);
      batch.push(review);
      if (batch.length >= BATCH) yield await flush();
    }
    batch.push(...odd);
    yield batch.length > 0 ? `${await flush()}]}` : before === "," ? "]}" : `${before}]}`;
  } finally {
    await cursor.close();
  }
}

function isNewer(a: ReviewDocument, b: ReviewDocument): boolean {
  const later = a.createdAt.getTime() - b.createdAt.getTime();
  return later > 0 || (later === 0 && a._id.toString() > b._id.toString());
}

function toWholeList(json: string): WholeList {
  return { body: Buffer.from(json), etag: `W/"${entityTag(json)}"` };
}
