import { zipObject } from "es-toolkit";
import type { Types } from "mongoose";
import { z } from "zod";
import { asDate } from "#models/reading";

export interface CursorPage<Item> {
  items: Item[];
  /** `after` of the next page; null on the last one. */
  next: string | null;
}

interface DatedRow {
  _id: Types.ObjectId;
  createdAt: Date;
  rating?: number | null;
}

/**
 * The sort key of a row. Pages begin after one and not after a number of rows, so that a page neither repeats nor skips
 * a row when others come and go.
 */
export interface Place {
  /** Null for a row without stars. */
  rating: number | null;
  /** Milliseconds since 1970, of the years 1 to 9999. */
  time: number;
  id: string;
  /** The score of a review (`detailScore`), where the list is ordered by that. */
  telling?: number | undefined;
}

export type RowOrder = (a: Place, b: Place) => number;

/** The newest first; the larger id first of two of the same moment. */
export const newestFirst: RowOrder = (a, b) =>
  b.time - a.time || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);

/** Few stars before many, and none after all; the newest first of the same. */
export const lowestFirst: RowOrder = (a, b) =>
  (a.rating ?? 6) - (b.rating ?? 6) || newestFirst(a, b);

export const reviewPlace = ({ _id, createdAt, rating = null }: DatedRow): Place => ({
  rating,
  time: createdAt.getTime(),
  id: _id.toString(),
});

/** A place in a list as the text that a link to its next page has. */
export interface CursorCodec<ListPlace> {
  encode: (place: ListPlace) => string;
  /** Null, which means the first page, without a cursor and for a malformed one. */
  decode: (cursor: string | null | undefined) => ListPlace | null;
}

/** How each field of a place is read from a cursor, in the order in which it has them. */
type CursorFields<ListPlace> = {
  [Field in keyof Required<ListPlace>]: z.ZodType<ListPlace[Field], string | undefined>;
};

/** Returns the codec of cursors with these fields, joined by `_`: 0 for null; fields at the end may be missing. */
export function cursorCodec<ListPlace extends object>(
  fields: CursorFields<ListPlace>,
): CursorCodec<ListPlace> {
  const names = Object.keys(fields) as (keyof ListPlace)[];
  const schema = z.object(fields);
  return {
    encode: (place) =>
      names
        .map((name) => place[name])
        .filter((value) => value !== undefined)
        .map((value) => (value instanceof Date ? value.getTime() : (value ?? 0)))
        .join("_"),
    decode(cursor) {
      const texts = cursor?.split("_") ?? [];
      if (texts.length > names.length) return null;
      return (schema.safeParse(zipObject(names, texts)).data as ListPlace | undefined) ?? null;
    },
  };
}

export const cursorId = z.string().regex(/^[0-9a-f]{24}$/);
export const cursorNumber = (pattern: RegExp) => z.string().regex(pattern).transform(Number);
export const cursorMean = cursorNumber(/^[0-5](?:\.\d{1,17})?$/);

export const reviewCursor = cursorCodec<Place>({
  rating: cursorMean.transform((rating) => rating || null),
  time: cursorNumber(/^-?\d{1,15}$/).refine(asDate),
  id: cursorId,
  telling: cursorNumber(/^-?\d{1,4}(?:\.\d{1,4})?$/).optional(),
});

interface CutOptions<Item> {
  /** Null for the first page. */
  place: Place | null;
  size: number;
  order?: RowOrder;
  toPlace?: (row: Item) => Place;
}

/** The rows may be in any order, and may contain one twice. */
export function cutPage<Item extends DatedRow>(
  rows: Item[],
  { place, size, order = newestFirst, toPlace = reviewPlace }: CutOptions<Item>,
): { rows: Item[]; next: string | null } {
  const placed = [...new Map(rows.map((row) => [row._id.toString(), row])).values()]
    .map((row) => ({ ...toPlace(row), row }))
    .filter((one) => !place || order(place, one) < 0)
    .sort(order);
  const page = placed.slice(0, size);
  const last = page.at(-1);
  return {
    rows: page.map(({ row }) => row),
    next: last && placed.length > page.length ? reviewCursor.encode(last) : null,
  };
}
