import { type ClientSession, Types } from "mongoose";
import type { z } from "zod";
import { HOUR_MS } from "~/lib/durations";
import { type Content, CONTENT_FIELDS } from "~/reviews/content";
import { IdempotencyKey, type IdempotencyKeyDocument } from "#models/idempotency-key";
import { isDuplicateKeyError, ServiceError } from "~/lib/errors.server";
import { toObjectId } from "~/db/ids.server";
import { parseInput } from "~/lib/validation.server";
import { type PublicReview, toPublicReview } from "~/reviews/list/public-review.server";
import { type Caller, requireCaller, whileCounted } from "~/accounts/caller.server";
import { reviewMail } from "~/mail/outbox.server";
import { texts } from "~/lib/refusal-texts";
import { sha256 } from "~/lib/digest.server";
import { changeTour } from "./change-tour.server";
import { type CheckResult, mayReview, requireEligible } from "./may-review.server";
import { PostReviewBody, PostReviewHeaders } from "./schemas";

interface PostOptions {
  key?: string | undefined;
  /** The review's `countWrite`, which may still be under way: what it throws comes before all refusals. */
  counted?: Promise<unknown>;
  /** Further writes in the review's transaction: both are stored, or neither. */
  also?: (posted: PublicReview, session: ClientSession) => Promise<void>;
}

/**
 * Stores a review by `caller` from the body of a POST, after the checks of docs/rules/reviews.md (Posting) in their order. With
 * a `key`, the client's Idempotency-Key, it returns the review of an earlier post of the same body instead, if there
 * is one. Throws `ServiceError` with the status and text of the first failed check.
 */
export async function postReview(
  caller: Caller | null,
  body: unknown,
  { key, counted, also }: PostOptions = {},
): Promise<PostedReview> {
  const first = await whileCounted(counted, readBeforeTransaction(caller, body, key));
  if (first.earlier) return first.earlier;
  const { userId, tourId, input, request } = first;
  try {
    requireEligible(first.result);
    const posted = await changeTour(tourId, async (tx) => {
      // Time has passed since the first checks, so everything is decided again.
      const { explorer, tour, guide } = requireEligible(
        await mayReview(userId, tourId, tx.session),
      );
      const review = {
        _id: new Types.ObjectId(),
        tourId,
        userId,
        ...contentOfBody(input),
        createdAt: tx.now,
        verified: true,
        ...(caller?.by && { postedBy: caller.by }),
      };
      const mail = reviewMail(review, { explorer, tour, guide });
      const posted = toPublicReview(review, explorer);
      tx.insertReview(review, tour);
      if (mail) tx.queueMail(mail);
      if (request) await storeIdempotencyKey(request, posted, tx.session);
      await also?.(posted, tx.session);
      return posted;
    });
    return { review: posted, replayed: false };
  } catch (error) {
    // Another request with the same key may have succeeded meanwhile.
    const meanwhile = request && (await findPosted(request));
    if (meanwhile) return meanwhile;
    // The unique index decides between posts of one pair that all passed the checks.
    throw isDuplicateKeyError(error, "tourId", "userId")
      ? new ServiceError(400, texts.alreadyReviewed)
      : error;
  }
}

interface FirstRead {
  userId: Types.ObjectId;
  tourId: Types.ObjectId;
  input: Input;
  request: KeyedPost | null;
}

/** Reads all that is needed before the review's transaction. Throws `ServiceError` for checks 1 to 3a and for the key. */
async function readBeforeTransaction(
  caller: Caller | null,
  body: unknown,
  key: string | undefined,
): Promise<FirstRead & ({ earlier: PostedReview } | { earlier: null; result: CheckResult })> {
  const userId = requireCaller(caller);
  parseInput(PostReviewHeaders, { "Idempotency-Key": key });
  const input = parseInput(PostReviewBody, body);
  const request = key === undefined ? null : { userId, key, input };
  const earlier = request && (await findPosted(request));
  const tourId = toObjectId(input.tourId);
  if (!tourId) throw new ServiceError(404, texts.tourNotFound);
  const read = { userId, tourId, input, request };
  return earlier
    ? { ...read, earlier }
    : { ...read, earlier, result: await mayReview(userId, tourId) };
}

// A POST with an `Idempotency-Key` (docs/decisions/008-idempotency-key-and-if-match.md).

/** (docs/rules/reviews.md, Idempotency-Key) */
export const KEY_LIFETIME_MS = 24 * HOUR_MS;

interface PostedReview {
  review: PublicReview;
  replayed: boolean;
}

type Input = z.output<typeof PostReviewBody>;

const contentOfBody = ({ rating, comment = null }: Input): Content & { rating: number } => ({
  rating,
  comment,
});

interface KeyedPost {
  userId: Types.ObjectId;
  key: string;
  input: Input;
}

/** Returns the first answer to this key, or null. Throws `ServiceError` 422 when that was to another body. */
async function findPosted({ userId, key, input }: KeyedPost): Promise<PostedReview | null> {
  // The database clears expired keys about once a minute only.
  const valid = { userId, key, expiresAt: { $gt: new Date() } };
  const used = await IdempotencyKey.findOne(valid).lean<IdempotencyKeyDocument>();
  if (!used) return null;
  const tourId = toObjectId(input.tourId)?.toString();
  if (!tourId || used.bodyHash !== bodyHash(input)) throw new ServiceError(422, texts.keyReused);
  const review = {
    id: used.reviewId.toString(),
    tourId,
    userId: userId.toString(),
    ...contentOfBody(input),
    createdAt: used.createdAt.toISOString(),
    user: used.author,
  };
  return { review, replayed: true };
}

/** Stores in the review's transaction that this key has posted it; a unique index refuses a key that is still valid. */
async function storeIdempotencyKey(
  { userId, key, input }: KeyedPost,
  { id, createdAt, user }: PublicReview,
  session: ClientSession,
): Promise<void> {
  const at = new Date(createdAt);
  await IdempotencyKey.updateOne(
    { userId, key, expiresAt: { $lte: at } },
    {
      $set: {
        reviewId: new Types.ObjectId(id),
        bodyHash: bodyHash(input),
        createdAt: at,
        author: user,
        expiresAt: new Date(at.getTime() + KEY_LIFETIME_MS),
      },
    },
    { session, upsert: true },
  );
}

/** Returns the same text for a post however its JSON is written. */
export function bodyHash(input: Input): string {
  const content = contentOfBody(input);
  const tourId = toObjectId(input.tourId)?.toString() ?? null;
  return sha256(JSON.stringify([tourId, ...CONTENT_FIELDS.map((name) => content[name])]));
}
