import { AsyncResource } from "node:async_hooks";
import { createHash } from "node:crypto";
import AsyncLock from "async-lock";
import { mongo, type ClientSession, type Types } from "mongoose";
import type { z } from "zod";
import { Booking, COMPLETED } from "../../../models/booking";
import { Notification } from "../../../models/notification";
import { Review, type ReviewDocument } from "../../../models/review";
import { Tour, type TourDocument } from "../../../models/tour";
import { User, type UserDocument } from "../../../models/user";
import { inTransaction } from "../../infra/database.server";
import { FormError, ServiceError } from "../../infra/errors.server";
import { toObjectId } from "../../infra/ids.server";
import { enqueueNotification, wakeNotifications } from "../notifications/outbox.server";
import { writes } from "../../infra/rate-limits.server";
import { claimTour, recomputeRatings, storedRatings, type Ratings } from "./ratings.server";
import { CreateReviewBody, UpdateReviewBody } from "./schemas";

/** How long after its creation a review can be edited (spec.md, Limits). */
export const EDIT_WINDOW_MS = 24 * 60 * 60 * 1_000;

/** A review as clients see it (spec.md, Review). */
export interface PublicReview {
  id: string;
  tourId: string;
  userId: string;
  rating: number;
  comment: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  createdAt: string;
  user: Author;
}

export interface Author {
  name: string;
  image: string | null;
}

/** What names a review's state: another one after every change of its rating or comment. */
export function reviewTag({
  id,
  rating,
  comment,
}: Pick<PublicReview, "id" | "rating" | "comment">): string {
  const state = JSON.stringify([id, rating, comment || null]);
  return createHash("sha256").update(state).digest("base64url").slice(0, 27);
}

/** Who asks: the current user, or null. */
export type Caller = { id: string } | null;

/** The clock; tests pass their own. */
export type Clock = () => Date;
export const systemClock: Clock = () => new Date();

const OWN_TOUR = "You cannot review your own tour";
const ALREADY_REVIEWED = "You have already reviewed this tour";
export const CHANGED_MEANWHILE = "The review was changed meanwhile";
const NOT_COMPLETED =
  "You can only review tours that you have completed. The guide marks a tour as completed after it took place; otherwise that happens automatically 24 hours after the tour date.";

// Changes of one tour wait for each other here, so that this process never conflicts with itself.
// A change that cannot start in time fails instead of piling up behind the others.
const tourQueue = new AsyncLock({ maxPending: 500, timeout: 10_000 });

/**
 * Makes a review of `caller` from the body of a POST, in the order of spec.md's checks.
 * Gives the stored review; throws `ServiceError` with the specification's status and text.
 * `alsoStore` writes what stands or falls with the review, in its transaction.
 */
export async function createReview(
  caller: Caller,
  body: unknown,
  clock: Clock = systemClock,
  alsoStore?: (created: PublicReview, session: ClientSession) => Promise<void>,
): Promise<PublicReview> {
  const author = await requireWriter(caller);
  const { tourId, rating, comment } = parseBody(CreateReviewBody, body);
  const id = toObjectId(tourId);
  if (!id) throw tourNotFound();
  const found = await Tour.findById(id, "createdById").lean<TourDocument>();
  refuseOwnTour(found, author);
  if (await Review.exists({ tourId: id, userId: author })) throw alreadyReviewed();
  await requireCompletedBooking(author, id);

  const created = await changeReviews(id, async (session, tour) => {
    // What may have changed since the first look is decided again; the unique index does the rest.
    refuseOwnTour(tour, author);
    await requireCompletedBooking(author, id, session);
    const explorer = await User.findById(author, null, { session }).lean<UserDocument>();
    if (!explorer) throw unauthorized();
    const review = {
      tourId: id,
      userId: author,
      rating,
      comment: comment ?? null,
      createdAt: clock(),
    };
    const stored = await insertReview(review, session);
    await enqueueNotification(stored, tour, explorer, session);
    const created = toPublicReview(stored, explorer);
    await alsoStore?.(created, session);
    return created;
  });
  wakeNotifications();
  return created;
}

/** Whether the caller may review a tour, and if not, why, in the specification's words. */
export type Standing =
  | { kind: "may" }
  | { kind: "nobody" }
  | { kind: "own"; text: string }
  | { kind: "notCompleted"; text: string }
  | { kind: "reviewed"; text: string; reviewId: string };

/** Looks at a tour with the caller's eyes: the checks of POST that do not depend on its body. */
export async function standingOf(
  caller: Caller,
  tour: { id: string; createdById: string },
): Promise<Standing> {
  if (!caller) return { kind: "nobody" };
  if (tour.createdById === caller.id) return { kind: "own", text: OWN_TOUR };
  const author = requireCaller(caller);
  const tourId = toObjectId(tour.id)!;
  const [mine, completed] = await Promise.all([
    Review.exists({ tourId, userId: author }),
    Booking.exists({ userId: author, tourId, status: COMPLETED }),
  ]);
  if (mine) return { kind: "reviewed", text: ALREADY_REVIEWED, reviewId: mine._id.toString() };
  return completed ? { kind: "may" } : { kind: "notCompleted", text: NOT_COMPLETED };
}

/** The id of the caller's review with just this tour, rating and comment; null when there is none. */
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

/**
 * Changes what the body of a PATCH names, in the order of spec.md's checks; `reviewId` is as it
 * came from the client. With `tags` it does so only to a review in one of these states, and after
 * all other checks. Gives the changed review; throws `ServiceError` likewise.
 */
export async function updateReview(
  caller: Caller,
  reviewId: string,
  body: unknown,
  clock: Clock = systemClock,
  tags?: readonly string[],
): Promise<PublicReview> {
  const author = await requireWriter(caller);
  const { rating, comment } = parseBody(UpdateReviewBody, body);
  const review = await requireEditable(author, reviewId, clock());
  requireTag(review, tags);

  return changeReviews(
    review.tourId,
    async (session) => {
      const now = clock();
      // Not a findAndModify, for which the embedded database reads all reviews.
      const { matchedCount } = await Review.updateOne(
        // The author and the 24 hours stand here too, because time passes between check and write.
        {
          _id: review._id,
          userId: author,
          createdAt: { $gte: new Date(now.getTime() - EDIT_WINDOW_MS) },
          ...(tags && stateOf(review)),
        },
        {
          $set: {
            ...(rating !== undefined && { rating }),
            ...(comment !== undefined && { comment }),
            editedAt: now,
          },
        },
        { session, runValidators: true },
      );
      if (matchedCount === 0) throw await refusedEdit(author, reviewId, now, session, tags);
      const updated = await findReview(reviewId, session);
      const explorer = await User.findById(author, null, { session }).lean<UserDocument>();
      return toPublicReview(updated, explorer);
    },
    { keepCount: true },
  );
}

/**
 * Deletes a review, in the order of spec.md's checks; `reviewId` is as it came from the client.
 * With `tags` it does so only to a review in one of these states, and after all other checks.
 * Throws `ServiceError` likewise.
 */
export async function deleteReview(
  caller: Caller,
  reviewId: string,
  tags?: readonly string[],
): Promise<void> {
  const author = await requireWriter(caller);
  const review = await requireDeletable(author, reviewId);
  requireTag(review, tags);
  await changeReviews(review.tourId, async (session) => {
    const mine = { _id: review._id, userId: author };
    const { deletedCount } = await Review.deleteOne(
      { ...mine, ...(tags && stateOf(review)) },
      { session },
    );
    if (deletedCount === 0) {
      const isChanged = tags && (await Review.exists(mine).session(session));
      throw isChanged ? changedMeanwhile() : reviewNotFound();
    }
    // A mail of its own goes out all the same; the guide's daily one tells of what is there.
    await Notification.deleteOne({ _id: review._id, state: "pending", digest: true }, { session });
  });
}

/**
 * The one way in which a tour's reviews change: claim the tour, `write`, recompute its aggregates,
 * all in one transaction. A PATCH keeps the review count as it is (spec.md).
 */
async function changeReviews<Result>(
  tourId: Types.ObjectId,
  write: (session: ClientSession, tour: TourDocument | null) => Promise<Result>,
  options?: { keepCount: boolean },
): Promise<Result> {
  const change = () =>
    inTransaction(async (session) => {
      const tour = await claimTour(tourId, session);
      const result = await write(session, tour);
      if (tour) await recomputeRatings(tourId, session, options);
      return result;
    });
  // Bound, so that what it logs names its own request and not the one that it waited for.
  const bound = AsyncResource.bind(change);
  return tourQueue.acquire(tourId.toString(), () => bound());
}

async function insertReview(review: Omit<ReviewDocument, "_id">, session: ClientSession) {
  try {
    const [stored] = await Review.create([review], { session });
    return stored!.toObject<ReviewDocument>();
  } catch (error) {
    // The unique index decides between posts of one pair that all passed the check.
    if (error instanceof mongo.MongoServerError && error.code === 11000) throw alreadyReviewed();
    throw error;
  }
}

/** Checks 4 and 5 of POST. */
function refuseOwnTour(
  tour: TourDocument | null,
  userId: Types.ObjectId,
): asserts tour is TourDocument {
  if (!tour) throw tourNotFound();
  if (tour.createdById.equals(userId)) throw new ServiceError(400, OWN_TOUR);
}

/** Check 7 of POST. */
async function requireCompletedBooking(
  userId: Types.ObjectId,
  tourId: Types.ObjectId,
  session: ClientSession | null = null,
): Promise<void> {
  if (!(await Booking.exists({ userId, tourId, status: COMPLETED }).session(session)))
    throw new ServiceError(400, NOT_COMPLETED);
}

/** Checks 4 to 6 of PATCH. */
async function requireEditable(
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

/** Why the write found no review that passes its filter, decided again by the checks' own order. */
async function refusedEdit(
  author: Types.ObjectId,
  reviewId: string,
  now: Date,
  session: ClientSession,
  tags: readonly string[] | undefined,
): Promise<Error> {
  return requireEditable(author, reviewId, now, session).then(
    () => (tags ? changedMeanwhile() : new Error("The review's filter and its checks disagree")),
    (refusal: Error) => refusal,
  );
}

/** Checks 2 and 3 of DELETE. */
async function requireDeletable(author: Types.ObjectId, reviewId: string): Promise<ReviewDocument> {
  const review = await findReview(reviewId);
  if (!review.userId.equals(author))
    throw new ServiceError(403, "You can only delete your own reviews");
  return review;
}

/** The precondition of a change that names the states in which it may be done. */
function requireTag(review: ReviewDocument, tags: readonly string[] | undefined): void {
  const { rating, comment } = review;
  if (tags && !tags.includes(reviewTag({ id: review._id.toString(), rating, comment })))
    throw changedMeanwhile();
}

/** The filter of the state that was checked. A platform may keep no comment, or an empty one. */
const stateOf = ({ rating, comment }: ReviewDocument) => ({
  rating,
  comment: comment || { $in: [null, ""] },
});

async function findReview(reviewId: string, session?: ClientSession): Promise<ReviewDocument> {
  const id = toObjectId(reviewId);
  const review = id && (await Review.findById(id, null, { session }).lean<ReviewDocument>());
  if (!review) throw reviewNotFound();
  return review;
}

/** The caller's id; throws `ServiceError` when there is no current user. */
export function requireCaller(caller: Caller): Types.ObjectId {
  const id = toObjectId(caller?.id);
  if (!id) throw unauthorized();
  return id;
}

/** The first check of every change; throws `RateLimitError` to a caller with too many of them. */
async function requireWriter(caller: Caller): Promise<Types.ObjectId> {
  const id = requireCaller(caller);
  await writes.consume(id.toString());
  return id;
}

/** The parsed body; a body that is no object counts as an empty one (contract). */
export function parseBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): z.output<Schema> {
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  const result = schema.safeParse(isObject ? body : {});
  if (result.success) return result.data;
  const { issues } = result.error;
  if (issues[0]!.path.length === 0) throw new ServiceError(400, issues[0]!.message);
  const fields: Record<string, string> = {};
  for (const { path, message } of issues) fields[String(path[0])] ??= message;
  throw new FormError(fields);
}

const unauthorized = () => new ServiceError(401, "Unauthorized");
const tourNotFound = () => new ServiceError(404, "Tour not found");
const reviewNotFound = () => new ServiceError(404, "Review not found");
const changedMeanwhile = () => new ServiceError(412, CHANGED_MEANWHILE);
const alreadyReviewed = () => new ServiceError(400, ALREADY_REVIEWED);

/** The shape that clients see; an author whose account is gone has no name and no picture. */
export function toPublicReview(
  review: ReviewDocument,
  author: Pick<UserDocument, "name" | "image"> | null | undefined,
): PublicReview {
  return {
    id: review._id.toString(),
    tourId: review.tourId.toString(),
    userId: review.userId.toString(),
    rating: review.rating,
    comment: review.comment || null,
    createdAt: review.createdAt.toISOString(),
    user: { name: author?.name ?? "", image: author?.image || null },
  };
}

/**
 * Deletes every review of a user together with the guide's e-mail about it, each in its tour's own
 * change. Called once more after the account is gone it leaves nothing: it claims every tour that
 * the user has booked, and a review that was being written there meanwhile comes either before its
 * claim and is deleted, or after it and finds no author.
 */
export async function deleteReviewsOf(userId: string): Promise<void> {
  const author = toObjectId(userId);
  const [reviewed, booked] = await Promise.all([
    Review.distinct("tourId", { userId: author }),
    Booking.distinct("tourId", { userId: author }),
  ]);
  const tourIds = new Map([...reviewed, ...booked].map((id) => [id.toString(), id]));
  for (const tourId of tourIds.values())
    await changeReviews(tourId, async (session) => {
      const mine = { tourId, userId: author };
      const review = await Review.findOne(mine, "_id", { session }).lean<ReviewDocument>();
      if (!review) return;
      await Review.deleteOne({ _id: review._id }, { session });
      await Notification.deleteOne({ _id: review._id }, { session });
    });
}
