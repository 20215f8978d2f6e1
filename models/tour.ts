import { Schema } from "mongoose";
import { define, type DocumentOf } from "./define";
import { asHttpsAddress } from "./https-address";
import { asPictures, type TourPicture } from "./picture";
import {
  asCount,
  asDate,
  asId,
  asLabel,
  asName,
  asNumberWithin,
  asText,
  NO_ID,
  readTolerantly,
} from "./reading";
import { factFields, factReaders, type TourFacts } from "./tour-facts";

export type RatingCounts = Record<(typeof STARS)[number], number>;
export const STARS = ["1", "2", "3", "4", "5"] as const;

export interface LastChange {
  version: number;
  /** That the next entry has as `previous`. */
  hash: string;
  /** The hash of all counts by rating after it. */
  state: string;
  time: Date;
}

/** Returns a slug as it is given, and in both forms of Unicode: a platform may have stored either. */
export const formsOfSlug = (slug: string) => [
  ...new Set([slug, slug.normalize("NFC"), slug.normalize("NFD")]),
];

/** Most departures of one tour; a platform's further ones are not read. */
export const MOST_DATES = 1_000;

/** In minutes; a longer duration is malformed. */
export const LONGEST_TOUR = 1_000_000;

const count = { type: Number, default: 0 };

const fields = {
  title: { type: String, required: true },
  slug: { type: String, required: true },
  createdById: { type: Schema.Types.ObjectId, required: true },
  description: { type: String, default: "" },
  date: { type: Date, default: null },
  /** Further departures, in any order; that of `date` may be among them. */
  dates: { type: [Date], default: undefined },
  /** A name of the IANA database, such as "Asia/Tokyo", as it was given: there may be no such zone. */
  timeZone: { type: String, default: null },
  location: { type: String, default: null },
  durationMinutes: { type: Number, default: null },
  image: { type: String, default: null },
  /** The first one stands for the tour; `image` does where there is none. */
  images: { type: [Schema.Types.Mixed], default: [] },
  /** Where the platform shows its dates and takes bookings. */
  bookingUrl: { type: String, default: null },
  ...factFields,
  /** Mean of all ratings, 0 without reviews. */
  avgRating: count,
  reviewCount: count,
  ratingCounts: {
    type: { "1": count, "2": count, "3": count, "4": count, "5": count },
    _id: false,
  },
  /** Increases with every change to the tour's reviews, so that it names one state of their list. */
  ratingsVersion: count,
  /** How many of its reviews operators have removed (docs/rules/moderation.md, Decisions). */
  removedReviews: Number,
  /** Since when its platform no longer offers it; null while it does. */
  closedHereAt: Date,
  /** The last entry of its log (docs/rules/reviews.md, Changes); null before the first one. */
  lastChange: { type: Schema.Types.Mixed, default: undefined },
};

export type TourDocument = DocumentOf<
  typeof fields,
  {
    dates: Date[];
    images: (string | TourPicture)[];
    ratingCounts: RatingCounts;
    removedReviews: number;
    closedHereAt: Date | null;
    lastChange: LastChange | null;
    meetingPoint: TourFacts["meetingPoint"];
  }
>;

const schema = new Schema<TourDocument>(fields);

// A tour's page: Tour.findOne({ slug }). Not unique, because a platform may have tours without a slug.
schema.index({ slug: 1 });
// A guide's own tours, and whether there are any: Tour.find({ createdById })
schema.index({ createdById: 1 });
// The tours that leave on some days: Tour.find({ date }) and Tour.find({ dates: { $elemMatch } })
schema.index({ date: 1 });
schema.index({ dates: 1 });

/** Reads a tour that comes from an aggregation; see `readTolerantly`. */
export const readTour = readTolerantly(schema, "tours", {
  title: { read: (value) => asLabel(asName(value)), otherwise: "Untitled tour", expected: true },
  // The page of a tour without a usable slug has its id in the address.
  slug: { read: asSlug, otherwise: String, expected: true },
  createdById: { read: asId, otherwise: NO_ID, expected: true },
  description: { read: asText, otherwise: "" },
  date: { read: asDate, otherwise: null },
  dates: { read: asDates, otherwise: () => [] },
  timeZone: { read: asText, otherwise: null },
  location: { read: asName, otherwise: null },
  durationMinutes: { read: asNumberWithin(1, LONGEST_TOUR), otherwise: null },
  image: { read: asText, otherwise: null },
  images: { read: asPictures, otherwise: () => [] },
  bookingUrl: { read: asHttpsAddress, otherwise: null },
  ...factReaders,
  avgRating: { read: asNumberWithin(0, 5), otherwise: 0 },
  reviewCount: { read: asCount, otherwise: 0 },
  ratingCounts: { read: asRatingCounts, otherwise: noRatings },
  ratingsVersion: { read: asCount, otherwise: 0 },
  removedReviews: { read: asCount, otherwise: 0 },
  closedHereAt: { read: asDate, otherwise: null },
  lastChange: { read: asLastChange, otherwise: null },
});

/** Longest slug in an address, whose escapes take nine characters each (app/server/guard/remix-path.server.ts). */
const LONGEST_SLUG = 900;

/** No browser asks for dots alone, Remix decodes twice, and no path has line breaks. */
function asSlug(value: unknown): string | undefined {
  const slug = asLabel(value);
  if (slug === undefined || slug.length > LONGEST_SLUG) return undefined;
  return /^\.\.?$|%[0-9a-f]{2}|[\r\n\u2028\u2029]/i.test(slug) ? undefined : slug;
}

function asDates(value: unknown): Date[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const dates = value.slice(0, MOST_DATES).flatMap((one) => asDate(one) ?? []);
  const isAsStored = dates.length === value.length && dates.every((one, at) => one === value[at]);
  return isAsStored ? (value as Date[]) : dates;
}

function asLastChange(value: unknown): LastChange | undefined {
  const { version, hash, state, time } = value as LastChange;
  const isWhole =
    asCount(version) && asText(hash) !== undefined && asText(state) !== undefined && asDate(time);
  return isWhole ? (value as LastChange) : undefined;
}

function noRatings(): RatingCounts {
  return { "1": 0, "2": 0, "3": 0, "4": 0, "5": 0 };
}

function asRatingCounts(value: unknown): RatingCounts | undefined {
  if (typeof value !== "object" || Array.isArray(value)) return undefined;
  const stored = value as Record<string, unknown>;
  const counts = noRatings();
  for (const stars of STARS) counts[stars] = asCount(stored[stars]) ?? 0;
  return STARS.every((stars) => stored[stars] === counts[stars]) ? (value as RatingCounts) : counts;
}

export const Tour = define("Tour", "tours", schema);
