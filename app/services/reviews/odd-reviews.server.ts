import { LRUCache } from "lru-cache";
import type { QueryFilter, Types } from "mongoose";
import { Review, type ReviewDocument } from "../../../models/review";

/** What no index has in its place: a platform's reviews without a time or a whole number of stars. */
const ODD: QueryFilter<ReviewDocument> = {
  $or: [
    { createdAt: { $not: { $type: "date" } } },
    { rating: { $nin: [1, 2, 3, 4, 5] } },
    { rating: { $type: "array" } },
  ],
};

/** How many odd reviews of a tour are put into their place. */
const MOST_ODD = 1_000;

/** How long it is remembered whether a tour has odd reviews, in milliseconds. We write none. */
const REMEMBERED_MS = 60_000;

const remembered = new LRUCache<string, boolean>({ max: 50_000, ttl: REMEMBERED_MS });

/** The reviews of a tour whose place no index knows, in any order; most tours have none. */
export async function oddReviewsOf(tourId: Types.ObjectId): Promise<ReviewDocument[]> {
  const key = tourId.toString();
  let hasOdd = remembered.get(key);
  if (hasOdd === undefined) {
    hasOdd = (await Review.exists({ tourId, ...ODD })) !== null;
    remembered.set(key, hasOdd);
  }
  if (!hasOdd) return [];
  return Review.find({ tourId, ...ODD })
    .limit(MOST_ODD)
    .lean<ReviewDocument[]>();
}

/** Forgets which tours have odd reviews. */
export function forgetOddReviews(): void {
  remembered.clear();
}
