import type { Types } from "mongoose";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { batches, BATCH } from "~/db/batches";

/** So many tours, and so many reviews, are counted. */
export const MOST_TOURS = 10_000;
const MOST_REVIEWS = 1_000_000;

/**
 * Counts the reviews of the existing tours that were posted at that time or later; null where there are more than can be
 * counted. A batch of tours at a time, by the index of each tour's reviews: one by their times alone would make every
 * post dearer, and the ids of imported ones hold no time.
 */
export async function countReviewsSince(
  from: Date,
  { mostTours = MOST_TOURS, mostReviews = MOST_REVIEWS } = {},
): Promise<number | null> {
  const tours = await Tour.find({}, "_id")
    .sort({ _id: 1 })
    .limit(mostTours + 1)
    .lean<{ _id: Types.ObjectId }[]>();
  if (tours.length > mostTours) return null;
  // Of that moment, too, which is a whole number of milliseconds.
  const createdAt = { $gt: new Date(from.getTime() - 1) };
  let count = 0;
  for (const some of batches(tours, BATCH)) {
    const tourId = { $in: some.map(({ _id }) => _id) };
    count += await Review.countDocuments({ tourId, createdAt }).limit(mostReviews + 1 - count);
    if (count > mostReviews) return null;
  }
  return count;
}
