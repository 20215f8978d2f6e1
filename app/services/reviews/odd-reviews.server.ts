import { LRUCache } from "lru-cache";
import type { PipelineStage, QueryFilter, Types } from "mongoose";
import { Review, type ReviewDocument } from "../../../models/review";
import { batches, LOOKUP } from "../../infra/batches";

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

/**
 * How long it is remembered whether a tour has odd reviews, in milliseconds. We write none, and the look reads
 * all reviews of the tour; so whoever asks later gets what was remembered, while it is looked up again.
 */
const REMEMBERED_MS = 60_000;

const remembered = new LRUCache<string, boolean, Types.ObjectId>({
  max: 50_000,
  ttl: REMEMBERED_MS,
  allowStale: true,
  allowStaleOnFetchRejection: true,
  fetchMethod: async (_key, _before, { context: tourId }) => (await oddIdsOf(tourId, 1)).length > 0,
});

/** The reviews of a tour whose place no index knows, in any order; most tours have none. */
export async function oddReviewsOf(tourId: Types.ObjectId): Promise<ReviewDocument[]> {
  if (!(await remembered.fetch(tourId.toString(), { context: tourId }))) return [];
  const reviews: ReviewDocument[] = [];
  for (const some of batches(await oddIdsOf(tourId, MOST_ODD), LOOKUP))
    reviews.push(...(await Review.find({ _id: { $in: some } }).lean<ReviewDocument[]>()));
  return reviews;
}

async function oddIdsOf(tourId: Types.ObjectId, limit: number): Promise<Types.ObjectId[]> {
  const stages: PipelineStage[] = [
    { $match: { tourId } },
    // By itself: an `$or` beside the tour would have the embedded database read the reviews of all tours.
    { $match: ODD },
    { $limit: limit },
    { $project: { _id: 1 } },
  ];
  return (await Review.aggregate<{ _id: Types.ObjectId }>(stages)).map(({ _id }) => _id);
}

/** Forgets which tours have odd reviews. */
export function forgetOddReviews(): void {
  remembered.clear();
}
