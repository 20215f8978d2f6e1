import type { Types } from "mongoose";
import { Booking, type BookingDocument, COMPLETED } from "#models/booking";
import { RemovedReview } from "#models/removed-review";
import { Review } from "#models/review";
import { Tour, type TourDocument } from "#models/tour";
import { type Clock, systemClock } from "~/infra/clock";
import { BATCH } from "~/db/batches";
import { toObjectId } from "~/db/ids.server";
import { oncePerRequest } from "~/infra/request-scope.server";
import type { Caller } from "~/accounts/caller.server";
import { type CursorPage, cursorOf, cutPage, type Place, placeAfter } from "~/db/cursor.server";
import { EDIT_WINDOW_MS } from "~/infra/review-limits";
import {
  type ListedReply,
  toListedReviews,
  withAuthors,
} from "~/reviews/list/listed-review.server";
import { findAuthors } from "~/db/people.server";
import { newestReviews } from "~/reviews/list/newest-reviews.server";
import { findMalformedReviews } from "~/reviews/list/malformed.server";
import { zoneOf } from "~/infra/tour-zone.server";

export interface MyReview {
  id: string;
  rating: number | null;
  comment: string | null;
  createdAt: string;
  edited: boolean;
  /** When they had last taken part before, in ISO 8601; null where no booking says. */
  visitedAt: string | null;
  /** In ISO 8601; null when that is over. */
  editableUntil: string | null;
  /** Null when the tour is gone. */
  tour: { title: string; slug: string } | null;
  timeZone: string;
  reply: ListedReply | null;
}

export const MY_REVIEWS_PER_PAGE = 20;
export const TOURS_TO_REVIEW_PER_PAGE = 10;

/** Counting ends there. */
export const MOST_COUNTED = 10;
/** How many more tours than needed are read first. */
const SPARE = 10;

/** Newest first; a malformed cursor `after` is the first page. */
export async function myReviews(
  caller: Caller,
  { clock = systemClock, after = null }: { clock?: Clock; after?: string | null } = {},
): Promise<CursorPage<MyReview>> {
  const now = clock();
  const own = { userId: toObjectId(caller.id)! };
  const place = placeAfter(after);
  const [newest, malformed] = await Promise.all([
    // One more, to know whether there are more.
    newestReviews(own, { limit: MY_REVIEWS_PER_PAGE + 1, after: place }),
    findMalformedReviews(own),
  ]);
  const { rows: reviews, next } = cutPage([...newest, ...malformed], {
    place,
    size: MY_REVIEWS_PER_PAGE,
  });
  const [tours, listed] = await Promise.all([
    Tour.find({ _id: { $in: reviews.map(({ tourId }) => tourId) } }, "title slug timeZone").lean<
      TourDocument[]
    >(),
    toListedReviews(reviews),
  ]);
  const byId = new Map(tours.map((tour) => [tour._id.toString(), tour]));
  const guides = await findAuthors(listed.flatMap(({ reply }) => reply?.userId ?? []));
  const items = listed.map((review) => {
    const { id, rating, comment, createdAt, edited, visitedAt } = review;
    const tour = byId.get(review.tourId);
    const end = new Date(new Date(createdAt).getTime() + EDIT_WINDOW_MS);
    return {
      id,
      rating,
      comment,
      createdAt,
      edited,
      visitedAt,
      editableUntil: now <= end ? end.toISOString() : null,
      tour: tour ? { title: tour.title, slug: tour.slug } : null,
      timeZone: zoneOf(tour ?? null),
      reply: withAuthors(review, guides).reply,
    };
  });
  return { items, next };
}

export interface TourToReview {
  title: string;
  slug: string;
  /** When the user last took part, in ISO 8601; null when the booking does not say. */
  date: string | null;
  timeZone: string;
}

/** The time is that of its latest booking; 0 when no booking says. */
type Waiting = Place;

/** The latest booking first, then by id. */
const latestFirst = (a: Waiting, b: Waiting) => b.time - a.time || (a.id < b.id ? -1 : 1);

/** The latest booking first; a malformed cursor `after` is the first page. */
export async function toursToReview(
  caller: Caller,
  { after = null }: { after?: string | null } = {},
): Promise<CursorPage<TourToReview>> {
  // One more, to know whether there are more.
  const found = await findWaiting(caller, TOURS_TO_REVIEW_PER_PAGE + 1, placeAfter(after));
  const page = found.slice(0, TOURS_TO_REVIEW_PER_PAGE);
  const last = page.at(-1);
  return {
    items: page.map(({ title, slug, date, timeZone }) => ({ title, slug, date, timeZone })),
    next: last && found.length > page.length ? cursorOf(last) : null,
  };
}

/** `MOST_COUNTED` stands for that many or more. */
export const countToursToReview = async (caller: Caller): Promise<number> =>
  (await findWaiting(caller, MOST_COUNTED)).length;

/** The tour that waits for the caller's review after the latest booking; null when none does. */
export async function nextTourToReview(
  caller: Caller,
): Promise<Pick<TourToReview, "title" | "slug"> | null> {
  const [next] = await findWaiting(caller, 1);
  return next ? { title: next.title, slug: next.slug } : null;
}

/** The first `most`, or those after that place. */
async function findWaiting(
  caller: Caller,
  most: number,
  after: Waiting | null = null,
): Promise<(Waiting & TourToReview)[]> {
  const userId = toObjectId(caller.id);
  const all = await oncePerRequest(`tours to review of ${caller.id}`, () => findAllWaiting(userId));
  const waiting = all.filter((tour) => !after || latestFirst(after, tour) < 0);
  const found: (Waiting & TourToReview)[] = [];
  // Few tours have been deleted, so hardly more than requested are read.
  let size = Math.min(BATCH, most + SPARE);
  for (let from = 0; from < waiting.length && found.length < most; from += size, size = BATCH)
    found.push(...(await loadTours(waiting.slice(from, from + size), userId)));
  return found.slice(0, most);
}

/** All tours that wait, in their order, also those that are gone or the user's own. */
async function findAllWaiting(userId: Types.ObjectId | null): Promise<Waiting[]> {
  const [bookings, reviewed, removed] = await Promise.all([
    Booking.find({ userId, status: COMPLETED }, "tourId date").lean<BookingDocument[]>(),
    Review.distinct("tourId", { userId }),
    RemovedReview.distinct("tourId", { userId }),
  ]);
  const done = new Set([...reviewed, ...removed].map(String));
  const times = new Map<string, number>();
  for (const { tourId, date } of bookings) {
    const id = tourId.toString();
    if (!done.has(id)) times.set(id, Math.max(times.get(id) ?? 0, date?.getTime() ?? 0));
  }
  return [...times].map(([id, time]) => ({ rating: null, time, id })).sort(latestFirst);
}

/** Still there and not the user's own, in the same order. */
async function loadTours(waiting: Waiting[], userId: Types.ObjectId | null) {
  const tours = await Tour.find(
    { _id: { $in: waiting.map(({ id }) => toObjectId(id)) }, createdById: { $ne: userId } },
    "title slug timeZone",
  ).lean<TourDocument[]>();
  const byId = new Map(tours.map((tour) => [tour._id.toString(), tour]));
  return waiting.flatMap((entry) => {
    const tour = byId.get(entry.id);
    const date = entry.time ? new Date(entry.time).toISOString() : null;
    if (!tour) return [];
    return [{ ...entry, title: tour.title, slug: tour.slug, date, timeZone: zoneOf(tour) }];
  });
}
