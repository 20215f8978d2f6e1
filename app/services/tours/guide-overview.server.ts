import type { Types } from "mongoose";
import { Booking, CONFIRMED, type BookingDocument } from "../../../models/booking";
import { Review, type ReviewDocument } from "../../../models/review";
import { Tour, type TourDocument } from "../../../models/tour";
import { User, type UserDocument } from "../../../models/user";
import { type Clock, systemClock } from "../../infra/clock";
import { toObjectId } from "../../infra/ids.server";
import type { Caller } from "../caller.server";
import { type PublicReview, toPublicReview } from "../reviews/public-review.server";

/** Months of ratings that a guide sees, the present one included. */
const MONTHS = 12;
const NEWEST_REVIEWS = 20;
/** How long past departures are shown. */
const RECENT_MS = 30 * 24 * 60 * 60 * 1_000;
/** Bookings that one page shows; of more, those furthest in the past are left out. */
const MOST_BOOKINGS = 1_000;

/** What a guide sees of the own tours. */
export interface GuideOverview {
  tours: GuideTour[];
  /** The newest reviews of all of them, newest first. */
  reviews: GuideReview[];
  /** To be completed first (the oldest of them first), then upcoming (the soonest first), then past. */
  departures: Departure[];
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

/** A tour at one date. */
export interface Departure {
  tour: { id: string; title: string; slug: string };
  /** ISO 8601; null when neither the bookings nor the tour have a date. */
  date: string | null;
  /** `open` has begun and holds confirmed bookings: it can be completed. */
  state: "open" | "upcoming" | "past";
  bookings: { id: string; explorer: { name: string; image: string | null }; status: string }[];
}

/** Returns everything on a guide's page; a user without tours has empty lists. */
export async function guideOverview(
  guide: Caller,
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<GuideOverview> {
  const now = clock();
  const tours = await Tour.find({ createdById: toObjectId(guide.id) })
    .sort({ title: 1, _id: 1 })
    .lean<TourDocument[]>();
  if (tours.length === 0) return { tours: [], reviews: [], departures: [] };

  const tourIds = tours.map((tour) => tour._id);
  const [months, reviews, bookings] = await Promise.all([
    ratingsByMonth(tourIds, now),
    Review.find({ tourId: { $in: tourIds } })
      .sort({ createdAt: -1, _id: -1 })
      .limit(NEWEST_REVIEWS)
      .lean<ReviewDocument[]>(),
    findBookings(tours, now),
  ]);
  const people = await findPeople([...reviews, ...bookings].map(({ userId }) => userId));
  const byId = new Map(tours.map((tour) => [tour._id.toString(), tour]));
  return {
    tours: tours.map((tour) => ({
      ...named(tour),
      avgRating: tour.avgRating ?? 0,
      reviewCount: tour.reviewCount ?? 0,
      months: months(tour._id),
    })),
    reviews: reviews.map((review) => {
      const { title, slug } = byId.get(review.tourId.toString())!;
      return {
        ...toPublicReview(review, people.get(review.userId.toString())),
        tour: { title, slug },
      };
    }),
    departures: toDepartures(bookings, byId, people, now),
  };
}

const named = ({ _id, title, slug }: TourDocument) => ({ id: _id.toString(), title, slug });

/** For each tour, the mean and the number of the reviews of each of the last twelve months. */
async function ratingsByMonth(tourIds: Types.ObjectId[], now: Date) {
  const names = Array.from({ length: MONTHS }, (_, index) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS + 1 + index))
      .toISOString()
      .slice(0, 7),
  );
  const rows = await Review.aggregate<{
    _id: { tourId: Types.ObjectId; month: string };
    mean: number;
    count: number;
  }>([
    { $match: { tourId: { $in: tourIds }, createdAt: { $gte: new Date(`${names[0]}-01`) } } },
    {
      $group: {
        _id: {
          tourId: "$tourId",
          month: { $dateToString: { date: "$createdAt", format: "%Y-%m" } },
        },
        mean: { $avg: "$rating" },
        count: { $sum: 1 },
      },
    },
  ]);
  const found = new Map(
    rows.map(({ _id, mean, count }) => [`${_id.tourId.toString()} ${_id.month}`, { mean, count }]),
  );
  return (tourId: Types.ObjectId): MonthRating[] =>
    names.map((month) => {
      const ratings = found.get(`${tourId.toString()} ${month}`);
      return { month, count: ratings?.count ?? 0, mean: ratings?.mean ?? null };
    });
}

/** The bookings of the departures to come and of those that are not long past. */
function findBookings(tours: TourDocument[], now: Date): Promise<BookingDocument[]> {
  const since = new Date(now.getTime() - RECENT_MS);
  const idsOf = (some: TourDocument[]) => some.map((tour) => tour._id);
  return Booking.find({
    $or: [
      { tourId: { $in: idsOf(tours) }, date: { $gte: since } },
      {
        tourId: { $in: idsOf(tours.filter(({ date }) => !date || date >= since)) },
        date: null,
      },
    ],
  })
    .sort({ date: -1, _id: 1 })
    .limit(MOST_BOOKINGS)
    .lean<BookingDocument[]>()
    .exec();
}

/** Names and pictures of these users, by id. */
async function findPeople(ids: Types.ObjectId[]): Promise<Map<string, UserDocument>> {
  const distinct = [...new Map(ids.map((id) => [id.toString(), id])).values()];
  const people = await User.find({ _id: { $in: distinct } }, "name image").lean<UserDocument[]>();
  return new Map(people.map((person) => [person._id.toString(), person]));
}

function toDepartures(
  bookings: BookingDocument[],
  tours: Map<string, TourDocument>,
  people: Map<string, UserDocument>,
  now: Date,
): Departure[] {
  const departures = new Map<string, Departure>();
  for (const booking of bookings) {
    const tour = tours.get(booking.tourId.toString())!;
    const date = (booking.date ?? tour.date)?.toISOString() ?? null;
    const key = `${tour._id.toString()} ${date}`;
    const departure: Departure = departures.get(key) ?? {
      tour: named(tour),
      date,
      state: date !== null && new Date(date) > now ? "upcoming" : "past",
      bookings: [],
    };
    departures.set(key, departure);
    const person = people.get(booking.userId.toString());
    departure.bookings.push({
      id: booking._id.toString(),
      explorer: { name: person?.name ?? "", image: person?.image || null },
      status: booking.status,
    });
    if (departure.state === "past" && booking.status === CONFIRMED) departure.state = "open";
  }
  const of = (state: Departure["state"], direction: 1 | -1) =>
    [...departures.values()]
      .filter((departure) => departure.state === state)
      .sort((a, b) => direction * (timeOf(a) - timeOf(b)));
  return [...of("open", 1), ...of("upcoming", 1), ...of("past", -1)];
}

/** A departure without a date stands before all others that are over. */
const timeOf = ({ date }: Departure) => (date === null ? 0 : Date.parse(date));
