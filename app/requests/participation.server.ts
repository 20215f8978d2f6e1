import type { PipelineStage, Types } from "mongoose";
import { Booking, COMPLETED } from "#models/booking";
import { Review } from "#models/review";
import { ReviewRequest } from "#models/review-request";
import type { TourDocument } from "#models/tour";
import { MINUTE_MS, YEAR_MS } from "~/lib/durations";
import { cached } from "~/lib/cache.server";

// How many guests of the last twelve months were asked and have reviewed (docs/rules/review-requests.md, Participation).

const KEPT_MS = 10 * MINUTE_MS;

export interface Participation {
  /** Guests with a completed booking of a departure of the last twelve months. */
  went: number;
  /** Those of them whose e-mail was sent. */
  asked: number;
  /** Those of them who have reviewed the tour. */
  reviewed: number;
}

type DatedTour = Pick<TourDocument, "_id" | "date">;

type Source = keyof Participation;

/**
 * Returns the numbers of each of these tours, by one command: `/guide` has a bound of them. A guest counts once, however
 * often they came. The database counts: a tour may have had 50,000 guests.
 */
async function readParticipation(
  tours: DatedTour[],
  now: Date,
): Promise<Map<string, Participation>> {
  const since = new Date(now.getTime() - YEAR_MS);
  const tourId = { $in: tours.map(({ _id }) => _id) };
  // A booking without a date is one of its tour's.
  const recent = tours.filter(({ date }) => date && date > since && date <= now);
  const undated = { tourId: { $in: recent.map(({ _id }) => _id) }, status: COMPLETED, date: null };
  const counted = await Booking.aggregate<Participation & { _id: Types.ObjectId }>([
    ...guestStages("went", { tourId, status: COMPLETED, date: { $gt: since, $lte: now } }),
    among(Booking, guestStages("went", undated)),
    among(ReviewRequest, guestStages("asked", { tourId, sentAt: { $gt: new Date(0) } })),
    among(Review, guestStages("reviewed", { tourId })),
    {
      $group: {
        _id: { tourId: "$tourId", userId: "$userId" },
        sources: { $addToSet: "$source" },
      },
    },
    { $match: { sources: "went" satisfies Source } },
    {
      $group: {
        _id: "$_id.tourId",
        went: { $sum: 1 },
        asked: countSource("asked"),
        reviewed: countSource("reviewed"),
      },
    },
  ]);
  const found = new Map(
    counted.map(({ _id, went, asked, reviewed }) => [_id.toString(), { went, asked, reviewed }]),
  );
  const none = { went: 0, asked: 0, reviewed: 0 };
  return new Map(
    tours.map(({ _id }) => [_id.toString(), found.get(_id.toString()) ?? none] as const),
  );
}

/** Stages that name tour, guest and source of each document that matches. */
const guestStages = (
  source: Source,
  match: object,
): (PipelineStage.Match | PipelineStage.Project)[] => [
  { $match: match },
  { $project: { _id: 0, tourId: 1, userId: 1, source: { $literal: source } } },
];

const countSource = (source: Source) => ({
  $sum: { $cond: [{ $in: [source, "$sources"] }, 1, 0] },
});

const among = ({ collection }: Pick<typeof Booking, "collection">, pipeline: unknown) =>
  ({ $unionWith: { coll: collection.collectionName, pipeline } }) as PipelineStage.UnionWith;

const participations = cached<Participation, DatedTour>({
  name: "participation",
  ttl: KEPT_MS,
  maxBytes: 2 * 1_024 * 1_024,
  // The embedded database takes seconds to count 50,000 guests.
  allowStale: true,
  load: async (key, tour) => (await readParticipation([tour], new Date())).get(key),
});

/** Returns the numbers of one tour, which may be ten minutes old, or those of the last request before. */
export const cachedParticipation = (tour: DatedTour): Promise<Participation> =>
  participations.forceFetch(tour._id.toString(), { context: tour });

/** The same of several tours, by one command at most. */
export async function participationOfTours(
  tours: DatedTour[],
): Promise<Map<string, Participation>> {
  const known = new Map<string, Participation>();
  const unknown = tours.filter(({ _id }) => {
    const numbers = participations.get(_id.toString());
    if (numbers) known.set(_id.toString(), numbers);
    return !numbers;
  });
  if (unknown.length === 0) return known;
  for (const [key, numbers] of await readParticipation(unknown, new Date())) {
    known.set(key, numbers);
    participations.set(key, numbers);
  }
  return known;
}

/** Fewest guests for which a tour's page says how many have reviewed it. */
const SHOWN_FROM = 20;

/** The numbers on a tour's page, rounded down to tens; null for too few guests. */
export function participationInWords({ went, asked, reviewed }: Participation): string | null {
  if (went < SHOWN_FROM) return null;
  const about = Math.floor(went / 10) * 10;
  const said =
    reviewed > about
      ? "most guests have reviewed it."
      : `${reviewed.toLocaleString("en-GB")} of about ${about.toLocaleString("en-GB")} guests have reviewed it.`;
  return `In the last twelve months, ${said}${asked === went ? " Every guest was asked." : ""}`;
}
