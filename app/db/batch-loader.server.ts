import DataLoader from "dataloader";
import type { Types } from "mongoose";
import { BATCH, batches } from "./batches";

/**
 * Returns a loader of documents by their ids. It calls `find` once, a hundred ids at a time, for all loads until the
 * process has read its clients' input. Nothing is cached, because an answer must not be older than its request.
 */
export function batchLoader<Document extends { _id: Types.ObjectId }>(
  find: (ids: Types.ObjectId[]) => Promise<Document[]>,
): (id: Types.ObjectId) => Promise<Document | null> {
  const loader = new DataLoader<Types.ObjectId, Document | null>(
    async (ids) => {
      const distinct = new Map(ids.map((id) => [id.toString(), id]));
      const found = await Promise.all([...batches([...distinct.values()], BATCH)].map(find));
      const byId = new Map(found.flat().map((one) => [one._id.toString(), one]));
      return ids.map((id) => byId.get(id.toString()) ?? null);
    },
    { cache: false, batchScheduleFn: (load) => setImmediate(load) },
  );
  return (id) => loader.load(id);
}
