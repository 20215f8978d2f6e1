import { cursorBatches, BATCH } from "~/db/batches";
import { toObjectId } from "~/db/ids.server";
import { bodyHash } from "~/reviews/post.server";
import type { PublicReview } from "~/reviews/list/public-review.server";
import { IdempotencyKey } from "#models/idempotency-key";

/**
 * Turns the answer that an earlier version has stored with each Idempotency-Key, as JSON, into the fields of
 * models/idempotency-key.ts.
 */
export async function migrateIdempotencyKeys(): Promise<void> {
  // Not through the model, because its schema does not know the earlier field.
  const { collection } = IdempotencyKey;
  const stored = collection.find<{ _id: object; answer: string }>({ answer: { $type: "string" } });
  for await (const keys of cursorBatches(stored.batchSize(BATCH), BATCH))
    await collection.bulkWrite(
      keys.map(({ _id, answer }) => {
        const review = JSON.parse(answer) as PublicReview & { rating: number };
        const fields = {
          reviewId: toObjectId(review.id),
          bodyHash: bodyHash(review),
          createdAt: new Date(review.createdAt),
          author: review.user,
        };
        return { updateOne: { filter: { _id }, update: { $set: fields, $unset: { answer: 1 } } } };
      }),
    );
}
