import { verifyReviews } from "../../app/services/reviews/verified.server";
import { batchesOf, BATCH } from "../../app/infra/batches";
import { Tour, type TourDocument } from "../../models/tour";

/**
 * Stores with the reviews that were posted here before `verified` existed whether they have a completed booking:
 * those without the field, of tours whose reviews this service has changed. A platform's other reviews are
 * looked at by `npm run reviews -- verify`.
 */
export async function verifyEarlierReviews(): Promise<void> {
  const changed = Tour.find({ ratingsVersion: { $gt: 0 } }, "_id").lean<
    Pick<TourDocument, "_id">
  >();
  for await (const tours of batchesOf(changed.cursor({ batchSize: BATCH }), BATCH))
    await verifyReviews({ tourIds: tours.map(({ _id }) => _id), uncheckedOnly: true });
}
