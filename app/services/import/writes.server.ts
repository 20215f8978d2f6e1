import { Types } from "mongoose";
import { batches } from "../../infra/batches";
import { knownIds } from "./conflicts.server";

/** Users, tours or bookings in one write. */
const BATCH = 1_000;

/** Records prepared at a time: passwords are hashed for that. */
const PREPARED = 8;

/** What a model of any document has in common here. */
interface BulkWriter {
  distinct(field: "_id", filter: never): PromiseLike<unknown[]>;
  bulkWrite(
    operations: never[],
    options: { ordered: boolean; throwOnValidationError: boolean },
  ): Promise<unknown>;
}

/** Inserts the records, or updates those whose id exists. Ends with an `AbortError` when `stopped` aborts. */
export async function upsert<Item extends { id: string }>(
  model: BulkWriter,
  records: Item[],
  {
    progress,
    prepare = (record) => record,
    stopped,
  }: {
    progress: (count: number) => void;
    prepare?: (record: Item) => { id: string } | Promise<{ id: string }>;
    stopped?: AbortSignal;
  },
): Promise<void> {
  for (const batch of batches(records, BATCH, stopped)) {
    const prepared: { id: string }[] = [];
    for (const some of batches(batch, PREPARED, stopped))
      prepared.push(...(await Promise.all(some.map(async (record) => prepare(record)))));
    const existing = await knownIds(
      [],
      batch.map((record) => record.id),
      (some) => model.distinct("_id", { _id: { $in: some } } as never) as Promise<Types.ObjectId[]>,
    );
    const operations = prepared.map((record) => upsertOperation(record, existing.has(record.id)));
    await model.bulkWrite(operations as never[], { ordered: false, throwOnValidationError: true });
    progress(batch.length);
  }
}

/**
 * The operation that updates an existing record or inserts it: cheaper than an upsert where it is known which.
 */
export function upsertOperation({ id, ...fields }: { id: string }, exists: boolean) {
  const _id = new Types.ObjectId(id);
  return exists
    ? { updateOne: { filter: { _id }, update: { $set: fields } } }
    : { insertOne: { document: { _id, ...fields } } };
}
