import { setImmediate } from "node:timers/promises";
import type { Types } from "mongoose";
import { BATCH, batches } from "./batches";

/**
 * Finds documents by their ids with `find`, in one query for all that are asked for until the process has read what its
 * clients have sent. Nothing is remembered, as an answer must not be older than its request. Returns what is found, and
 * perhaps more, by its id.
 */
export function askedTogether<Found extends { _id: Types.ObjectId }>(
  find: (ids: Types.ObjectId[]) => Promise<Found[]>,
): (ids: readonly Types.ObjectId[]) => Promise<ReadonlyMap<string, Found>> {
  let asked: { ids: Map<string, Types.ObjectId>; found: Promise<Map<string, Found>> } | undefined;
  const findAll = async (ids: Types.ObjectId[]) => {
    const found = await Promise.all([...batches(ids, BATCH)].map(find));
    return new Map(found.flat().map((one) => [one._id.toString(), one]));
  };
  return (wanted) => {
    if (!asked) {
      const ids = new Map<string, Types.ObjectId>();
      const found = setImmediate().then(() => {
        asked = undefined;
        return findAll([...ids.values()]);
      });
      asked = { ids, found };
    }
    for (const id of wanted) asked.ids.set(id.toString(), id);
    return asked.found;
  };
}
