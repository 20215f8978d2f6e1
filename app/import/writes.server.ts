import { Types } from "mongoose";
import { batches } from "~/db/batches";
import { HASHES_AT_ONCE, hashPassword } from "~/accounts/log-in/hashing.server";
import { type Kind, numbersToWrite, type Records, type States } from "./records.server";
import type { Spool } from "./spool.server";
import { type Identified, idsIn } from "./stored.server";

const AT_ONCE = 1_000;

interface BulkWriter extends Identified {
  bulkWrite(
    operations: never[],
    options: { ordered: boolean; throwOnValidationError: boolean },
  ): Promise<unknown>;
}

interface Options<Record> {
  spool: Spool;
  states: States;
  progress: (count: number) => void;
  written?: (records: Record[]) => Promise<void>;
  stopped?: AbortSignal;
}

/** A user who is gone by now is left out. Ends with an `AbortError` when `stopped` aborts. */
export async function writeRecords<Name extends Exclude<Kind, "reviews">>(
  kind: Name,
  model: BulkWriter,
  { spool, states, progress, written, stopped }: Options<Records[Name]>,
): Promise<void> {
  for (const numbers of batches(numbersToWrite(states[kind]), AT_ONCE, stopped)) {
    const found = numbers.map((number) => ({ number, record: spool.read(kind, number) }));
    const existing = await idsIn(
      model,
      found.map(({ record }) => record.id),
    );
    const records: Records[Name][] = [];
    for (const { number, record } of found) {
      const isKnown = kind === "users" && states.users[number] === "changed";
      if (isKnown && !existing.has(record.id)) states.users[number] = "leftOut";
      else records.push(record);
    }
    const operations: object[] = [];
    for (const some of batches(records, HASHES_AT_ONCE, stopped))
      for (const record of await Promise.all(some.map(withPasswordHash)))
        operations.push(upsertOperation(record, existing.has(record.id)));
    if (operations.length > 0)
      await model.bulkWrite(operations as never[], {
        ordered: false,
        throwOnValidationError: true,
      });
    await written?.(records);
    progress(numbers.length);
  }
}

interface WithPassword {
  id: string;
  password?: string;
  passwordHash?: string;
}

export async function withPasswordHash({ password, passwordHash, ...fields }: WithPassword) {
  const hash = passwordHash ?? (password && (await hashPassword(password)));
  return hash ? { ...fields, passwordHash: hash } : fields;
}

/** Cheaper than an upsert where it is known which. */
export function upsertOperation({ id, ...fields }: { id: string }, exists: boolean) {
  const _id = new Types.ObjectId(id);
  return exists
    ? { updateOne: { filter: { _id }, update: { $set: fields } } }
    : { insertOne: { document: { _id, ...fields } } };
}
