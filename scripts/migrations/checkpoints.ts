import { rebuildRatings } from "~/reviews/ratings.server";
import { cursorBatches, BATCH } from "~/db/batches";
import { Change } from "#models/change";
import { Tour, type TourDocument } from "#models/tour";

/** Tours whose reviews this service has changed get their first entry (docs/rules/reviews.md, Changes). */
export async function recordCheckpoints(): Promise<void> {
  await Change.createCollection();
  const changed = Tour.find({ ratingsVersion: { $gt: 0 } }, "_id").lean<
    Pick<TourDocument, "_id">
  >();
  for await (const tours of cursorBatches(changed.cursor({ batchSize: BATCH }), BATCH))
    await rebuildRatings({ tourIds: tours.map(({ _id }) => _id) });
}
