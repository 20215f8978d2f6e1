import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Types } from "mongoose";
import { readReview, Review, type ReviewDocument } from "#models/review";
import { Tour, type TourDocument } from "#models/tour";
import { batchLoader } from "~/db/batch-loader.server";
import { cached, inOwnMemory } from "~/lib/cache.server";
import { weakETag } from "~/lib/digest.server";
import { toObjectId } from "~/db/ids.server";
import { AUTHOR_STALENESS_MS, findAuthors, forgetAuthor } from "~/accounts/people.server";
import { newestFirst, reviewPlace } from "~/db/cursor.server";
import { findMalformedReviews } from "./malformed.server";
import { toPublicReview } from "./public-review.server";

const MIB = 1024 * 1024;

/** The largest list that is kept. */
const WHOLE_BYTES = 2 * MIB;
export const WHOLE_REVIEWS = 5_000;

/** How many lists are loaded at the same time, and how many bytes they have together. */
const LOADS = 32;
const LOADING_BYTES = 8 * MIB;

/** A smaller answer is one packet anyway. */
const GZIP_FROM = 1_024;

/** How many reviews are read at once. */
const PART = 200;

interface WholeList {
  etag: string;
  body: Buffer;
  gzip: Buffer | null;
  parts?: never;
}

/** The body of GET /api/reviews. */
export type ReviewList =
  WholeList | { etag: string; parts: () => AsyncIterable<string>; body?: never; gzip?: never };

// A tour and a version name exactly one list, so an entry is never wrong
// (docs/decisions/004-list-cache-by-version.md).
const wholeLists = cached<WholeList, Types.ObjectId>({
  name: "lists of reviews",
  ttl: AUTHOR_STALENESS_MS,
  maxBytes: 16 * MIB,
  bytesOf: ({ body, gzip }) => body.length + (gzip?.length ?? 0),
  load: (_key, tourId) => loadWhole(tourId),
});

const EMPTY_BODY = Buffer.from('{"reviews":[]}');
const EMPTY: WholeList = { body: EMPTY_BODY, etag: weakETag(EMPTY_BODY), gzip: null };

/**
 * Returns a tour's reviews, newest first and by larger id on a tie (docs/rules/reviews.md, Listing). A `tourId` that is
 * no id, or names no tour, has an empty list. A list that is too large to be kept in memory comes in parts, which are
 * read from the database while they are taken.
 */
export async function listReviews(tourId: string): Promise<ReviewList> {
  const id = toObjectId(tourId);
  if (!id) return EMPTY;
  // Read before the rows, which may then be newer than their version but never older.
  const tour = await loadVersion(id);
  if (!tour) return EMPTY;

  const key = `${id.toString()}:${tour.ratingsVersion}`;
  const whole =
    tour.reviewCount > WHOLE_REVIEWS ? null : await wholeLists.fetch(key, { context: id });
  if (whole) return whole;
  // The version does not cover the authors' names, which change the parts too.
  const period = Math.floor(Date.now() / AUTHOR_STALENESS_MS);
  return { etag: weakETag(`${key}:${period}`), parts: () => jsonParts(id) };
}

/** Makes this process read that author again, also in the lists that it keeps. */
export function authorChanged(userId: string): void {
  forgetAuthor(userId);
  wholeLists.clear();
}

const loadVersion = batchLoader((ids) =>
  Tour.find({ _id: { $in: ids } }, "ratingsVersion reviewCount").lean<
    Pick<TourDocument, "_id" | "ratingsVersion" | "reviewCount">[]
  >(),
);

let loads = 0;
let loadingBytes = 0;

/**
 * Loads a list. Undefined when it is too large, or when the lists that are being loaded take too much memory or are too
 * many.
 */
async function loadWhole(tourId: Types.ObjectId): Promise<WholeList | undefined> {
  if (loads >= LOADS) return undefined;
  const parts: Buffer[] = [];
  let length = 0;
  loads++;
  try {
    for await (const text of jsonParts(tourId)) {
      const part = Buffer.from(text);
      parts.push(part);
      length += part.length;
      loadingBytes += part.length;
      if (length > WHOLE_BYTES || loadingBytes > LOADING_BYTES) return undefined;
    }
    const body = inOwnMemory(parts);
    const compressed = body.length < GZIP_FROM ? null : await promisify(gzip)(body);
    return { etag: weakETag(body), body, gzip: compressed && inOwnMemory([compressed]) };
  } finally {
    loads--;
    loadingBytes -= length;
  }
}

/** Makes the list's JSON, a batch of reviews at a time. */
async function* jsonParts(tourId: Types.ObjectId): AsyncGenerator<string> {
  let before = '{"reviews":[';
  for await (const reviews of reviewsInOrder(tourId)) {
    const authors = await findAuthors(reviews.map(({ userId }) => userId.toString()));
    const listed = reviews.map((review) =>
      toPublicReview(review, authors.get(review.userId.toString())),
    );
    yield before + JSON.stringify(listed).slice(1, -1);
    before = ",";
  }
  yield before === "," ? "]}" : `${before}]}`;
}

/** Reads all reviews of a tour in the order of its list, a batch at a time. */
async function* reviewsInOrder(tourId: Types.ObjectId): AsyncGenerator<ReviewDocument[]> {
  // The driver's own cursor: Mongoose's takes longer for each review than making its JSON.
  const cursor = Review.collection
    .find<ReviewDocument>({ tourId }, { batchSize: PART })
    .sort({ createdAt: -1, _id: -1 });
  try {
    await cursor.hasNext();
    // A short list is all there. Of a longer one, malformed reviews would come at the end, out of their order.
    if (cursor.id?.isZero()) {
      const reviews = cursor.readBufferedDocuments();
      for (const review of reviews) readReview(review);
      if (reviews.length > 0) yield reviews.sort(byNewest);
      return;
    }
    const malformed = (await findMalformedReviews({ tourId })).sort(byNewest);
    const malformedIds = new Set(malformed.map(({ _id }) => _id.toString()));
    let batch: ReviewDocument[] = [];
    while (await cursor.hasNext()) {
      for (const review of cursor.readBufferedDocuments()) {
        readReview(review);
        if (malformedIds.size > 0 && malformedIds.has(review._id.toString())) continue;
        while (malformed[0] && byNewest(malformed[0], review) < 0) batch.push(malformed.shift()!);
        batch.push(review);
      }
      if (batch.length < PART) continue;
      yield batch;
      batch = [];
    }
    if (batch.push(...malformed) > 0) yield batch;
  } finally {
    await cursor.close();
  }
}

const byNewest = (a: ReviewDocument, b: ReviewDocument) =>
  newestFirst(reviewPlace(a), reviewPlace(b));
