import { IdempotencyKey, type IdempotencyKeyDocument } from "../../../models/idempotency-key";
import { ServiceError } from "../../infra/errors.server";
import { toObjectId } from "../../infra/ids.server";
import { createReview } from "./create.server";
import { parseBody } from "../../infra/validation.server";
import { type Caller, requireCaller } from "../caller.server";
import { type Clock, systemClock } from "../../infra/clock";
import type { PublicReview } from "./public-review.server";
import { CreateReviewBody } from "./schemas";

/** How long a key is remembered. */
export const KEY_LIFETIME_MS = 24 * 60 * 60 * 1_000;
/** Longest key, in characters. */
export const KEY_MAX_LENGTH = 255;

export const BAD_KEY = `Idempotency-Key must be 1 to ${KEY_MAX_LENGTH} printable ASCII characters`;
export const KEY_REUSED = "This Idempotency-Key was already used with another body";

const KEY = new RegExp(`^[ -~]{1,${KEY_MAX_LENGTH}}$`);

/** A review that was made, now or by an earlier request with the same key. */
export interface ReviewOnce {
  review: PublicReview;
  replayed: boolean;
}

/**
 * `createReview`, however often the caller sends this body with this key within 24 hours: the first
 * to succeed makes the review, all others get it as it was answered then. What fails is not
 * remembered. Throws `ServiceError` for a key that is malformed or was used with another body.
 */
export async function createReviewOnce(
  caller: Caller,
  key: string,
  body: unknown,
  clock: Clock = systemClock,
): Promise<ReviewOnce> {
  const userId = requireCaller(caller);
  if (!KEY.test(key)) throw new ServiceError(400, BAD_KEY);
  const { tourId, rating, comment } = parseBody(CreateReviewBody, body);

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
    if (!sameBody) throw new ServiceError(422, KEY_REUSED);
    return { review, replayed: true };
  };

  const earlier = await findReplay();
  if (earlier) return earlier;
  try {
    const review = await createReview(caller, body, clock, async (created, session) => {
      const now = clock();
      // Takes the place of an expired key; next to one that is not, the unique index refuses it.
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
    });
    return { review, replayed: false };
  } catch (error) {
    // Whatever stopped this request, one with the same key may have done its work meanwhile.
    const meanwhile = await findReplay();
    if (meanwhile) return meanwhile;
    throw error;
  }
}
