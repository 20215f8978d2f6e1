import type { Types } from "mongoose";
import { Review, type ReviewDocument } from "../../../models/review";
import { asNumber } from "../../../models/reading";
import { Tour, type TourDocument } from "../../../models/tour";
import { toObjectId } from "../../infra/ids.server";
import type { Caller } from "../caller.server";
import { batches } from "../../infra/batches";
import { newestFirst, placeOf } from "../../store/cursor.server";
import type { Author } from "../../store/people.server";
import {
  type ListedReview,
  REVIEWS_PER_PAGE,
  toListedReview,
} from "../../store/reviews/page.server";
import { type NumberedPage, pageOf } from "../../infra/numbered-pages";
import { zoneOf } from "../tour-zone.server";
import {
  type Departure,
  type DepartureKeys,
  type DepartureState,
  findDepartures,
  findPeople,
  pagesOfDepartures,
  TOURS_AT_ONCE,
} from "./guide-departures.server";
import { TOURS_PER_PAGE } from "./tours.server";

/** Months of ratings that a guide sees, the present one included. */
const MONTHS = 12;
/** How long a review is new to a guide, in milliseconds. */
const NEW_MS = 7 * 24 * 60 * 60 * 1_000;
/** Newest reviews that can be paged through; the pages of the tours have all of them. */
const MOST_REVIEWS = 200;

/** The numbers of the pages that a guide asks for, from 1. */
export type GuidePages = Record<"tours" | "reviews" | DepartureState, number>;

/** What guides see of their own tours. */
export interface GuideOverview {
  tours: NumberedPage<GuideTour>;
  /** The newest reviews of all of them, newest first. */
  reviews: NumberedPage<GuideReview>;
  /** Since when a review is new (ISO 8601), and how many there are since; at most as many as can be paged. */
  news: { since: string; count: number };
  departures: Record<DepartureState, NumberedPage<Departure>>;
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

/** The reviews that one tour got in one month (UTC). */
export interface MonthRating {
  /** Such as "2026-05". */
  month: string;
  count: number;
  /** Null in a month without reviews. */
  mean: number | null;
}

export interface GuideReview extends ListedReview {
  tour: { title: string; slug: string; timeZone: string };
}

/** The complete lists of a guide, from which pages are cut. */
export interface GuideLists {
  /** By title. */
  tours: TourDocument[];
  /** The newest reviews of all of them, newest first. */
  reviews: Pick<ReviewDocument, "_id" | "createdAt">[];
  departures: DepartureKeys;
}

/** Reads the lists of a guide. The cost grows with the tours and their bookings. */
export async function readGuideLists(guide: Caller, now: Date): Promise<GuideLists> {
  const tours = await Tour.find(
    { createdById: toObjectId(guide.id) },
    "title slug date timeZone avgRating reviewCount",
  )
    .sort({ title: 1, _id: 1 })
    .lean<TourDocument[]>();
  const [reviews, departures] = await Promise.all([
    newestReviews(tours),
    findDepartures(tours, now),
  ]);
  return { tours, reviews, departures };
}

/** Cuts pages from the lists, and reads what is on them. */
export async function readOverview(
  lists: GuideLists,
  asked: GuidePages,
  now: Date,
): Promise<GuideOverview> {
  const { items, ...place } = pageOf(lists.tours, asked.tours, TOURS_PER_PAGE);
  const [months, reviews, departures] = await Promise.all([
    ratingsByMonth(
      items.map((tour) => tour._id),
      now,
    ),
    pageOfReviews(lists, asked.reviews),
    pagesOfDepartures(lists.tours, lists.departures, asked),
  ]);
  const tours = items.map((tour) => ({
    ...{ id: tour._id.toString(), title: tour.title, slug: tour.slug },
    avgRating: tour.avgRating,
    reviewCount: tour.reviewCount,
    months: months(tour._id),
  }));
  const since = new Date(now.getTime() - NEW_MS);
  const count = lists.reviews.filter(({ createdAt }) => createdAt > since).length;
  const news = { since: since.toISOString(), count };
  return { tours: { ...place, items: tours }, reviews, news, departures };
}

async function newestReviews(tours: TourDocument[]): Promise<GuideLists["reviews"]> {
  const newest: GuideLists["reviews"] = [];
  for (const batch of batches(tours, TOURS_AT_ONCE))
    newest.push(
      ...(await Review.find({ tourId: { $in: batch.map(({ _id }) => _id) } }, "createdAt")
        .sort({ createdAt: -1, _id: -1 })
        .limit(MOST_REVIEWS)
        .lean<GuideLists["reviews"]>()),
    );
  return newest.sort((a, b) => newestFirst(placeOf(a), placeOf(b))).slice(0, MOST_REVIEWS);
}

/** A review among those of other tours. */
export const toGuideReview = (
  review: ReviewDocument,
  author: Author | undefined,
  tour: TourDocument,
): GuideReview => ({
  ...toListedReview(review, author),
  tour: { title: tour.title, slug: tour.slug, timeZone: zoneOf(tour) },
});

/** A page of the newest reviews, without those that are gone since. */
async function pageOfReviews(
  lists: GuideLists,
  number: number,
): Promise<NumberedPage<GuideReview>> {
  const { items, ...place } = pageOf(lists.reviews, number, REVIEWS_PER_PAGE);
  const found = await Review.find({ _id: { $in: items.map(({ _id }) => _id) } }).lean<
    ReviewDocument[]
  >();
  const reviews = new Map(found.map((review) => [review._id.toString(), review]));
  const people = await findPeople(found.map(({ userId }) => userId));
  const tours = new Map(lists.tours.map((tour) => [tour._id.toString(), tour]));
  const shown = items.flatMap(({ _id }) => {
    const review = reviews.get(_id.toString());
    if (!review) return [];
    const tour = tours.get(review.tourId.toString())!;
    return [toGuideReview(review, people.get(review.userId.toString()), tour)];
  });
  return { ...place, items: shown };
}

/** For each tour, the mean and the number of the reviews of each of the last twelve months. */
async function ratingsByMonth(tourIds: Types.ObjectId[], now: Date) {
  const names = Array.from({ length: MONTHS }, (_, index) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS + 1 + index))
      .toISOString()
      .slice(0, 7),
  );
  const rows = await Review.aggregate<{
    _id: { tourId: Types.ObjectId; month: string };
    mean: unknown;
    count: number;
  }>([
    { $match: { tourId: { $in: tourIds }, createdAt: { $gte: new Date(`${names[0]}-01`) } } },
    {
      $group: {
        _id: {
          tourId: "$tourId",
          month: { $dateToString: { date: "$createdAt", format: "%Y-%m" } },
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
  const found = new Map(
    rows.map(({ _id, mean, count }) => [
      `${_id.tourId.toString()} ${_id.month}`,
      // Of decimals the mean is one, too.
      { mean: asNumber(mean) ?? null, count },
    ]),
  );
  return (tourId: Types.ObjectId): MonthRating[] =>
    names.map((month) => {
      const ratings = found.get(`${tourId.toString()} ${month}`);
      return { month, count: ratings?.count ?? 0, mean: ratings?.mean ?? null };
    });
}
