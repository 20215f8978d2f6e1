import type { ClientSession, Types } from "mongoose";
import { Review, type ReviewDocument } from "#models/review";
import { Tour, type TourDocument } from "#models/tour";
import { type Clock, systemClock } from "~/infra/clock";
import { ServiceError } from "~/infra/errors.server";
import { toObjectId } from "~/db/ids.server";
import { type Caller, requireCaller } from "~/accounts/caller.server";
import { EDIT_WINDOW_MS } from "~/infra/review-limits";
import { reviewTag } from "~/reviews/list/public-review.server";
import { texts } from "~/infra/refusal-texts";
import { zoneOf } from "~/infra/tour-zone.server";
import { type Ratings, storedRatings } from "./ratings.server";

export interface OwnReview {
  id: string;
  rating: number | null;
  comment: string | null;
  tag: string;
  /** In ISO 8601, UTC. */
  editableUntil: string;
  /** `slug` is null when the tour is gone; `timeZone` is whose clocks show the review's times. */
  tour: { title: string; slug: string | null; timeZone: string };
}

/** Returns one's own review for its edit form; throws `ServiceError` as a PATCH of it would. */
export async function findEditableReview(
  caller: Caller | null,
  reviewId: string,
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<OwnReview> {
  const review = await requireEditable(requireCaller(caller), reviewId, clock());
  return toOwnReview(review, await Tour.findById(review.tourId).lean<TourDocument>());
}

export interface DeletionEffect {
  before: Pick<Ratings, "avgRating" | "reviewCount">;
  after: Pick<Ratings, "avgRating" | "reviewCount">;
}

/** Throws `ServiceError` as a DELETE would. */
export async function findDeletableReview(
  caller: Caller | null,
  reviewId: string,
): Promise<OwnReview & { effect: DeletionEffect }> {
  const review = await requireDeletable(requireCaller(caller), reviewId);
  const tour = await Tour.findById(review.tourId).lean<TourDocument>();
  const before = storedRatings(tour);
  const rated = Object.values(before.ratingCounts).reduce((sum, count) => sum + count, 0);
  const left = Math.max(0, rated - (review.rating === null ? 0 : 1));
  const sum = before.avgRating * rated - (review.rating ?? 0);
  return {
    ...toOwnReview(review, tour),
    effect: {
      before,
      after: { avgRating: left && sum / left, reviewCount: Math.max(0, before.reviewCount - 1) },
    },
  };
}

/** The id of the caller's review with exactly this tour, rating and comment, or null. */
export async function findSameReview(
  caller: Caller,
  body: { tourId: string; rating?: number; comment: string },
): Promise<string | null> {
  const same = await Review.exists({
    tourId: toObjectId(body.tourId),
    userId: requireCaller(caller),
    rating: body.rating || null,
    comment: body.comment || null,
  });
  return same && same._id.toString();
}

function toOwnReview(review: ReviewDocument, tour: TourDocument | null): OwnReview {
  const { _id, rating, comment } = review;
  return {
    id: _id.toString(),
    rating,
    comment,
    tag: tagOf(review),
    editableUntil: new Date(review.createdAt.getTime() + EDIT_WINDOW_MS).toISOString(),
    tour: {
      title: tour?.title ?? "A former tour",
      slug: tour?.slug ?? null,
      timeZone: zoneOf(tour),
    },
  };
}

/** Checks 4 to 6 of docs/rules/reviews.md (Editing). */
export async function requireEditable(
  author: Types.ObjectId,
  reviewId: string,
  now: Date,
  session?: ClientSession,
): Promise<ReviewDocument> {
  const review = await findReview(reviewId, session);
  if (!review.userId.equals(author)) throw new ServiceError(403, texts.editNotOwn);
  if (now.getTime() - review.createdAt.getTime() > EDIT_WINDOW_MS)
    throw new ServiceError(403, texts.editTooLate);
  return review;
}

/** Checks 2 and 3 of docs/rules/reviews.md (Deleting). */
export async function requireDeletable(
  author: Types.ObjectId,
  reviewId: string,
  session?: ClientSession,
): Promise<ReviewDocument> {
  const review = await findReview(reviewId, session);
  if (!review.userId.equals(author)) throw new ServiceError(403, texts.deleteNotOwn);
  return review;
}

/** Throws `ServiceError` 412 when the review is in none of the states that `ifMatch` names. */
export function requireMatch(review: ReviewDocument, ifMatch: readonly string[] | undefined): void {
  if (ifMatch && !ifMatch.includes(tagOf(review)))
    throw new ServiceError(412, texts.changedMeanwhile);
}

export const tagOf = ({ _id, rating, comment }: ReviewDocument) =>
  reviewTag({ id: _id.toString(), rating, comment });

/** Throws `ServiceError` 404 when there is none. */
export async function findReview(
  reviewId: string,
  session?: ClientSession,
): Promise<ReviewDocument> {
  const id = toObjectId(reviewId);
  const review = id && (await Review.findById(id, null, { session }).lean<ReviewDocument>());
  if (!review) throw new ServiceError(404, texts.reviewNotFound);
  return review;
}
