import { Types } from "mongoose";
import { Review } from "#models/review";
import { Tour, type TourDocument } from "#models/tour";
import { User } from "#models/user";
import { erasedAmong } from "~/accounts/erasures.server";
import { isDuplicateKeyError, ServiceError } from "~/lib/errors.server";
import { texts } from "~/lib/refusal-texts";
import { changeTour } from "~/reviews/change-tour.server";
import type { TourTransaction } from "~/reviews/tour-transaction.server";
import { deleteReviewOf } from "~/reviews/delete.server";
import { GUIDE_OF_TOUR, REVIEWED_ALREADY } from "./check.server";
import { writeReviews } from "./imported-reviews.server";
import { refuseIssues } from "./put-record.server";
import { IN_FUTURE } from "./read-file.server";
import { type Issue, parseRecord, type Records, unknownRecord } from "./records.server";
import { isStored, removedAuthors, storedById, storedPairs } from "./stored.server";

type ReviewRecord = Records["reviews"];

/**
 * Stores a review that was written elsewhere, as an import does (docs/rules/import.md, Records by the API), with the
 * ratings of its tour in one transaction. Throws `ServiceError` 400 with the import's words, and 403 where the account
 * was deleted or the review removed here.
 */
export async function putReview(
  recordId: string,
  body: unknown,
): Promise<"created" | "changed" | "unchanged"> {
  const { record, issues } = parseRecord("reviews", { ...(body as object), id: recordId });
  if (record.createdAt && record.createdAt > new Date()) issues.push(IN_FUTURE);
  refuseIssues(issues);
  const review = record as ReviewRecord;
  const before = (await storedById(Review.collection, [review])).get(review.id);
  await requireKnownUser(review, body as object);
  if (before?.redaction || (await removedAuthors(review.tourId, [review])).size > 0)
    throw new ServiceError(403, texts.reviewRemoved);
  refuseIssues(await findReviewContradictions(review, body as object, await findTour(review)));
  if (before && isStored(before, review)) return "unchanged";
  await storeReview(review, body as object);
  return before ? "changed" : "created";
}

async function storeReview(review: ReviewRecord, sent: object): Promise<void> {
  const tourId = new Types.ObjectId(review.tourId);
  const writeReview = async (tx: TourTransaction) => {
    refuseIssues(await findReviewContradictions(review, sent, await findTour(review, tx)));
    const changes = await writeReviews(review.tourId, [{ ...review, number: 0 }], tx.session);
    if (changes.length === 0) throw new ServiceError(403, texts.reviewRemoved);
    for (const change of changes) tx.record(change);
    tx.reviewsChanged();
  };
  try {
    await changeTour(tourId, writeReview);
  } catch (error) {
    if (!isDuplicateKeyError(error)) throw error;
    refuseIssues([REVIEWED_ALREADY]);
  }
  // The deletion's worker may have looked for reviews before this one was stored.
  if (await User.exists({ _id: review.userId })) return;
  await deleteReviewOf(new Types.ObjectId(review.userId), tourId);
  throw new ServiceError(403, texts.accountErased);
}

async function requireKnownUser({ userId }: ReviewRecord, sent: object): Promise<void> {
  if (await User.exists({ _id: userId })) return;
  if ((await erasedAmong([{ id: userId }])).size > 0)
    throw new ServiceError(403, texts.accountErased);
  refuseIssues([unknownRecord("user", "userId", sent)]);
}

const findTour = ({ tourId }: ReviewRecord, tx?: TourTransaction) =>
  Tour.findById(tourId, "createdById", { session: tx?.session }).lean<TourDocument>();

async function findReviewContradictions(
  { id, userId, tourId }: ReviewRecord,
  sent: object,
  tour: TourDocument | null,
): Promise<Issue[]> {
  if (!tour) return [unknownRecord("tour", "tourId", sent)];
  const issues: Issue[] = [];
  if (tour.createdById.toString() === userId) issues.push(GUIDE_OF_TOUR);
  // The unique index decides between two at once.
  const own = (await storedPairs(tourId, [{ userId }])).get(userId);
  if (own && own !== id) issues.push(REVIEWED_ALREADY);
  return issues;
}
