import type { ClientSession, Types } from "mongoose";
import { Review, type ReviewDocument } from "../../../models/review";
import { Tour, type TourDocument } from "../../../models/tour";
import { type Clock, systemClock } from "../../infra/clock";
import { ServiceError } from "../../infra/errors.server";
import { toObjectId } from "../../infra/ids.server";
import { type Caller, requireCaller } from "../caller.server";
import { EDIT_WINDOW_MS } from "./limits";
import { reviewTag } from "./public-review.server";
import { type Ratings, storedRatings } from "./ratings.server";
import { CHANGED_MEANWHILE } from "./texts";

/** One's own review on the pages that change it, with its tour. */
export interface OwnReview {
  id: string;
  rating: number;
  comment: string | null;
  /** Names its state; see `reviewTag`. */
  tag: string;
  /** ISO 8601, UTC: until when it can be edited. */
  editableUntil: string;
  /** `slug` is null when the tour is gone. */
  tour: { title: string; slug: string | null };
}

/** One's own review, for editing it; throws `ServiceError` as a PATCH of it would. */
export async function findEditableReview(
  caller: Caller,
  reviewId: string,
  clock: Clock = systemClock,
): Promise<OwnReview> {
  const review = await requireEditable(requireCaller(caller), reviewId, clock());
  return toOwnReview(review, await Tour.findById(review.tourId).lean<TourDocument>());
}

/** What deleting a review does to its tour. */
export interface DeletionEffect {
  before: Pick<Ratings, "avgRating" | "reviewCount">;
  after: Pick<Ratings, "avgRating" | "reviewCount">;
}

/** One's own review, for deleting it, and what that does; throws `ServiceError` as a DELETE would. */
export async function findDeletableReview(
  caller: Caller,
  reviewId: string,
): Promise<OwnReview & { effect: DeletionEffect }> {
  const review = await requireDeletable(requireCaller(caller), reviewId);
  const tour = await Tour.findById(review.tourId).lean<TourDocument>();
  const before = storedRatings(tour ?? {});
  const left = Math.max(0, before.reviewCount - 1);
  const sum = before.avgRating * before.reviewCount - review.rating;
  return {
    ...toOwnReview(review, tour),
    effect: { before, after: { avgRating: left && sum / left, reviewCount: left } },
  };
}

function toOwnReview(review: ReviewDocument, tour: TourDocument | null): OwnReview {
  const id = review._id.toString();
  const { rating, comment } = review;
  return {
    id,
    rating,
    comment,
    tag: reviewTag({ id, rating, comment }),
    editableUntil: new Date(review.createdAt.getTime() + EDIT_WINDOW_MS).toISOString(),
    tour: { title: tour?.title ?? "A former tour", slug: tour?.slug ?? null },
  };
}

/** Checks 4 to 6 of PATCH. */
export async function requireEditable(
  author: Types.ObjectId,
  reviewId: string,
  now: Date,
  session?: ClientSession,
): Promise<ReviewDocument> {
  const review = await findReview(reviewId, session);
  if (!review.userId.equals(author))
    throw new ServiceError(403, "You can only edit your own reviews");
  if (now.getTime() - review.createdAt.getTime() > EDIT_WINDOW_MS)
    throw new ServiceError(403, "Reviews can only be edited within 24 hours of posting");
  return review;
}

/** Checks 2 and 3 of DELETE. */
export async function requireDeletable(
  author: Types.ObjectId,
  reviewId: string,
): Promise<ReviewDocument> {
  const review = await findReview(reviewId);
  if (!review.userId.equals(author))
    throw new ServiceError(403, "You can only delete your own reviews");
  return review;
}

/** The precondition of a change that names the states in which it may be done. */
export function requireTag(review: ReviewDocument, tags: readonly string[] | undefined): void {
  const { rating, comment } = review;
  if (tags && !tags.includes(reviewTag({ id: review._id.toString(), rating, comment })))
    throw changedMeanwhile();
}

/** The filter of the state that was checked. A platform may keep no comment, or an empty one. */
export const stateOf = ({ rating, comment }: ReviewDocument) => ({
  rating,
  comment: comment || { $in: [null, ""] },
});

export async function findReview(
  reviewId: string,
  session?: ClientSession,
): Promise<ReviewDocument> {
  const id = toObjectId(reviewId);
  const review = id && (await Review.findById(id, null, { session }).lean<ReviewDocument>());
  if (!review) throw reviewNotFound();
  return review;
}

export const reviewNotFound = () => new ServiceError(404, "Review not found");

export const changedMeanwhile = () => new ServiceError(412, CHANGED_MEANWHILE);
