import type { Types } from "mongoose";
import { asDate } from "../../models/reading";

/** A part of a list that is too long for a page. */
export interface Page<Item> {
  items: Item[];
  /** What `after` has to be for the next page; null on the last one. */
  next: string | null;
}

/** What lists are ordered by: newest first, and the larger id first of two of the same moment. */
interface Dated {
  _id: Types.ObjectId;
  createdAt: Date;
}

/** A place in that order: no number, so that a page neither repeats nor skips one when others come and go. */
export interface Place {
  /** Milliseconds since 1970, of the years 1 to 9999. */
  time: number;
  id: string;
}

/** The place that the cursor names; null for none, and for a malformed one, which is the first page. */
export function placeAfter(cursor: string | null): Place | null {
  const [, time, id] = /^(-?\d{1,15})\.([0-9a-f]{24})$/.exec(cursor ?? "") ?? [];
  return placeAt(time, id);
}

/** The place at that time and id, as a cursor has them; null for none that a review can have. */
export function placeAt(time: string | undefined, id: string | undefined): Place | null {
  const date = asDate(Number(time));
  return date && id ? { time: date.getTime(), id } : null;
}

/**
 * The first `size` of these rows that come behind the place, and the cursor of the next page; null when there
 * are no more. The rows may be in any order and have one twice.
 */
export function cutPage<Row extends Dated>(
  rows: Row[],
  place: Place | null,
  size: number,
): { rows: Row[]; next: string | null } {
  const placed = [...new Map(rows.map((row) => [row._id.toString(), row]))]
    .map(([, row]) => ({ ...placeOf(row), row }))
    .filter((one) => !place || newestFirst(place, one) < 0)
    .sort(newestFirst);
  const page = placed.slice(0, size);
  const last = page.at(-1);
  return {
    rows: page.map(({ row }) => row),
    next: last && placed.length > page.length ? `${last.time}.${last.id}` : null,
  };
}

export const placeOf = ({ _id, createdAt }: Dated): Place => ({
  time: createdAt.getTime(),
  id: _id.toString(),
});

/** Compares two places in that order. */
export const newestFirst = (a: Place, b: Place) =>
  b.time - a.time || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
