import { Types } from "mongoose";
import type { RowOrder, Place } from "~/db/cursor.server";
import type { Search } from "./words-of-review.server";

/** Bytes of a review: id 12, time 8, stars 8, how much it tells 8, language 1, whether it has a comment 1. */
const SIZE = 38;
const AT = { time: 12, rating: 20, telling: 28, language: 36, comment: 37 } as const;
const NO_LANGUAGE = 255;

export interface ReviewRow extends Omit<Place, "id"> {
  _id: Types.ObjectId;
  /** Null for an uncertain one. */
  language: string | null;
  hasComment: boolean;
}

/** A tour's reviews in few bytes; `tags` are the languages that they name by a number. */
export function writeRows(rows: readonly ReviewRow[], tags: readonly string[]): Buffer {
  const bytes = Buffer.alloc(rows.length * SIZE);
  for (const [n, { _id, time, rating, telling = 0, language, hasComment }] of rows.entries()) {
    const at = n * SIZE;
    _id.id.forEach((byte, place) => (bytes[at + place] = byte));
    bytes.writeDoubleLE(time, at + AT.time);
    bytes.writeDoubleLE(rating ?? 0, at + AT.rating);
    bytes.writeDoubleLE(telling, at + AT.telling);
    const tag = language === null ? -1 : tags.indexOf(language);
    bytes[at + AT.language] = tag === -1 ? NO_LANGUAGE : tag;
    bytes[at + AT.comment] = Number(hasComment);
  }
  return bytes;
}

/** Reads them one by one. */
export class Rows {
  readonly length: number;

  constructor(
    private readonly bytes: Buffer,
    private readonly tags: readonly string[],
  ) {
    this.length = bytes.length / SIZE;
  }

  time = (n: number) => this.bytes.readDoubleLE(n * SIZE + AT.time);
  rating = (n: number) => this.bytes.readDoubleLE(n * SIZE + AT.rating) || null;
  telling = (n: number) => this.bytes.readDoubleLE(n * SIZE + AT.telling);
  language = (n: number) => this.tags[this.bytes[n * SIZE + AT.language]!] ?? null;
  hasComment = (n: number) => this.bytes[n * SIZE + AT.comment] === 1;

  id = (n: number) => this.bytes.toString("hex", n * SIZE, n * SIZE + AT.time);
}

/** Reads only what an order asks for. */
class RowPlace implements Place {
  constructor(
    private readonly rows: Rows,
    private readonly n: number,
  ) {}

  get rating() {
    return this.rows.rating(this.n);
  }
  get time() {
    return this.rows.time(this.n);
  }
  get id() {
    return this.rows.id(this.n);
  }
  get telling() {
    return this.rows.telling(this.n);
  }
}

interface RowSelection {
  rows: Rows;
  order: RowOrder;
  size: number;
}

/** Returns the first of these rows that come after a place, in that order. */
export function rowsAfter(
  place: Place | null,
  numbers: readonly number[],
  { rows, order, size }: RowSelection,
): RowPlace[] {
  const first: RowPlace[] = [];
  for (const n of numbers) {
    const one = new RowPlace(rows, n);
    const last = first[size - 1];
    if ((last && order(last, one) < 0) || (place && order(place, one) >= 0)) continue;
    first.splice(first.findLastIndex((other) => order(other, one) < 0) + 1, 0, one);
    if (first.length > size) first.pop();
  }
  return first;
}

/** Returns for each row whether it has all words of one of these searches, each in its language. */
export function matchRows(
  searches: (Search | null)[],
  findRows: (key: string) => Iterable<number>,
  length: number,
): Uint8Array {
  const matches = new Uint8Array(length);
  for (const search of searches) {
    if (!search) continue;
    const count = new Uint8Array(length);
    for (const [nth, stems] of search.keys.entries())
      for (const key of stems)
        for (const n of findRows(key)) if (count[n] === nth) count[n] = nth + 1;
    for (let n = 0; n < length; n++) if (count[n] === search.keys.length) matches[n] = 1;
  }
  return matches;
}
