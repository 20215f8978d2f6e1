import type { ClientSession, Types } from "mongoose";
import { type Content, reviewContent, storedContent, type TypedContent } from "~/reviews/content";
import { readReview, Review, type ReviewDocument } from "#models/review";
import { readTour, Tour, type TourDocument } from "#models/tour";
import { readUser, User, type UserDocument } from "#models/user";
import { ServiceError } from "~/lib/errors.server";
import { isObjectId, toObjectId } from "~/db/ids.server";
import { joinById } from "~/db/join.server";
import { type Caller, requireCaller } from "~/accounts/caller.server";
import { EDIT_WINDOW_MS } from "~/lib/review-limits";
import { reviewTag } from "~/reviews/list/public-review.server";
import { texts } from "~/lib/refusal-texts";
import { tourTimeZone } from "~/lib/tour-zone.server";
import { type Ratings, storedRatings } from "./ratings.server";

export interface OwnReview extends Content {
  id: string;
  tag: string;
  editableUntil: string;
  /** `slug` is null when the tour is gone. */
  tour: { title: string; slug: string | null; timeZone: string };
}

/** Returns one's own review for its edit form; throws `ServiceError` as a PATCH of it would. */
export async function getEditableReview(
  caller: Caller | null,
  reviewId: string,
): Promise<OwnReview> {
  const author = requireCaller(caller);
  const review = await getStoredReview(reviewId);
  requireEditable(review, author, { now: new Date() });
  return toOwnReview(review, await Tour.findById(review.tourId).lean<TourDocument>());
}

type Aggregates = Pick<Ratings, "avgRating" | "reviewCount">;

/** Returns one's own review and its tour's ratings with and without it; throws `ServiceError` as a DELETE would. */
export async function getDeletableReview(
  caller: Caller | null,
  reviewId: string,
): Promise<OwnReview & { effect: { before: Aggregates; after: Aggregates } }> {
  const author = requireCaller(caller);
  const review = await getStoredReview(reviewId);
  requireDeletable(review, author);
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

/** The id of the caller's review of that tour with exactly this content, or null. */
export async function findSameReview(
  caller: Caller,
  { tourId, ...typed }: Partial<TypedContent> & { tourId: string },
): Promise<string | null> {
  const same = await Review.exists({
    tourId: toObjectId(tourId),
    userId: requireCaller(caller),
    ...storedContent(typed),
  });
  return same && same._id.toString();
}

function toOwnReview(review: ReviewDocument, tour: TourDocument | null): OwnReview {
  return {
    id: review._id.toString(),
    ...reviewContent(review),
    tag: storedReviewTag(review),
    editableUntil: new Date(review.createdAt.getTime() + EDIT_WINDOW_MS).toISOString(),
    tour: {
      title: tour?.title ?? "A former tour",
      slug: tour?.slug ?? null,
      timeZone: tourTimeZone(tour),
    },
  };
}

export interface IfMatch {
  /** The tags of the states in which a review or another record may be changed; any without it. */
  ifMatch?: readonly string[] | undefined;
}

/** Checks 4 to 6 of docs/rules/reviews.md (Editing), then `ifMatch`. */
export function requireEditable(
  review: ReviewDocument,
  author: Types.ObjectId,
  { now, ifMatch }: IfMatch & { now: Date },
): void {
  if (!review.userId.equals(author)) throw new ServiceError(403, texts.editNotOwn);
  if (now.getTime() - review.createdAt.getTime() > EDIT_WINDOW_MS)
    throw new ServiceError(403, texts.editTooLate);
  requireMatch(review, ifMatch);
}

/** Checks 2 and 3 of docs/rules/reviews.md (Deleting), then `ifMatch`. */
export function requireDeletable(
  review: ReviewDocument,
  author: Types.ObjectId,
  { ifMatch }: IfMatch = {},
): void {
  if (!review.userId.equals(author)) throw new ServiceError(403, texts.deleteNotOwn);
  requireMatch(review, ifMatch);
}

function requireMatch(review: ReviewDocument, ifMatch: IfMatch["ifMatch"]): void {
  if (ifMatch && !ifMatch.includes(storedReviewTag(review)))
    throw new ServiceError(412, texts.changedMeanwhile);
}

export const storedReviewTag = (review: ReviewDocument) =>
  reviewTag({ id: review._id.toString(), ...reviewContent(review) });

/** Throws `ServiceError` 404 when there is none. */
export async function getStoredReview(
  reviewId: string,
  session?: ClientSession,
): Promise<ReviewDocument> {
  const id = toObjectId(reviewId);
  const review = id && (await Review.findById(id, null, { session }).lean<ReviewDocument>());
  if (!review) throw new ServiceError(404, texts.reviewNotFound);
  return review;
}

export interface ReviewForChange {
  review: ReviewDocument;
  /** Null when the account is gone. */
  author: UserDocument | null;
  /** Null when the tour is gone, or named in another way than by an id. */
  tour: TourDocument | null;
}

/** The review as a transaction sees it, with its author and its tour, by one command. Throws `ServiceError` 404. */
export async function findReviewForChange(
  _id: Types.ObjectId,
  session: ClientSession,
): Promise<ReviewForChange> {
  const [found] = await Review.aggregate<
    ReviewDocument & { authors: UserDocument[]; tours: TourDocument[] }
  >([
    { $match: { _id } },
    joinById(User, "userId", "authors"),
    joinById(Tour, "tourId", "tours"),
  ]).session(session);
  if (!found) throw new ServiceError(404, texts.reviewNotFound);
  const { authors, tours, ...review } = found;
  const isId = isObjectId(review.userId);
  readReview(review);
  for (const user of authors) readUser(user);
  for (const tour of tours) readTour(tour);
  // A platform's malformed record names its author in another way than by an id.
  const author = isId
    ? authors[0]
    : await User.findById(review.userId, null, { session }).lean<UserDocument>();
  return { review, author: author ?? null, tour: tours[0] ?? null };
}
