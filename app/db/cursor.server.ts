import type { Types } from "mongoose";
import { asDate } from "#models/reading";

export interface CursorPage<Item> {
  items: Item[];
  /** `after` of the next page; null on the last one. */
  next: string | null;
}

interface Row {
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
  /** The score of a review (`tellingScore`), where the list is ordered by that. */
  telling?: number | undefined;
}

export type Order = (a: Place, b: Place) => number;

/** The newest first; the larger id first of two of the same moment. */
export const newestFirst: Order = (a, b) =>
  b.time - a.time || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);

/** Few stars before many, and none after all; the newest first of the same. */
export const lowestFirst: Order = (a, b) => (a.rating ?? 6) - (b.rating ?? 6) || newestFirst(a, b);

export const reviewPlace = ({ _id, createdAt, rating = null }: Row): Place => ({
  rating,
  time: createdAt.getTime(),
  id: _id.toString(),
});

export const reviewCursor = ({ rating, time, id, telling }: Place) =>
  [rating ?? 0, time, id, ...(telling === undefined ? [] : [telling])].join("_");

/** Reads a cursor. Null, which means the first page, without one and for a malformed one. */
export function placeAfter(cursor: string | null): Place | null {
  const [, rating, time, id, telling] =
    /^([0-5](?:\.\d{1,17})?)_(-?\d{1,15})_([0-9a-f]{24})(?:_(-?\d{1,4}(?:\.\d{1,4})?))?$/.exec(
      cursor ?? "",
    ) ?? [];
  const date = asDate(Number(time));
  if (!date || !id) return null;
  const place = { rating: Number(rating) || null, time: date.getTime(), id };
  return telling ? { ...place, telling: Number(telling) } : place;
}

/** The rows may be in any order, and may contain one twice. */
export function cutPage<Item extends Row>(
  rows: Item[],
  {
    place,
    size,
    order = newestFirst,
    toPlace = reviewPlace,
  }: { place: Place | null; size: number; order?: Order; toPlace?: (row: Item) => Place },
): { rows: Item[]; next: string | null } {
  const placed = [...new Map(rows.map((row) => [row._id.toString(), row])).values()]
    .map((row) => ({ ...toPlace(row), row }))
    .filter((one) => !place || order(place, one) < 0)
    .sort(order);
  const page = placed.slice(0, size);
  const last = page.at(-1);
  return {
    rows: page.map(({ row }) => row),
    next: last && placed.length > page.length ? reviewCursor(last) : null,
  };
}
