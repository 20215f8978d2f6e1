import { Types } from "mongoose";
import { batches, BATCH } from "~/db/batches";
import type { Spool } from "./spool.server";
import type { Kind, Records } from "./records.server";
import type { States } from "./states.server";

const AT_ONCE = 1_000;

/** Records prepared at a time: passwords are hashed for that. */
const PREPARED = 8;

interface BulkWriter {
  distinct(field: "_id", filter: never): PromiseLike<unknown[]>;
  bulkWrite(
    operations: never[],
    options: { ordered: boolean; throwOnValidationError: boolean },
  ): Promise<unknown>;
}

/** A user who is gone by now is left out. Ends with an `AbortError` when `stopped` aborts. */
export async function writeRecords<Name extends Exclude<Kind, "reviews">>(
  kind: Name,
  model: BulkWriter,
  {
    spool,
    states,
    progress,
    prepare = (record) => record,
    written = async () => {},
    stopped,
  }: {
    spool: Spool;
    states: States;
    progress: (count: number) => void;
    prepare?: (record: Records[Name]) => { id: string } | Promise<{ id: string }>;
    written?: (records: Records[Name][]) => Promise<void>;
    stopped?: AbortSignal;
  },
): Promise<void> {
  for (const numbers of batches(states.numbers(kind, "new", "changed"), AT_ONCE, stopped)) {
    const records = numbers.map((number) => spool.read(kind, number));
    const existing = await existingIds(model, records);
    const isGone = (at: number) =>
      kind === "users" &&
      states.is(kind, numbers[at]!, "changed") &&
      !existing.has(records[at]!.id);
    const kept = records.filter((_, at) => !isGone(at));
    for (const [at, number] of numbers.entries())
      if (isGone(at)) states.set(kind, number, "leftOut");
    const prepared: { id: string }[] = [];
    for (const some of batches(kept, PREPARED, stopped))
      prepared.push(...(await Promise.all(some.map(async (record) => prepare(record)))));
    const operations = prepared.map((record) => upsertOperation(record, existing.has(record.id)));
    if (operations.length > 0)
      await model.bulkWrite(operations as never[], {
        ordered: false,
        throwOnValidationError: true,
      });
    await written(kept);
    progress(numbers.length);
  }
}

async function existingIds(model: BulkWriter, records: { id: string }[]): Promise<Set<string>> {
  const existing = new Set<string>();
  for (const some of batches(records, BATCH)) {
    const filter = { _id: { $in: some.map(({ id }) => id) } };
    for (const id of await model.distinct("_id", filter as never)) existing.add(String(id));
  }
  return existing;
}

/** Cheaper than an upsert where it is known which. */
export function upsertOperation({ id, ...fields }: { id: string }, exists: boolean) {
  const _id = new Types.ObjectId(id);
  return exists
    ? { updateOne: { filter: { _id }, update: { $set: fields } } }
    : { insertOne: { document: { _id, ...fields } } };
}
