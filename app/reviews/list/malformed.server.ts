import type { PipelineStage, QueryFilter, Types } from "mongoose";
import { readReview, Review, type ReviewDocument } from "#models/review";
import { MINUTE_MS } from "~/lib/durations";
import { cached } from "~/lib/cache.server";

/** Reviews that no index has in their place: a platform's, without a time or a whole number of stars. */
const MALFORMED: QueryFilter<ReviewDocument> = {
  $or: [
    { createdAt: { $not: { $type: "date" } } },
    { rating: { $nin: [1, 2, 3, 4, 5] } },
    { rating: { $type: "array" } },
  ],
};

type ReviewSelection = { tourId: OneOrMore } | { userId: Types.ObjectId };

export type OneOrMore = Types.ObjectId | { $in: Types.ObjectId[] };

const MOST_MALFORMED = 1_000;

// We write none, and the query reads all reviews of the selection; so later callers get what was remembered while it
// is read again.
const knownMalformed = cached<boolean, { selection: ReviewSelection }>({
  name: "who has malformed reviews",
  ttl: MINUTE_MS,
  maxBytes: 16 * 1024 * 1024,
  allowStale: true,
  load: async (_key, { selection }) =>
    (await Review.aggregate([...stages(selection, 1), { $project: { _id: 1 } }])).length > 0,
});

/** Returns the malformed reviews of a selection, in any order. */
export async function findMalformedReviews(selection: ReviewSelection): Promise<ReviewDocument[]> {
  if (!(await knownMalformed.fetch(JSON.stringify(selection), { context: { selection } })))
    return [];
  const reviews = await Review.aggregate<ReviewDocument>(stages(selection, MOST_MALFORMED));
  for (const review of reviews) readReview(review);
  return reviews;
}

/** Selects reviews with exactly that many stars, by an index. */
export const ofStars = (
  tourId: OneOrMore,
  rating: number,
  hasMalformed: boolean,
): QueryFilter<ReviewDocument> => ({
  tourId,
  // An array with that number would match, too; where there is none, the filter is a range of the index.
  rating: hasMalformed ? { $eq: rating, $not: { $type: "array" } } : rating,
});

const stages = (selection: ReviewSelection, limit: number): PipelineStage[] => [
  { $match: selection },
  // A stage of its own: an `$or` beside the selection would have the embedded database read all reviews.
  { $match: MALFORMED },
  { $limit: limit },
];
