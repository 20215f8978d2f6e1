import type { Types } from "mongoose";
import { Review } from "../../models/review";

/** The aggregates of a tour, from the tests' own query. */
export async function freshRatings(tourId: Types.ObjectId) {
  const groups = await Review.aggregate<{ _id: number; count: number }>([
    { $match: { tourId } },
    { $group: { _id: "$rating", count: { $sum: 1 } } },
  ]);
  const ratingCounts = { "1": 0, "2": 0, "3": 0, "4": 0, "5": 0 } as Record<string, number>;
  for (const { _id, count } of groups) ratingCounts[_id] = count;
  const reviewCount = groups.reduce((sum, { count }) => sum + count, 0);
  const sum = groups.reduce((total, { _id, count }) => total + _id * count, 0);
  return { avgRating: reviewCount ? sum / reviewCount : 0, reviewCount, ratingCounts };
}
