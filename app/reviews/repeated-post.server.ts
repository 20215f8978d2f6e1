import type { ClientSession, Types } from "mongoose";
import type { z } from "zod";
import { IdempotencyKey, type IdempotencyKeyDocument } from "#models/idempotency-key";
import { sha256 } from "~/infra/digest.server";
import { ServiceError } from "~/infra/errors.server";
import { toObjectId } from "~/db/ids.server";
import type { PublicReview } from "~/reviews/list/public-review.server";
import { texts } from "~/infra/refusal-texts";
import type { PostReviewBody } from "./schemas";

// A POST with an `Idempotency-Key` (docs/decisions/008-idempotency-key-and-if-match.md).

/** (docs/rules/reviews.md, Idempotency-Key) */
export const KEY_LIFETIME_MS = 24 * 60 * 60 * 1_000;

export interface Posted {
  review: PublicReview;
  replayed: boolean;
}

type Input = z.output<typeof PostReviewBody>;

interface KeyedPost {
  userId: Types.ObjectId;
  key: string;
  input: Input;
}

/** Returns the first answer to this key, or null. Throws `ServiceError` 422 when that was to another body. */
export async function findPosted(
  { userId, key, input }: KeyedPost,
  now: Date,
): Promise<Posted | null> {
  // The database clears expired keys about once a minute only.
  const valid = { userId, key, expiresAt: { $gt: now } };
  const used = await IdempotencyKey.findOne(valid).lean<IdempotencyKeyDocument>();
  if (!used) return null;
  if (used.bodyHash !== hashOf(input)) throw new ServiceError(422, texts.keyReused);
  const review = {
    id: used.reviewId.toString(),
    tourId: toObjectId(input.tourId)!.toString(),
    userId: userId.toString(),
    rating: input.rating,
    comment: input.comment ?? null,
    createdAt: used.createdAt.toISOString(),
    user: used.author,
  };
  return { review, replayed: true };
}

/** Stores in the review's transaction that this key has posted it; a unique index refuses a key that is still valid. */
export async function remember(
  { userId, key, input }: KeyedPost,
  { id, createdAt, user }: PublicReview,
  session: ClientSession,
): Promise<void> {
  const at = new Date(createdAt);
  await IdempotencyKey.updateOne(
    { userId, key, expiresAt: { $lte: at } },
    {
      $set: {
        reviewId: toObjectId(id)!,
        bodyHash: hashOf(input),
        createdAt: at,
        author: user,
        expiresAt: new Date(at.getTime() + KEY_LIFETIME_MS),
      },
    },
    { session, upsert: true },
  );
}

/** Returns the same text for a post however its JSON is written. */
export const hashOf = ({ tourId, rating, comment }: Input) =>
  sha256(JSON.stringify([toObjectId(tourId)?.toString() ?? null, rating, comment ?? null]));
