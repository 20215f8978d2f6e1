import type { Types } from "mongoose";
import { Booking, type BookingDocument, COMPLETED } from "../../../models/booking";
import { Review } from "../../../models/review";
import { Tour, type TourDocument } from "../../../models/tour";
import { type Clock, systemClock } from "../../infra/clock";
import { LOOKUP } from "../../infra/batches";
import { toObjectId } from "../../infra/ids.server";
import type { Caller } from "../caller.server";
import { cutPage, type Page, placeAfter } from "../paging.server";
import { EDIT_WINDOW_MS } from "./limits";
import { newestRows } from "./newest-rows.server";
import { oddReviewsOf } from "./odd-reviews.server";

/** An own review as its author sees it. */
export interface MyReview {
  id: string;
  rating: number | null;
  comment: string | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  edited: boolean;
  /** Until when it can be edited, in ISO 8601; null when that is over. */
  editableUntil: string | null;
  /** Null when the tour is gone. */
  tour: { title: string; slug: string } | null;
}

/** How many of each there are on a page. */
export const MY_REVIEWS_PER_PAGE = 20;
export const TOURS_TO_REVIEW_PER_PAGE = 10;

/**
 * A page of the caller's own reviews, newest first, behind the one that the cursor `after` names; a
 * malformed cursor is the first page.
 */
export async function myReviews(
  caller: Caller,
  { clock = systemClock, after = null }: { clock?: Clock; after?: string | null } = {},
): Promise<Page<MyReview>> {
  const now = clock();
  const own = { userId: toObjectId(caller.id)! };
  const place = placeAfter(after);
  const [newest, odd] = await Promise.all([
    // One more, to know whether there are more.
    newestRows(own, MY_REVIEWS_PER_PAGE + 1, place),
    oddReviewsOf(own),
  ]);
  const { rows: reviews, next } = cutPage([...newest, ...odd], place, MY_REVIEWS_PER_PAGE);
  const tours = await Tour.find(
    { _id: { $in: reviews.map(({ tourId }) => tourId) } },
    "title slug",
  ).lean<TourDocument[]>();
  const byId = new Map(tours.map(({ _id, title, slug }) => [_id.toString(), { title, slug }]));
  const items = reviews.map((review) => {
    const end = new Date(review.createdAt.getTime() + EDIT_WINDOW_MS);
    return {
      id: review._id.toString(),
      rating: review.rating,
      comment: review.comment || null,
      createdAt: review.createdAt.toISOString(),
      edited: Boolean(review.editedAt),
      editableUntil: now <= end ? end.toISOString() : null,
      tour: byId.get(review.tourId.toString()) ?? null,
    };
  });
  return { items, next };
}

export interface TourToReview {
  title: string;
  slug: string;
  /** When the user last took part, in ISO 8601; null when the booking does not say. */
  date: string | null;
}

/** A tour that waits, in the order of the list: the latest booking first, then by id. */
interface Waiting {
  id: string;
  /** In milliseconds; 0 when no booking says. */
  time: number;
}

const latestFirst = (a: Waiting, b: Waiting) => b.time - a.time || (a.id < b.id ? -1 : 1);

/**
 * A page of the tours that the caller may review and has not, the latest booking first, behind the one that
 * the cursor `after` names; a malformed cursor is the first page.
 */
export async function toursToReview(
  caller: Caller,
  { after = null }: { after?: string | null } = {},
): Promise<Page<TourToReview>> {
  const userId = toObjectId(caller.id);
  const [bookings, reviewed] = await Promise.all([
    Booking.find({ userId, status: COMPLETED }, "tourId date").lean<BookingDocument[]>(),
    Review.distinct("tourId", { userId }),
  ]);
  const done = new Set(reviewed.map(String));
  const times = new Map<string, number>();
  for (const { tourId, date } of bookings) {
    const id = tourId.toString();
    if (!done.has(id)) times.set(id, Math.max(times.get(id) ?? 0, date?.getTime() ?? 0));
  }
  const cursor = decodeWaiting(after);
  const waiting = [...times]
    .map(([id, time]) => ({ id, time }))
    .filter((tour) => !cursor || latestFirst(cursor, tour) < 0)
    .sort(latestFirst);

  const found: (Waiting & TourToReview)[] = [];
  for (
    let from = 0;
    from < waiting.length && found.length <= TOURS_TO_REVIEW_PER_PAGE;
    from += LOOKUP
  )
    found.push(...(await loadTours(waiting.slice(from, from + LOOKUP), userId)));
  const page = found.slice(0, TOURS_TO_REVIEW_PER_PAGE);
  const last = page.at(-1);
  return {
    items: page.map(({ title, slug, date }) => ({ title, slug, date })),
    next: last && found.length > page.length ? `${last.time}.${last.id}` : null,
  };
}

/** Those of the tours that are still there and not the user's own, in the same order. */
async function loadTours(waiting: Waiting[], userId: Types.ObjectId | null) {
  const tours = await Tour.find(
    { _id: { $in: waiting.map(({ id }) => toObjectId(id)) }, createdById: { $ne: userId } },
    "title slug",
  ).lean<TourDocument[]>();
  const byId = new Map(tours.map((tour) => [tour._id.toString(), tour]));
  return waiting.flatMap((entry) => {
    const tour = byId.get(entry.id);
    const date = entry.time ? new Date(entry.time).toISOString() : null;
    return tour ? [{ ...entry, title: tour.title, slug: tour.slug, date }] : [];
  });
}

function decodeWaiting(cursor: string | null): Waiting | null {
  const [, time, id] = /^(\d{1,15})\.([0-9a-f]{24})$/.exec(cursor ?? "") ?? [];
  return time && id ? { time: Number(time), id } : null;
}
