import { ServiceError } from "~/infra/errors.server";
import { texts } from "~/infra/refusal-texts";
import { PUT_KINDS, putRecord } from "./put-record.server";

const MOST_RECORDS = 100;

/**
 * Stores the records of NDJSON, each with its `type`, one after another and each by itself. Returns a line of result for
 * each. Throws `ServiceError` 400 for more than a hundred.
 */
export async function putRecords(text: string): Promise<string> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0 || lines.length > MOST_RECORDS)
    throw new ServiceError(400, texts.tooManyRecords);
  const results: object[] = [];
  for (const line of lines) results.push(await putLine(line));
  return results.map((result) => `${JSON.stringify(result)}\n`).join("");
}

async function putLine(line: string): Promise<object> {
  let named = {};
  try {
    const record = parseLine(line);
    named = { type: record.type, id: record.id };
    const kind = PUT_KINDS.find((known) => known === record.type);
    if (!kind) throw new ServiceError(400, `type: must be ${PUT_KINDS.join(", ")}`);
    const { result } = await putRecord(kind, record.id as string, record);
    return { ...named, result };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { ...named, error: error.message };
  }
}

function parseLine(line: string): Record<string, unknown> {
  try {
    const record: unknown = JSON.parse(line);
    if (typeof record === "object" && record !== null) return record as Record<string, unknown>;
  } catch {
    // As any other line that is no record.
  }
  throw new ServiceError(400, "must be an object of JSON");
}
