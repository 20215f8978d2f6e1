import type { Types } from "mongoose";
import { z } from "zod";
import { COMPLETED } from "#models/booking";
import { RemovedReview, type RemovedReviewDocument } from "#models/removed-review";
import { Review } from "#models/review";
import { BATCH } from "~/db/batches";
import { toObjectId } from "~/db/ids.server";
import { oncePerRequest } from "~/lib/request-scope.server";
import { type Caller, requireCaller } from "~/accounts/caller.server";
import { type CursorPage, reviewCursor, cutPage, type Place, placeAfter } from "~/db/cursor.server";
import { cursor } from "~/db/page-query.server";
import { EDIT_WINDOW_MS } from "~/lib/review-limits";
import { including, type IncludingReview } from "~/reviews/list/api-page.server";
import { toListedReviews, withAuthors } from "~/reviews/list/listed-review.server";
import { findAuthors } from "~/accounts/people.server";
import { newestReviews } from "~/reviews/list/newest-reviews.server";
import { findMalformedReviews } from "~/reviews/list/malformed.server";
import { zoneOf } from "~/lib/tour-zone.server";
import { statementToken } from "~/moderation/links.server";
import { findOwnBookings } from "~/me/coming-bookings.server";
import { findTours, type NamedTour, namedTour } from "~/tours/named-tour.server";
import { casePath } from "~/moderation/labels";

export type MyReview = Awaited<ReturnType<typeof myReviews>>["items"][number];

export const MY_REVIEWS_PER_PAGE = 20;
export const TOURS_TO_REVIEW_PER_PAGE = 10;

/** Counting ends there. */
export const MOST_COUNTED = 10;
/** How many more tours than a page needs are read first. */
const SPARE = 10;

/** Newest first; a malformed cursor `after` is the first page. */
export async function myReviews(caller: Caller, { after = null }: { after?: string | null } = {}) {
  const now = new Date();
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
    findTours(reviews.map(({ tourId }) => tourId)),
    toListedReviews(reviews),
  ]);
  const guides = await findAuthors(listed.flatMap(({ reply }) => reply?.userId ?? []));
  const items = listed.map((review, index) => {
    const { redaction } = reviews[index]!;
    const tour = tours.get(review.tourId) ?? null;
    const end = new Date(Date.parse(review.createdAt) + EDIT_WINDOW_MS);
    return {
      ...withAuthors(review, guides),
      /** The page of the decision by which its words were removed. */
      decisionPath: redaction ? casePath(statementToken(redaction.caseId)) : null,
      /** Null when the time for changes is over. */
      editableUntil: now <= end ? end.toISOString() : null,
      /** Null when the tour is gone. */
      tour: tour && namedTour(tour),
      timeZone: zoneOf(tour),
    };
  });
  return { items, next };
}

/** Query of the API's lists of what is the caller's own. */
export const OwnListQuery = z.object({ after: cursor });

export type OwnReview = IncludingReview &
  Pick<MyReview, "editableUntil"> & { tour: Pick<NamedTour, "title" | "slug"> | null };

/** `myReviews` as the API shows them. */
export async function listOwnReviews(
  caller: Caller,
  query: z.output<typeof OwnListQuery>,
): Promise<CursorPage<OwnReview>> {
  const { items, next } = await myReviews(caller, query);
  const shown = items.map((review) => {
    const { editableUntil, tour } = review;
    const named = tour && { title: tour.title, slug: tour.slug };
    return { ...including(review), editableUntil, tour: named };
  });
  return { items: shown, next };
}

export interface TourToReview extends NamedTour {
  id: string;
  /** When the user last took part; null when the booking does not say. */
  date: string | null;
}

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
    items: page.map(({ tour }) => tour),
    next: last && found.length > page.length ? reviewCursor(last.place) : null,
  };
}

/** `MOST_COUNTED` stands for that many or more. */
export const countToursToReview = async (caller: Caller): Promise<number> =>
  (await findWaiting(caller, MOST_COUNTED)).length;

/** The tour that waits for the caller's review after the latest booking; null when none does. */
export async function nextTourToReview(caller: Caller): Promise<TourToReview | null> {
  const [next] = await findWaiting(caller, 1);
  return next?.tour ?? null;
}

/** The latest booking first, then by id; a place's time is that of the tour's latest booking, 0 when no booking says. */
const latestFirst = (a: Place, b: Place) => b.time - a.time || (a.id < b.id ? -1 : 1);

/** How many tours are read first, however many the caller needs: few have been deleted, so hardly more are needed. */
const READ_FIRST = TOURS_TO_REVIEW_PER_PAGE + SPARE;

/** The first `most`, or those after that place. */
async function findWaiting(caller: Caller, most: number, after: Place | null = null) {
  const userId = toObjectId(caller.id);
  const all = await oncePerRequest(`tours to review of ${caller.id}`, () => findAllWaiting(userId));
  const waiting = all.filter((place) => !after || latestFirst(after, place) < 0);
  const found: { place: Place; tour: TourToReview }[] = [];
  let size = READ_FIRST;
  for (let from = 0; from < waiting.length && found.length < most; from += size, size = BATCH) {
    const places = waiting.slice(from, from + size);
    const tours = await oncePerRequest(`to review from ${places[0]!.id} of ${caller.id}`, () =>
      findReviewable(userId, places),
    );
    for (const place of places) {
      const tour = tours.get(place.id);
      if (!tour) continue;
      const date = place.time ? new Date(place.time).toISOString() : null;
      found.push({ place, tour: { id: place.id, ...namedTour(tour), date } });
    }
  }
  return found.slice(0, most);
}

/** Returns those of these tours that the user may review. */
async function findReviewable(userId: Types.ObjectId | null, places: Place[]) {
  const tours = await findTours(places.map(({ id }) => toObjectId(id)!));
  for (const [id, tour] of tours) if (tour.createdById.equals(userId)) tours.delete(id);
  // Only a tour of which operators have removed reviews has any to look for.
  const mayBeRemoved = [...tours.values()].filter(({ removedReviews }) => removedReviews > 0);
  if (mayBeRemoved.length > 0) {
    const tourId = { $in: mayBeRemoved.map(({ _id }) => _id) };
    for (const id of await RemovedReview.distinct("tourId", { userId, tourId }))
      tours.delete(id.toString());
  }
  return tours;
}

/** All tours that wait, in their order, also those that are gone or the user's own. */
async function findAllWaiting(userId: Types.ObjectId | null): Promise<Place[]> {
  const [bookings, reviewed] = await Promise.all([
    findOwnBookings(userId),
    Review.distinct("tourId", { userId }),
  ]);
  const done = new Set(reviewed.map(String));
  const times = new Map<string, number>();
  for (const { tourId, date, status } of bookings) {
    const id = tourId.toString();
    if (status === COMPLETED && !done.has(id))
      times.set(id, Math.max(times.get(id) ?? 0, date?.getTime() ?? 0));
  }
  return [...times].map(([id, time]) => ({ rating: null, time, id })).sort(latestFirst);
}

/** How many are shown; there are hardly ever more. */
const REMOVED_SHOWN = 20;

/** Returns the caller's reviews that operators have removed, latest first, without those that are deleted for good. */
export async function myRemovedReviews(caller: Caller) {
  const found = await RemovedReview.find({ userId: requireCaller(caller), review: { $ne: null } })
    .sort({ removedAt: -1 })
    .limit(REMOVED_SHOWN)
    .lean<RemovedReviewDocument[]>();
  const tours = await findTours(found.map(({ tourId }) => tourId));
  return found.map(({ _id, tourId, removedAt, caseId }) => {
    const tour = tours.get(tourId.toString()) ?? null;
    return {
      id: _id.toString(),
      tourTitle: tour?.title ?? "A former tour",
      removedAt,
      timeZone: zoneOf(tour),
      path: casePath(statementToken(caseId)),
    };
  });
}
