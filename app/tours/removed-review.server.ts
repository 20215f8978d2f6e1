import { RemovedReview, type RemovedReviewDocument } from "#models/removed-review";
import { Tour, type TourDocument } from "#models/tour";
import { toObjectId } from "~/db/ids.server";
import { tourTimeZone } from "~/lib/tour-zone.server";
import { type NamedTour, namedTour } from "./named-tour.server";

export interface RemovedFromTour {
  at: string;
  /** Null when it is gone. */
  tour: NamedTour | null;
  timeZone: string;
}

/** Returns of which tour an operator has removed a review, and when; null for one that its author has deleted. */
export async function findRemovedReview(reviewId: string): Promise<RemovedFromTour | null> {
  const _id = toObjectId(reviewId);
  const removed = _id && (await RemovedReview.findById(_id).lean<RemovedReviewDocument>());
  if (!removed?.review) return null;
  const tour = await Tour.findById(removed.tourId).lean<TourDocument>();
  const at = removed.removedAt.toISOString();
  return { at, tour: tour && namedTour(tour), timeZone: tourTimeZone(tour) };
}
