import { verifyReviews } from "~/reviews/list/verified.server";
import { cursorBatches, BATCH } from "~/db/batches";
import { Tour, type TourDocument } from "#models/tour";

/**
 * Reviews that were posted here before `verified` existed get that field: whether they have a completed booking.
 * These are the reviews without the field, of tours whose reviews this service has changed. `npm run reviews --
 * verify` looks at a platform's other reviews.
 */
export async function verifyEarlierReviews(): Promise<void> {
  const changed = Tour.find({ ratingsVersion: { $gt: 0 } }, "_id").lean<
    Pick<TourDocument, "_id">
  >();
  for await (const tours of cursorBatches(changed.cursor({ batchSize: BATCH }), BATCH))
    await verifyReviews({ tourIds: tours.map(({ _id }) => _id), uncheckedOnly: true });
}
