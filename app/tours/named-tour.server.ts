import type { Types } from "mongoose";
import { Tour, type TourDocument } from "#models/tour";
import { tourTimeZone } from "~/lib/tour-zone.server";

/** A tour as lists name it, with the zone of its times. */
export interface NamedTour {
  title: string;
  slug: string;
  timeZone: string;
}

export const namedTour = (tour: TourDocument): NamedTour => ({
  title: tour.title,
  slug: tour.slug,
  timeZone: tourTimeZone(tour),
});

/** Returns what `namedTour` needs of these tours, with date and guide, by their ids; those that are gone are absent. */
export async function findTours(ids: Types.ObjectId[]): Promise<Map<string, TourDocument>> {
  if (ids.length === 0) return new Map();
  const fields = "title slug date timeZone createdById removedReviews";
  const tours = await Tour.find({ _id: { $in: ids } }, fields).lean<TourDocument[]>();
  return new Map(tours.map((tour) => [tour._id.toString(), tour]));
}
