import type { Types } from "mongoose";
import { Review, type ReviewDocument } from "../../../models/review";
import { asNumber } from "../../../models/reading";
import { Tour, type TourDocument } from "../../../models/tour";
import { type Clock, systemClock } from "../../infra/clock";
import { toObjectId } from "../../infra/ids.server";
import type { Caller } from "../caller.server";
import { batches, LOOKUP } from "../../infra/batches";
import { type PublicReview, toPublicReview } from "../reviews/public-review.server";
import {
  type Departure,
  departuresOf,
  type DepartureState,
  findPeople,
} from "./guide-departures.server";
import { type Page, pageOf } from "./pages.server";

/** Months of ratings that a guide sees, the present one included. */
const MONTHS = 12;
const TOURS_PER_PAGE = 12;
const REVIEWS_PER_PAGE = 20;
/** Newest reviews that can be paged through; the pages of the tours have all of them. */
const MOST_REVIEWS = 200;

/** The numbers of the pages that a guide asks for, from 1. */
export type GuidePages = Record<"tours" | "reviews" | DepartureState, number>;

const FIRST_PAGES: GuidePages = { tours: 1, reviews: 1, open: 1, upcoming: 1, past: 1 };

/** What a guide sees of the own tours. */
export interface GuideOverview {
  tours: Page<GuideTour>;
  /** The newest reviews of all of them, newest first. */
  reviews: Page<GuideReview>;
  departures: Record<DepartureState, Page<Departure>>;
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

export interface GuideReview extends PublicReview {
  tour: { title: string; slug: string };
}

/** Returns everything on a guide's page; a user without tours has empty lists. */
export async function guideOverview(
  guide: Caller,
  { clock = systemClock, pages = {} }: { clock?: Clock; pages?: Partial<GuidePages> } = {},
): Promise<GuideOverview> {
  const now = clock();
  const asked = { ...FIRST_PAGES, ...pages };
  const all = await Tour.find(
    { createdById: toObjectId(guide.id) },
    "title slug date avgRating reviewCount",
  )
    .sort({ title: 1, _id: 1 })
    .lean<TourDocument[]>();
  const { items, ...place } = pageOf(all, asked.tours, TOURS_PER_PAGE);
  const [months, reviews, departures] = await Promise.all([
    ratingsByMonth(
      items.map((tour) => tour._id),
      now,
    ),
    newestReviews(all, asked.reviews),
    departuresOf(all, asked, now),
  ]);
  const tours = items.map((tour) => ({
    ...{ id: tour._id.toString(), title: tour.title, slug: tour.slug },
    avgRating: tour.avgRating ?? 0,
    reviewCount: tour.reviewCount ?? 0,
    months: months(tour._id),
  }));
  return { tours: { ...place, items: tours }, reviews, departures };
}

/** A page of the newest reviews of these tours. */
async function newestReviews(tours: TourDocument[], number: number): Promise<Page<GuideReview>> {
  const newest: ReviewDocument[] = [];
  for (const batch of batches(tours, LOOKUP))
    newest.push(
      ...(await Review.find({ tourId: { $in: batch.map(({ _id }) => _id) } })
        .sort({ createdAt: -1, _id: -1 })
        .limit(MOST_REVIEWS)
        .lean<ReviewDocument[]>()),
    );
  newest.sort(
    (a, b) =>
      b.createdAt.getTime() - a.createdAt.getTime() ||
      (a._id.toString() < b._id.toString() ? 1 : -1),
  );
  const { items, ...place } = pageOf(newest.slice(0, MOST_REVIEWS), number, REVIEWS_PER_PAGE);
  const people = await findPeople(items.map(({ userId }) => userId));
  const byId = new Map(tours.map((tour) => [tour._id.toString(), tour]));
  const shown = items.map((review) => {
    const { title, slug } = byId.get(review.tourId.toString())!;
    const author = people.get(review.userId.toString());
    return { ...toPublicReview(review, author), tour: { title, slug } };
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
