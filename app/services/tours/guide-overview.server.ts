import type { Types } from "mongoose";
import { Review } from "../../../models/review";
import { asNumber } from "../../../models/reading";
import { type RatingCounts, STARS, Tour, type TourDocument } from "../../../models/tour";
import { toObjectId } from "../../infra/ids.server";
import type { Caller } from "../caller.server";
import { batches, BATCH } from "../../infra/batches";
import { type NumberedPage, pageOf } from "../../infra/numbered-pages";
import { clockTime, momentOf } from "../../infra/zones";
import { zoneOf } from "../tour-zone.server";
import { recentCompletions, type RecentCompletion } from "./completions.server";
import {
  type Departure,
  type DepartureKeys,
  type DepartureState,
  findDepartures,
  pagesOfDepartures,
} from "./guide-departures.server";
import { type GuideReviews, type GuideSort, pageOfReviews } from "./guide-reviews.server";
import { TOURS_PER_PAGE } from "./tours.server";

/** Months of ratings that a guide sees, the present one included. */
const MONTHS = 12;
/** How long a review is new to a guide, in milliseconds. */
const NEW_MS = 7 * 24 * 60 * 60 * 1_000;
/** Tours by which the reviews can be filtered on the page, by title. */
const TOURS_TO_CHOOSE = 500;

/** What a guide asks for: the numbers of pages, from 1, and which reviews. */
export interface GuideQuery extends Record<"tours" | DepartureState, number> {
  /** The key of the departure of which all explorers are to be named. */
  all: string;
  /** Only reviews of the tour of this id; of all for null, and for one that is not the guide's. */
  tour: string | null;
  /** Only those with that many stars; null for all. */
  stars: number | null;
  /** In which order. */
  sort: GuideSort;
  /** The cursor of the page of reviews; null for the first one. */
  after: string | null;
}

/** What guides see of their own tours. */
export interface GuideOverview {
  tours: NumberedPage<GuideTour>;
  /** The reviews that were asked for. */
  reviews: GuideReviews;
  filter: ReviewFilter;
  /** Since when a review is new (ISO 8601), and how many there are since. */
  news: { since: string; count: number };
  departures: Record<DepartureState, NumberedPage<Departure>>;
  /** What can still be undone. */
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
  /** By title. */
  tours: { id: string; title: string }[];
}

export interface GuideTour {
  id: string;
  title: string;
  slug: string;
  avgRating: number;
  reviewCount: number;
  /** Twelve months, oldest first. */
  months: MonthRating[];
}

/** The reviews that one tour got in one month of its own zone. */
export interface MonthRating {
  /** Such as "2026-05". */
  month: string;
  count: number;
  /** Null in a month without reviews. */
  mean: number | null;
}

/** The complete lists of a guide, from which pages are cut. */
export interface GuideLists {
  /** By title. */
  tours: TourDocument[];
  news: GuideOverview["news"];
  departures: DepartureKeys;
  completions: RecentCompletion[];
}

/** Reads the lists of a guide. The cost grows with the tours and their bookings. */
export async function readGuideLists(guide: Caller, now: Date): Promise<GuideLists> {
  const tours = await Tour.find(
    { createdById: toObjectId(guide.id) },
    "title slug date timeZone avgRating reviewCount ratingCounts",
  )
    .sort({ title: 1, _id: 1 })
    .lean<TourDocument[]>();
  const [news, departures, completions] = await Promise.all([
    countNews(tours, new Date(now.getTime() - NEW_MS)),
    findDepartures(tours, now),
    recentCompletions(tours, now),
  ]);
  return { tours, news, departures, completions };
}

/** Cuts pages from the lists, and reads what is on them. */
export async function readOverview(
  lists: GuideLists,
  asked: GuideQuery,
  now: Date,
): Promise<GuideOverview> {
  const { items, ...place } = pageOf(lists.tours, asked.tours, TOURS_PER_PAGE);
  const filter = filterOf(lists.tours, asked);
  const [months, reviews, departures] = await Promise.all([
    ratingsByMonth(items, now),
    pageOfReviews(lists.tours, { ...filter, sort: asked.sort, after: asked.after }),
    pagesOfDepartures(lists.tours, lists.departures, asked, asked.all),
  ]);
  const tours = items.map((tour) => ({
    ...{ id: tour._id.toString(), title: tour.title, slug: tour.slug },
    avgRating: tour.avgRating,
    reviewCount: tour.reviewCount,
    months: months(tour),
  }));
  const { news, completions } = lists;
  return {
    tours: { ...place, items: tours },
    ...{ reviews, filter, news, departures, completions },
  };
}

async function countNews(tours: TourDocument[], since: Date): Promise<GuideOverview["news"]> {
  let count = 0;
  for (const some of batches(tours, BATCH)) {
    const tourId = { $in: some.map(({ _id }) => _id) };
    count += await Review.countDocuments({ tourId, createdAt: { $gt: since } });
  }
  return { since: since.toISOString(), count };
}

/** What is asked for as far as it can be. */
function filterOf(tours: TourDocument[], { tour, stars }: GuideQuery): ReviewFilter {
  const chosen = tours.filter(({ _id }) => _id.toString() === tour);
  const sum = (count: (tour: TourDocument) => number) =>
    (chosen.length > 0 ? chosen : tours).reduce((total, one) => total + count(one), 0);
  const byStars = {} as RatingCounts;
  for (const value of STARS) byStars[value] = sum(({ ratingCounts }) => ratingCounts[value]);
  const offered = new Set([...tours.slice(0, TOURS_TO_CHOOSE), ...chosen]);
  return {
    ...{ tour: chosen[0]?._id.toString() ?? null, stars, byStars },
    all: sum(({ reviewCount }) => reviewCount),
    tours: [...offered].map(({ _id, title }) => ({ id: _id.toString(), title })),
  };
}

/** For each tour, the mean and the number of the reviews of each of the last twelve months, by its own clocks. */
async function ratingsByMonth(tours: TourDocument[], now: Date) {
  const found = new Map<string, MonthRating>();
  // Nearly always one.
  for (const zone of new Set(tours.map(zoneOf))) {
    const ids = tours.filter((tour) => zoneOf(tour) === zone).map(({ _id }) => _id);
    for (const { _id, mean, count } of await readMonths(ids, monthsUpTo(now, zone)))
      found.set(`${_id.tourId.toString()} ${_id.month}`, {
        ...{ month: _id.month, count },
        // Of decimals the mean is one, too.
        mean: asNumber(mean) ?? null,
      });
  }
  return (tour: TourDocument): MonthRating[] =>
    monthsUpTo(now, zoneOf(tour)).map(
      ({ month }) =>
        found.get(`${tour._id.toString()} ${month}`) ?? { month, count: 0, mean: null },
    );
}

interface Month {
  month: string;
  from: Date;
}

/** The last twelve months by the clocks of a zone, oldest first. */
function monthsUpTo(now: Date, zone: string): Month[] {
  const { year, month } = clockTime(now, zone);
  return Array.from({ length: MONTHS }, (_, index) => {
    const first = new Date(Date.UTC(year, month - MONTHS + index));
    const shown = { year: first.getUTCFullYear(), month: first.getUTCMonth() + 1, day: 1 };
    return {
      month: first.toISOString().slice(0, 7),
      from: momentOf({ ...shown, hour: 0, minute: 0 }, zone),
    };
  });
}

interface MonthOfTour {
  _id: { tourId: Types.ObjectId; month: string };
  mean: unknown;
  count: number;
}

const readMonths = (tourIds: Types.ObjectId[], months: Month[]) =>
  Review.aggregate<MonthOfTour>([
    { $match: { tourId: { $in: tourIds }, createdAt: { $gte: months[0]!.from } } },
    {
      $group: {
        _id: {
          tourId: "$tourId",
          // By their limits: the database may not know every zone.
          month: {
            $switch: {
              branches: months.toReversed().map(({ month, from }) => ({
                case: { $gte: ["$createdAt", from] },
                then: month,
              })),
            },
          },
        },
        // As the tour's own mean: of what is a rating.
        mean: {
          $avg: {
            $cond: [
              { $and: [{ $gte: ["$rating", 1] }, { $lte: ["$rating", 5] }] },
              "$rating",
              null,
            ],
          },
        },
        count: { $sum: 1 },
      },
    },
  ]);
