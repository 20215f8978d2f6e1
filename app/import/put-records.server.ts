import { throwIfAbandoned } from "~/db/transaction.server";
import { ServiceError } from "~/infra/errors.server";
import { log } from "~/infra/log.server";
import { texts } from "~/infra/refusal-texts";
import { PUT_KINDS, putRecord } from "./put-record.server";
import { putReview } from "./put-review.server";
import { KINDS } from "./records.server";

export const MOST_RECORDS = 100;

/** Longer texts of a bad record are not repeated in its result. */
const LONGEST_NAME = 100;

interface Result {
  /** That of the body, or the place in a list, from 1. */
  line: number;
  type?: string;
  id?: string;
  result?: "created" | "changed" | "unchanged";
  error?: string;
}

/** A record of a body; its result is that it is late until there is another one. */
export interface SentRecord {
  /** What stands there; undefined where it is no object of JSON. */
  value: Record<string, unknown> | undefined;
  result: Result;
}

/**
 * Returns the records of NDJSON or of a list of JSON, each with its `type`. Throws `ServiceError` 400 without any, and
 * for more than a hundred.
 */
export function readBodyOfRecords(text: string): SentRecord[] {
  const records = text.trimStart().startsWith("[") ? recordsOfList(text) : recordsOfLines(text);
  if (!records || records.length === 0 || records.length > MOST_RECORDS)
    throw new ServiceError(400, texts.tooManyRecords);
  return records;
}

function recordsOfList(text: string): SentRecord[] | undefined {
  const list = parsed(text);
  return Array.isArray(list) ? list.map((value, at) => sentRecord(value, at + 1)) : undefined;
}

const recordsOfLines = (text: string): SentRecord[] =>
  text
    .split("\n")
    .flatMap((line, at) => (line.trim() === "" ? [] : [sentRecord(parsed(line), at + 1)]));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function sentRecord(found: unknown, line: number): SentRecord {
  const isObject = typeof found === "object" && found !== null && !Array.isArray(found);
  const value = isObject ? (found as Record<string, unknown>) : undefined;
  const named = { line, ...textsOf({ type: value?.type, id: value?.id }) };
  return { value, result: { ...named, error: texts.recordLate } };
}

const textsOf = (fields: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => typeof value === "string" && value.length <= LONGEST_NAME,
    ),
  );

/** Stores the records one after another, each by itself, and gives each its result as soon as there is one. */
export async function putRecords(records: SentRecord[]): Promise<void> {
  for (const record of records) {
    throwIfAbandoned();
    const { error: _, ...named } = record.result;
    record.result = { ...named, ...(await outcomeOf(record)) };
  }
}

async function outcomeOf({ value }: SentRecord): Promise<Partial<Result>> {
  try {
    if (!value) throw new ServiceError(400, "must be an object of JSON");
    const id = value.id as string;
    if (value.type === "reviews") return { result: await putReview(id, value) };
    const kind = PUT_KINDS.find((known) => known === value.type);
    if (!kind) throw new ServiceError(400, `type: must be ${KINDS.join(", ")}`);
    const { result } = await putRecord(kind, id, value);
    return { result };
  } catch (error) {
    if (error instanceof ServiceError) return { error: error.message };
    log.error({ err: error }, texts.recordFailed);
    return { error: texts.recordFailed };
  }
}
