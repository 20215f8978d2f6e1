import { Schema, type Types } from "mongoose";
import { define } from "./define";

/** How many reviews of a tour gave each number of stars. */
export type RatingCounts = Record<"1" | "2" | "3" | "4" | "5", number>;

export interface TourDocument {
  _id: Types.ObjectId;
  title: string;
  slug: string;
  /** The guide who owns the tour. */
  createdById: Types.ObjectId;
  description?: string;
  date?: Date | null;
  location?: string | null;
  durationMinutes?: number | null;
  image?: string | null;
  /** Mean of all ratings, 0 without reviews. */
  avgRating?: number;
  reviewCount?: number;
  ratingCounts?: RatingCounts;
  /** Goes up by one with every change of the tour's reviews: names one state of their list. */
  ratingsVersion?: number;
}

const count = { type: Number, default: 0 };

const schema = new Schema<TourDocument>({
  title: { type: String, required: true },
  slug: { type: String, required: true },
  createdById: { type: Schema.Types.ObjectId, required: true },
  description: { type: String, default: "" },
  date: { type: Date, default: null },
  location: { type: String, default: null },
  durationMinutes: { type: Number, default: null },
  image: { type: String, default: null },
  avgRating: count,
  reviewCount: count,
  ratingCounts: {
    type: { "1": count, "2": count, "3": count, "4": count, "5": count },
    _id: false,
  },
  ratingsVersion: count,
});

// A tour's page: Tour.findOne({ slug }). Not unique, because a platform may have tours without a slug.
schema.index({ slug: 1 });
// A guide's own tours, and whether there are any: Tour.find({ createdById })
schema.index({ createdById: 1 });

export const Tour = define("Tour", "tours", schema);
