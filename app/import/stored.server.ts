import { isDeepStrictEqual } from "node:util";
import { type ClientSession, type Collection, Types } from "mongoose";
import { RemovedReview } from "#models/removed-review";
import { Review } from "#models/review";
import { batches, BATCH } from "~/db/batches";

/** Fields of records that are ids; in the database they are ObjectIds. */
const ID_FIELDS = ["userId", "tourId", "createdById"];

export type StoredRecord = Record<string, unknown> & { _id: Types.ObjectId };

const toObjectIds = (ids: string[]) => ids.map((id) => new Types.ObjectId(id));

export interface Identified {
  distinct(field: "_id", filter: never): PromiseLike<unknown[]>;
}

/** Returns the ids that the collection has. */
export async function idsIn(model: Identified, ids: string[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const some of batches(ids, BATCH))
    for (const id of await model.distinct("_id", { _id: { $in: some } } as never))
      found.add(String(id));
  return found;
}

/** The documents of up to a hundred records, by id. */
export async function storedById(
  collection: Collection,
  records: { id?: string }[],
): Promise<Map<string, StoredRecord>> {
  const ids = records.flatMap(({ id }) => id ?? []);
  if (ids.length === 0) return new Map();
  const found = await collection.find<StoredRecord>({ _id: { $in: toObjectIds(ids) } }).toArray();
  return new Map(found.map((document) => [document._id.toString(), document]));
}

/** The ids of the reviews of a tour that up to 500 authors have, by author. */
export async function storedPairs(
  tourId: string,
  reviews: { userId?: string }[],
): Promise<Map<string, string>> {
  const ids = toObjectIds(reviews.flatMap(({ userId }) => userId ?? []).sort());
  const first = ids[0];
  const last = ids.at(-1);
  if (!first || !last) return new Map();
  // The bounds select nothing else, but with them every database reads one range of the index.
  const userId = { $in: ids, $gte: first, $lte: last };
  const tour = new Types.ObjectId(tourId);
  const found = await Review.find({ tourId: tour, userId }, "userId").lean();
  return new Map(found.map((review) => [review.userId.toString(), review._id.toString()]));
}

/**
 * Returns the authors of up to 500 reviews of a tour whose own review operators have removed
 * (docs/rules/moderation.md, Decisions).
 */
export async function removedAuthors(
  tourId: string,
  reviews: { userId?: string }[],
  session?: ClientSession,
): Promise<Set<string>> {
  const userId = { $in: toObjectIds(reviews.flatMap((review) => review.userId ?? [])) };
  const removed = { tourId: new Types.ObjectId(tourId), userId };
  const found = await RemovedReview.find(removed, "userId", { session }).lean();
  return new Set(found.map((review) => review.userId.toString()));
}

/** Whether writing the record's fields to the document would change nothing. */
export function isStored(document: Record<string, unknown>, record: object): boolean {
  return Object.entries(record).every(([field, value]: [string, unknown]) => {
    if (field === "id" || value === undefined) return true;
    const stored = document[field];
    if (value === null) return stored === null || stored === undefined;
    if (value instanceof Date)
      return stored instanceof Date && stored.getTime() === value.getTime();
    if (ID_FIELDS.includes(field))
      return stored instanceof Types.ObjectId && stored.toString() === value;
    return isDeepStrictEqual(stored, value);
  });
}
