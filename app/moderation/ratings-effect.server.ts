import type { Types } from "mongoose";
import { NO_ID } from "#models/reading";
import { RemovedReview, type RemovedReviewDocument } from "#models/removed-review";
import { asRating } from "#models/review";
import { Tour, type TourDocument } from "#models/tour";
import { BATCH, batchesOf } from "~/db/batches";

/** With fewer ratings removed, the means would tell somebody's. */
const FEWEST_REMOVED = 3;

/**
 * Returns what the removals do to ratings (docs/rules/moderation.md, Figures); null where that would tell a rating.
 * Reads all removed reviews, tour by tour, a batch at a time.
 */
export async function effectOnRatings() {
  const found = RemovedReview.find({ tourId: { $gte: NO_ID } }, "tourId rating")
    .sort({ tourId: 1 })
    .lean<Pick<RemovedReviewDocument, "tourId" | "rating">>()
    .cursor({ batchSize: BATCH });
  const shown = { count: 0, sum: 0 };
  const removed = { count: 0, sum: 0 };
  let tours = 0;
  let last: Types.ObjectId | undefined;
  for await (const batch of batchesOf(found, BATCH)) {
    const stored = await findTours(batch.map(({ tourId }) => tourId));
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
  if (removed.count < FEWEST_REMOVED || shown.count === 0) return null;
  return {
    removed: removed.count,
    tours,
    // Of all ratings of these tours.
    mean: shown.sum / shown.count,
    meanWithRemoved: (shown.sum + removed.sum) / (shown.count + removed.count),
  };
}

async function findTours(ids: Types.ObjectId[]): Promise<Map<string, TourDocument>> {
  const tours = await Tour.find({ _id: { $in: ids } }, "avgRating ratingCounts").lean<
    TourDocument[]
  >();
  return new Map(tours.map((tour) => [tour._id.toString(), tour]));
}
