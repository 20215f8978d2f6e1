import { Review } from "#models/review";
import { type RatingCounts, STARS, Tour, type TourDocument } from "#models/tour";
import { type Clock, systemClock } from "~/infra/clock";
import { toObjectId } from "~/db/ids.server";
import type { Caller } from "~/accounts/caller.server";
import { batches, BATCH } from "~/db/batches";
import { type NumberedPage, pageOf } from "~/infra/numbered-pages";
import { recentCompletions, type RecentCompletion } from "~/guides/departures/completions.server";
import {
  type Departure,
  type DepartureState,
  findDepartures,
  isAnyOpen,
  pagesOfDepartures,
} from "~/guides/departures/guide-departures.server";
import { TOURS_PER_PAGE } from "~/tours/tours.server";
import { type GuideReviews, type GuideSort, pageOfReviews } from "./guide-reviews.server";
import { type RatingTrend, readTrends } from "./rating-trend.server";

const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;
const TOURS_TO_CHOOSE = 500;

/** The numbers of pages, from 1, and which reviews. */
export interface GuideQuery extends Record<"tours" | DepartureState, number> {
  /** The key of the departure of which all explorers are to be named. */
  all: string;
  /** Only reviews of the tour of this id; of all for null, and for one that is not the guide's. */
  tour: string | null;
  /** Only those with that many stars; null for all. */
  stars: number | null;
  sort: GuideSort;
  /** The cursor of the page of reviews; null for the first one. */
  after: string | null;
  /** The id of the review that is being answered or was answered just now, which stays where it is. */
  reply: string | null;
}

export interface GuideOverview {
  tours: NumberedPage<GuideTour>;
  reviews: GuideReviews;
  filter: ReviewFilter;
  ofLastWeek: number;
  departures: Record<DepartureState, NumberedPage<Departure>>;
  completions: RecentCompletion[];
}

/** By what the reviews are filtered, and by what they can be. */
export interface ReviewFilter {
  /** The id of one of the guide's tours, or null. */
  tour: string | null;
  stars: number | null;
  /** How many reviews there are of that tour, or of all; and with each number of stars. */
  all: number;
  byStars: RatingCounts;
  tours: { id: string; title: string }[];
}

export interface GuideTour extends RatingTrend {
  id: string;
  title: string;
  slug: string;
  avgRating: number;
  reviewCount: number;
}

/** The cost grows with the tours and their bookings. */
export async function guideOverview(
  guide: Caller,
  asked: GuideQuery,
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<GuideOverview> {
  const now = clock();
  const led = await findTours(guide);
  const { items, ...place } = pageOf(led, asked.tours, TOURS_PER_PAGE);
  const filter = filterOf(led, asked);
  const [ofLastWeek, completions, trendOf, reviews, departures] = await Promise.all([
    countSince(led, new Date(now.getTime() - WEEK_MS)),
    recentCompletions(led, now),
    readTrends(items, now),
    pageOfReviews(led, { ...asked, ...filter }),
    findDepartures(led, now).then((keys) => pagesOfDepartures(led, keys, asked, asked.all)),
  ]);
  const tours = items.map((tour) => ({
    id: tour._id.toString(),
    title: tour.title,
    slug: tour.slug,
    avgRating: tour.avgRating,
    reviewCount: tour.reviewCount,
    ...trendOf(tour),
  }));
  return {
    tours: { ...place, items: tours },
    reviews,
    filter,
    ofLastWeek,
    departures,
    completions,
  };
}

/** Whether the guide has departures to complete. */
export const hasOpenDepartures = async (guide: Caller): Promise<boolean> =>
  isAnyOpen(await findTours(guide), new Date());

const findTours = (guide: Caller) =>
  Tour.find(
    { createdById: toObjectId(guide.id) },
    "title slug date timeZone avgRating reviewCount ratingCounts",
  )
    .sort({ title: 1, _id: 1 })
    .lean<TourDocument[]>();

async function countSince(tours: TourDocument[], since: Date): Promise<number> {
  let count = 0;
  for (const some of batches(tours, BATCH)) {
    const tourId = { $in: some.map(({ _id }) => _id) };
    count += await Review.countDocuments({ tourId, createdAt: { $gt: since } });
  }
  return count;
}

/** A tour that is not one of the guide's is left out. */
function filterOf(tours: TourDocument[], { tour, stars }: GuideQuery): ReviewFilter {
  const chosen = tours.filter(({ _id }) => _id.toString() === tour);
  const sum = (count: (tour: TourDocument) => number) =>
    (chosen.length > 0 ? chosen : tours).reduce((total, one) => total + count(one), 0);
  const byStars = {} as RatingCounts;
  for (const value of STARS) byStars[value] = sum(({ ratingCounts }) => ratingCounts[value]);
  const offered = new Set([...tours.slice(0, TOURS_TO_CHOOSE), ...chosen]);
  return {
    tour: chosen[0]?._id.toString() ?? null,
    stars,
    byStars,
    all: sum(({ reviewCount }) => reviewCount),
    tours: [...offered].map(({ _id, title }) => ({ id: _id.toString(), title })),
  };
}
