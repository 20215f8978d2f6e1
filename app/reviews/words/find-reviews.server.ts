import type { mongo, Types } from "mongoose";
import { Review, type ReviewDocument } from "#models/review";
import {
  listName,
  ReviewIndex,
  type ReviewIndexDocument,
  WordList,
  type WordListDocument,
} from "#models/review-index";
import type { TourDocument } from "#models/tour";
import { MINUTE_MS } from "~/lib/durations";
import { cutPage, type RowOrder, type Place, reviewCursor, reviewPlace } from "~/db/cursor.server";
import { hasComment } from "~/reviews/list/commented.server";
import { newestReviews } from "~/reviews/list/newest-reviews.server";
import { hasStars } from "~/reviews/ratings.server";
import { detectLanguage } from "~/search/text-language.server";
import { reviewsChanged } from "./index-refresh.server";
import { indexReviews, listNumber } from "./index-reviews.server";
import { matchRows, Rows, rowsAfter } from "./rows.server";
import { mostDetailedFirst, detailPlace } from "./detail.server";
import { hasWords, type Search, searchesFor } from "./words-of-review.server";

/** A tour with more waits for its index, which is made in the background. */
const INDEXED_AT_ONCE = 1_000;
/** Most reviews that are searched without the index, as they were written after it was made. */
const MOST_NEW = 200;
const MOST_ATTEMPTS = 3;
/** Tolerated difference between the clocks of two servers. */
const CLOCKS_MS = MINUTE_MS;

export interface WordsFilter {
  /** As they were typed; empty for all reviews. */
  words: string;
  /** A BCP 47 tag; null for all languages. */
  language: string | null;
}

interface WordsQuery extends WordsFilter {
  stars: number | null;
  commented: boolean;
  after: string | null;
  size: number;
  order: RowOrder;
}

export type ReviewWords = Pick<ReviewIndexDocument, "languages" | "mentioned">;

export interface FoundReviews {
  rows: ReviewDocument[];
  next: string | null;
  total: number;
  /** Whether the index of a tour with many reviews is still being made: none are found then. */
  preparing: boolean;
}

const PREPARING: FoundReviews = { rows: [], next: null, total: 0, preparing: true };

/**
 * Finds the reviews of a tour that have all words, in any form, and are in that language. Each is read again, so that
 * none is returned that has changed meanwhile. Two commands and one for each page, whatever the number of reviews.
 */
export async function findReviews(
  tour: Pick<TourDocument, "_id" | "ratingsVersion">,
  query: WordsQuery,
  attempt = 1,
): Promise<FoundReviews> {
  const { words, language, stars, commented, after, size, order } = query;
  const index = await findReviewIndex(tour._id);
  if (index === "preparing") return PREPARING;
  if (!index) return { ...PREPARING, preparing: false };
  const tags = index.languages.map(({ tag }) => tag);
  const searches = searchesFor(words, tags);
  const isWanted = async (review: ReviewDocument) => {
    if (!hasStars(review, stars)) return false;
    if (!hasComment(review)) return !commented && !words && language === null;
    const tag = await detectLanguage(review.comment);
    if (language !== null && tag !== language) return false;
    const search = searches.get(tag);
    return !words || (search ? hasWords(review.comment, search) : false);
  };
  const keepWanted = async (reviews: ReviewDocument[]) => {
    const wanted = await Promise.all(reviews.map(isWanted));
    return reviews.filter((_, n) => wanted[n]);
  };

  const rows = new Rows(Buffer.from(index.rows.buffer), tags);
  const has = words ? await rowsWith([...searches.values()], index, rows.length) : undefined;
  // Another index has replaced this one meanwhile.
  if (has === null && attempt < MOST_ATTEMPTS) return findReviews(tour, query, attempt + 1);
  if (has === null) {
    reviewsChanged(tour._id);
    return PREPARING;
  }
  const numbers: number[] = [];
  for (let n = 0; n < rows.length; n++) {
    if (has && !has[n]) continue;
    if (language !== null && rows.language(n) !== language) continue;
    if (commented && !rows.hasComment(n)) continue;
    if (hasStars({ rating: rows.rating(n) }, stars)) numbers.push(n);
  }
  const place = reviewCursor.decode(after);
  const found: ReviewDocument[] = [];
  let from: Place | null | undefined = numbers.length > 0 ? place : undefined;
  while (from !== undefined && found.length <= size) {
    const some = rowsAfter(from, numbers, { rows, order, size: size + 1 });
    const selected = { _id: { $in: some.map(({ id }) => id) }, tourId: tour._id };
    found.push(...(await keepWanted(await Review.find(selected).lean<ReviewDocument[]>())));
    from = some[size];
  }
  const isNow = index.version === tour.ratingsVersion;
  const added = isNow ? [] : await keepWanted(await newReviews(tour._id, index.readAt));
  const known = new Set(isNow ? [] : numbers.map((n) => rows.id(n)));
  const unknown = added.filter(({ _id }) => !known.has(_id.toString()));
  return {
    ...cutPage([...found, ...unknown], {
      place,
      size,
      order,
      toPlace: order === mostDetailedFirst ? detailPlace : reviewPlace,
    }),
    total: numbers.length + unknown.length,
    preparing: false,
  };
}

/**
 * Returns the languages of a tour's comments and the words that they mention often; none until they have been counted,
 * and no words while they are counted anew, so that each number is that of the reviews which a search finds.
 */
export async function reviewWords({
  _id,
  ratingsVersion,
}: Pick<TourDocument, "_id" | "ratingsVersion">): Promise<ReviewWords> {
  const found = await ReviewIndex.findById(_id, "version languages mentioned").lean<
    Pick<ReviewIndexDocument, "version" | "languages" | "mentioned">
  >();
  const mentioned = found?.version === ratingsVersion ? found.mentioned : [];
  return { languages: found?.languages ?? [], mentioned };
}

async function findReviewIndex(
  tourId: Types.ObjectId,
): Promise<ReviewIndexDocument | "preparing" | null> {
  const readIndex = () => ReviewIndex.findById(tourId).lean<ReviewIndexDocument>();
  const index = await readIndex();
  if (index) return index;
  const count = await Review.countDocuments({ tourId }, { limit: INDEXED_AT_ONCE + 1 });
  if (count > INDEXED_AT_ONCE) return "preparing";
  await indexReviews(tourId);
  // In the background, which words are mentioned often.
  reviewsChanged(tourId);
  return readIndex();
}

const newReviews = (tourId: Types.ObjectId, readAt: Date) =>
  newestReviews(
    { tourId, createdAt: { $gt: new Date(readAt.getTime() - CLOCKS_MS) } },
    { limit: MOST_NEW, after: null },
  );

/** Returns for each row whether it has the words; null when the index was replaced meanwhile. */
async function rowsWith(
  searches: (Search | null)[],
  { build, lists }: ReviewIndexDocument,
  length: number,
): Promise<Uint8Array | null> {
  const keys = searches.flatMap((search) => search?.keys.flat() ?? []);
  const needed = [...new Set(keys.map((key) => listNumber(key, lists)))];
  const fields = Object.fromEntries(keys.map((key) => [`places.${key}`, 1]));
  const names = needed.map((list) => listName(build, list));
  const stored = await WordList.find({ _id: { $in: names } }, fields).lean<WordListDocument[]>();
  if (stored.length < needed.length) return null;
  const places = new Map(stored.flatMap((list) => Object.entries(list.places ?? {})));
  return matchRows(searches, (key) => numbersIn(places.get(key)), length);
}

function numbersIn(bytes: mongo.Binary | undefined): Uint32Array {
  // Copied, because numbers of four bytes begin at a multiple of four.
  return new Uint32Array(Uint8Array.from(bytes?.buffer ?? []).buffer);
}
