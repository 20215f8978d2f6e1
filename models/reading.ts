import { isObjectIdOrHexString, Types, type Query, type Schema } from "mongoose";
import { isVisible, plainName } from "./visible";

// Documents that a platform wrote are read one field at a time: a value of an unexpected type is
// read as absent, so that no record can break a page (docs/rules/database.md, Malformed records). Stored values
// stay as they are.

/** A malformed value that was read as another one; `found` is its type, or "missing". */
export interface MalformedValue {
  collection: string;
  id: string;
  field: string;
  found: string;
}

let report: (malformed: MalformedValue) => void = () => {};

/** Calls `listener` for every malformed value, each time that it is read. */
export function onMalformedValue(listener: (malformed: MalformedValue) => void): void {
  report = listener;
}

interface Field<Value> {
  /** Returns the intended value, or undefined for a malformed one. */
  read: (value: unknown) => Value | undefined;
  /** Read for an absent or malformed value; a function is given the document's `_id`. */
  otherwise: Value | ((id: unknown) => Value);
  /** Whether a document without it is malformed. */
  expected?: true;
}

/** The id that names nobody and nothing. */
export const NO_ID = new Types.ObjectId("0".repeat(24));

export const asText = (value: unknown) => (typeof value === "string" ? value : undefined);

/** Reads a text with something to see in it. */
export const asLabel = (value: unknown) =>
  typeof value === "string" && isVisible(value) ? value : undefined;

export const asName = (value: unknown) =>
  typeof value === "string" ? plainName(value) : undefined;

/** Reads a number of any type that BSON has. */
export function asNumber(value: unknown): number | undefined {
  if (typeof value !== "number")
    return isBson(value, "Long", "Decimal128") ? asNumber(Number(String(value))) : undefined;
  return Number.isFinite(value) ? value : undefined;
}

export const asNumberWithin = (least: number, most: number) => (value: unknown) => {
  const number = asNumber(value);
  return number !== undefined && number >= least && number <= most ? number : undefined;
};

export function asCount(value: unknown): number | undefined {
  const number = asNumber(value);
  return number !== undefined && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

const ISO_8601 = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** The first moment of the year 1, in milliseconds since 1970: not every database takes an earlier one. */
export const EARLIEST = Date.parse("0001-01-01T00:00:00Z");

/** Reads a Date, or a time in ISO 8601 or in milliseconds, of the years 1 to 9999. */
export function asDate(value: unknown): Date | undefined {
  const isTime =
    value instanceof Date ||
    typeof value === "number" ||
    (typeof value === "string" && value.length <= 100 && ISO_8601.test(value));
  if (!isTime) return undefined;
  const date = value instanceof Date ? value : new Date(value);
  return date.getTime() >= EARLIEST && date.getUTCFullYear() <= 9999 ? date : undefined;
}

/** Reads an id, which may be stored as its hex digits. */
export const asId = (value: unknown) =>
  value instanceof Types.ObjectId
    ? value
    : typeof value === "string" && isObjectIdOrHexString(value)
      ? new Types.ObjectId(value)
      : undefined;

const isBson = (value: unknown, ...types: string[]) =>
  typeof value === "object" &&
  value !== null &&
  "_bsontype" in value &&
  types.includes(value._bsontype as string);

/** The type of a value, which reveals nothing of its content. */
function typeName(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (value instanceof Date) return "date";
  return isBson(value) ? (value as { _bsontype: string })._bsontype : typeof value;
}

type DocumentFields<Document> = { [Name in keyof Document]?: Field<Document[Name]> };

/** Reads some of a document's fields in place: the selected ones, or all. */
export type FieldReader = (record: object, isSelected?: (field: string) => boolean) => void;

/**
 * Reads every lean document of that schema's `find`, `findOne` and cursors by these fields. Returns
 * the reader, for the results of aggregations.
 */
export function readTolerantly<Document>(
  schema: Schema<Document>,
  collection: string,
  fields: DocumentFields<Document>,
): FieldReader {
  const readers = Object.entries(fields) as [string, Field<unknown>][];
  const reader: FieldReader = (document, isSelected = () => true) => {
    const record = document as Record<string, unknown>;
    for (const [name, { read, otherwise, expected }] of readers) {
      if (!isSelected(name)) continue;
      const value = record[name];
      const meant = value === undefined || value === null ? undefined : read(value);
      if (meant !== undefined && meant === value) continue;
      if (expected || (value !== undefined && value !== null))
        report({ collection, id: String(asId(record._id)), field: name, found: typeName(value) });
      const shown =
        meant ??
        (typeof otherwise === "function"
          ? (otherwise as (id: unknown) => unknown)(record._id)
          : otherwise);
      if (shown === undefined) delete record[name];
      else record[name] = shown;
    }
  };
  schema.post(["find", "findOne"], function (this: Query<unknown, unknown>, found: unknown) {
    if (!found || !this.mongooseOptions().lean) return;
    const isSelected = selectedBy((this.projection() ?? {}) as Record<string, unknown>);
    for (const record of Array.isArray(found) ? found : [found])
      if (record) reader(record as object, isSelected);
  });
  return reader;
}

/** Whether a projection includes a field. */
function selectedBy(projection: Record<string, unknown>): (field: string) => boolean {
  const isIncluding = Object.values(projection).some(Boolean);
  return (field) => (isIncluding ? Boolean(projection[field]) : !(field in projection));
}
