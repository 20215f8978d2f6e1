import { Types } from "mongoose";

/** A part of a list that is too long for a page. */
export interface Page<Item> {
  items: Item[];
  /** What `after` has to be for the next page; null on the last one. */
  next: string | null;
}

/** What lists are ordered by: newest first, and the larger id first of two of the same moment. */
interface Position {
  _id: Types.ObjectId;
  createdAt: Date;
}

/**
 * The filter of what comes behind the document that the cursor names: by its position, not its number, so
 * that a page neither repeats nor skips one when others come and go. Everything for a malformed cursor.
 */
export function behind(cursor: string | null): object {
  const [, time, id] = /^(-?\d{1,15})\.([0-9a-f]{24})$/.exec(cursor ?? "") ?? [];
  if (!time || !id) return {};
  const createdAt = new Date(Number(time));
  // The first condition is where an index is entered; the others are looked at from there on.
  return {
    createdAt: { $lte: createdAt },
    $or: [{ createdAt: { $lt: createdAt } }, { _id: { $lt: new Types.ObjectId(id) } }],
  };
}

/** The cursor of the last one on the page; null when `found`, which is one more if there are more, ends there. */
export function nextCursor(found: readonly Position[], page: readonly Position[]): string | null {
  const last = page.at(-1);
  if (!last || found.length === page.length) return null;
  return `${last.createdAt.getTime()}.${last._id.toString()}`;
}
