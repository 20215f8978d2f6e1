import { z } from "zod";
import { RemovedReview, type RemovedReviewDocument } from "#models/removed-review";
import type { ReviewDocument } from "#models/review";
import type { TourDocument } from "#models/tour";
import { BATCH } from "~/db/batches";
import { toObjectId } from "~/db/ids.server";
import { oncePerRequest } from "~/lib/request-scope.server";
import { type Caller, requireCaller } from "~/accounts/caller.server";
import { type CursorPage, cutPage, type Place, reviewCursor } from "~/db/cursor.server";
import { cursorParameter } from "~/db/page-query.server";
import { EDIT_WINDOW_MS } from "~/lib/review-limits";
import { including, type IncludingReview } from "~/reviews/list/api-page.server";
import type { BookedVisit } from "~/reviews/list/visits.server";
import { toListedReviews, withAuthors } from "~/reviews/list/listed-review.server";
import { findAuthors } from "~/accounts/people.server";
import { newestReviews } from "~/reviews/list/newest-reviews.server";
import { findMalformedReviews } from "~/reviews/list/malformed.server";
import { tourTimeZone } from "~/lib/tour-zone.server";
import { statementToken } from "~/moderation/links.server";
import { findTours, type NamedTour, namedTour } from "~/tours/named-tour.server";
import { casePath } from "~/moderation/labels";
import { findBooked, findOwnBookings, latestFirst, WAITING_READ } from "./booked.server";

export type MyReview = Awaited<ReturnType<typeof myReviews>>["items"][number];

export const MY_REVIEWS_PER_PAGE = 20;
export const TOURS_TO_REVIEW_PER_PAGE = 10;

/** Counting ends there. */
export const MOST_COUNTED = 10;

interface AskedPage {
  /** A malformed cursor is the first page, as is none. */
  after?: string | null;
}

/** Newest first. */
export async function myReviews(caller: Caller, { after = null }: AskedPage = {}) {
  const { reviews, next } = await findWritten(caller, after);
  const tours = findTours(reviews.map(({ tourId }) => tourId));
  return { items: await toMyReviews(reviews, tours), next };
}

/** `myReviews`, and those of the caller's reviews that operators have removed, by one reading of their tours. */
export async function myWrittenAndRemoved(caller: Caller, after: string | null) {
  const [{ reviews, next }, removed, bookings] = await Promise.all([
    findWritten(caller, after),
    findRemoved(caller),
    // The page reads them in any case, for what is to come.
    findOwnBookings(toObjectId(caller.id)),
  ]);
  const tours = findTours([...reviews, ...removed].map(({ tourId }) => tourId));
  const items = await toMyReviews(reviews, tours, bookings);
  const byId = await tours;
  return {
    written: { items, next },
    removed: removed.map((one) => toMyRemovedReview(one, byId)),
  };
}

async function findWritten(caller: Caller, after: string | null) {
  const own = { userId: requireCaller(caller) };
  const place = reviewCursor.decode(after);
  const [newest, malformed] = await Promise.all([
    // One more, to know whether there are more.
    newestReviews(own, { limit: MY_REVIEWS_PER_PAGE + 1, after: place }),
    findMalformedReviews(own),
  ]);
  const { rows, next } = cutPage([...newest, ...malformed], { place, size: MY_REVIEWS_PER_PAGE });
  return { reviews: rows, next };
}

type Tours = ReadonlyMap<string, TourDocument>;

/** `bookings` are all of their author's, where they were read before. */
async function toMyReviews(
  reviews: ReviewDocument[],
  findingTours: Promise<Tours>,
  bookings?: readonly BookedVisit[],
) {
  const now = new Date();
  const [tours, listed] = await Promise.all([findingTours, toListedReviews(reviews, { bookings })]);
  const guides = await findAuthors(listed.flatMap(({ reply }) => reply?.userId ?? []));
  return listed.map((review, index) => {
    const redaction = reviews[index]?.redaction;
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
      timeZone: tourTimeZone(tour),
    };
  });
}

/** Query of the API's lists of what is the caller's own. */
export const OwnListQuery = z.object({ after: cursorParameter(reviewCursor) });

export type ListedOwnReview = IncludingReview &
  Pick<MyReview, "editableUntil"> & { tour: Pick<NamedTour, "title" | "slug"> | null };

/** `myReviews` as the API shows them. */
export async function listOwnReviews(
  caller: Caller,
  query: z.output<typeof OwnListQuery>,
): Promise<CursorPage<ListedOwnReview>> {
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

/** The latest booking first. */
export async function toursToReview(
  caller: Caller,
  { after = null }: AskedPage = {},
): Promise<CursorPage<TourToReview>> {
  // One more, to know whether there are more.
  const found = await findWaiting(caller, TOURS_TO_REVIEW_PER_PAGE + 1, reviewCursor.decode(after));
  const page = found.slice(0, TOURS_TO_REVIEW_PER_PAGE);
  const last = page.at(-1);
  return {
    items: page.map(({ tour }) => tour),
    next: last && found.length > page.length ? reviewCursor.encode(last.place) : null,
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

/** The first `most`, or those after that place. */
async function findWaiting(caller: Caller, most: number, after: Place | null = null) {
  const { waiting: all, tours: known } = await findBooked(caller);
  const waiting = all.filter((place) => !after || latestFirst(after, place) < 0);
  const found: { place: Place; tour: TourToReview }[] = [];
  let size = WAITING_READ;
  for (let from = 0; from < waiting.length && found.length < most; from += size, size = BATCH) {
    const places = waiting.slice(from, from + size);
    const ids = places.flatMap(({ id }) => toObjectId(id) ?? []);
    const tours = await oncePerRequest(
      `to review from ${places[0]!.id} of ${caller.id}`,
      async () => findReviewableTours(caller, places[0] === all[0] ? known : await findTours(ids)),
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

/** Returns those of these tours that the user may review, if they were there. */
async function findReviewableTours(caller: Caller, tours: ReadonlyMap<string, TourDocument>) {
  const userId = toObjectId(caller.id);
  const others = [...tours.values()].filter(({ createdById }) => !createdById.equals(userId));
  // Only a tour of which operators have removed reviews has any to look for.
  const mayBeRemoved = others.filter(({ removedReviews }) => removedReviews > 0);
  const tourId = { $in: mayBeRemoved.map(({ _id }) => _id) };
  const removed =
    mayBeRemoved.length > 0 ? await RemovedReview.distinct("tourId", { userId, tourId }) : [];
  const reviewed = new Set(removed.map(String));
  const left = others.map((tour) => [tour._id.toString(), tour] as const);
  return new Map(left.filter(([id]) => !reviewed.has(id)));
}

/** How many are shown; there are hardly ever more. */
const REMOVED_SHOWN = 20;

/** Latest first, without those that are deleted for good. */
const findRemoved = (caller: Caller) =>
  RemovedReview.find({ userId: requireCaller(caller), review: { $ne: null } })
    .sort({ removedAt: -1 })
    .limit(REMOVED_SHOWN)
    .lean<RemovedReviewDocument[]>();

export type MyRemovedReview = ReturnType<typeof toMyRemovedReview>;

function toMyRemovedReview(
  { _id, tourId, removedAt, caseId }: RemovedReviewDocument,
  tours: Tours,
) {
  const tour = tours.get(tourId.toString()) ?? null;
  return {
    id: _id.toString(),
    tourTitle: tour?.title ?? "A former tour",
    removedAt,
    timeZone: tourTimeZone(tour),
    path: casePath(statementToken(caseId)),
  };
}
