import type { Types } from "mongoose";
import { NO_ID } from "#models/reading";
import { RemovedReview, type RemovedReviewDocument } from "#models/removed-review";
import { asRating, Review } from "#models/review";
import { Tour, type TourDocument } from "#models/tour";
import { batches, BATCH, cursorBatches } from "~/db/batches";
import { FEWEST, inPublic } from "./small-numbers";

/** Most tours, and most reviews, that are counted. */
export const MOST_COUNTED_TOURS = 10_000;
const MOST_REVIEWS = 1_000_000;

/**
 * Counts the reviews of the existing tours that were posted at that time or later; null where there are more than can be
 * counted. A batch of tours at a time, by the index of each tour's reviews: one by their times alone would make every
 * post dearer, and the ids of imported ones hold no time.
 */
export async function countReviewsSince(
  from: Date,
  { mostTours = MOST_COUNTED_TOURS, mostReviews = MOST_REVIEWS } = {},
): Promise<number | null> {
  const tours = await Tour.find({}, "_id")
    .sort({ _id: 1 })
    .limit(mostTours + 1)
    .lean<{ _id: Types.ObjectId }[]>();
  if (tours.length > mostTours) return null;
  // Includes reviews of that very moment, which is a whole number of milliseconds.
  const createdAt = { $gt: new Date(from.getTime() - 1) };
  let count = 0;
  for (const some of batches(tours, BATCH)) {
    const tourId = { $in: some.map(({ _id }) => _id) };
    count += await Review.countDocuments({ tourId, createdAt }).limit(mostReviews + 1 - count);
    if (count > mostReviews) return null;
  }
  return count;
}

/**
 * Returns what the removals do to ratings (docs/rules/moderation.md, Figures); null where that would tell a rating.
 * Reads all removed reviews, tour by tour, a batch at a time.
 */
export async function effectOnRatings() {
  const all = RemovedReview.find({ tourId: { $gte: NO_ID } }, "tourId rating")
    .sort({ tourId: 1 })
    .lean<Pick<RemovedReviewDocument, "tourId" | "rating">>()
    .cursor({ batchSize: BATCH });
  const shown = { count: 0, sum: 0 };
  const removed = { count: 0, sum: 0 };
  let tours = 0;
  let last: Types.ObjectId | undefined;
  for await (const batch of cursorBatches(all, BATCH)) {
    const tourIds = batch.map(({ tourId }) => tourId);
    const found = await Tour.find({ _id: { $in: tourIds } }, "avgRating ratingCounts").lean<
      TourDocument[]
    >();
    const stored = new Map(found.map((tour) => [tour._id.toString(), tour]));
    for (const { tourId, rating: value } of batch) {
      const rating = asRating(value);
      const tour = stored.get(tourId.toString());
      if (rating === undefined || !tour) continue;
      removed.count++;
      removed.sum += rating;
      if (last?.equals(tourId)) continue;
      last = tourId;
      tours++;
      const rated = Object.values(tour.ratingCounts).reduce((total, count) => total + count, 0);
      shown.count += rated;
      shown.sum += rated * tour.avgRating;
    }
  }
  if (removed.count < FEWEST || shown.count === 0) return null;
  return {
    removed: inPublic(removed.count),
    tours: inPublic(tours),
    // The mean of all ratings of these tours.
    mean: shown.sum / shown.count,
    meanWithRemoved: (shown.sum + removed.sum) / (shown.count + removed.count),
  };
}
