import type { ClientSession } from "mongoose";
import { IdempotencyKey, type IdempotencyKeyDocument } from "../../../models/idempotency-key";
import { type Clock, systemClock } from "../../infra/clock";
import { ServiceError } from "../../infra/errors.server";
import { toObjectId } from "../../infra/ids.server";
import { parseInput } from "../../infra/validation.server";
import { type Caller, requireCaller } from "../caller.server";
import type { PublicReview } from "../../store/reviews/public-review.server";
import { texts } from "../texts";
import { CreateReviewBody, CreateReviewHeaders } from "./schemas";
import { createReview } from "./create.server";

/** How long a key is remembered, in milliseconds (docs/rules.md, Idempotency-Key). */
export const KEY_LIFETIME_MS = 24 * 60 * 60 * 1_000;

/** A review that was created now, or (`replayed`) by an earlier request with the same key. */
export interface ReviewOnce {
  review: PublicReview;
  replayed: boolean;
}

/**
 * `createReview`, however often the caller sends this body with this key within 24 hours: the first
 * request that succeeds creates the review, all others return it as it was answered then. A failure is
 * not remembered. Throws `ServiceError` for a key that is malformed (400) or was used with another body
 * (422). See docs/decisions/008-idempotency-key-and-if-match.md.
 */
export async function createReviewOnce(
  caller: Caller | null,
  key: string,
  body: unknown,
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<ReviewOnce> {
  const userId = requireCaller(caller);
  parseInput(CreateReviewHeaders, { "Idempotency-Key": key });
  const { tourId, rating, comment } = parseInput(CreateReviewBody, body);

  const findReplay = async (): Promise<ReviewOnce | null> => {
    // The database clears expired keys about once a minute only.
    const used = await IdempotencyKey.findOne({
      userId,
      key,
      expiresAt: { $gt: clock() },
    }).lean<IdempotencyKeyDocument>();
    if (!used) return null;
    const review = JSON.parse(used.answer) as PublicReview;
    const sameBody =
      review.tourId === toObjectId(tourId)?.toString() &&
      review.rating === rating &&
      review.comment === (comment ?? null);
    if (!sameBody) throw new ServiceError(422, texts.keyReused);
    return { review, replayed: true };
  };

  const alsoStore = async (created: PublicReview, session: ClientSession) => {
    const now = clock();
    // Replaces an expired key; when the key is still valid, the unique index refuses the upsert.
    await IdempotencyKey.updateOne(
      { userId, key, expiresAt: { $lte: now } },
      {
        $set: {
          answer: JSON.stringify(created),
          expiresAt: new Date(now.getTime() + KEY_LIFETIME_MS),
        },
      },
      { session, upsert: true },
    );
  };

  const earlier = await findReplay();
  if (earlier) return earlier;
  try {
    const review = await createReview(caller, body, { clock, alsoStore });
    return { review, replayed: false };
  } catch (error) {
    // Whatever stopped this request, another one with the same key may have succeeded meanwhile.
    const meanwhile = await findReplay();
    if (meanwhile) return meanwhile;
    throw error;
  }
}
