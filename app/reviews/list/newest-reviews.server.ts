import type { QueryFilter } from "mongoose";
import { EARLIEST } from "#models/reading";
import { readReview, Review, type ReviewDocument } from "#models/review";
import { toObjectId } from "~/db/ids.server";
import { rangesToSearch, rememberRange } from "~/db/embedded/ranges.server";

interface Options {
  limit: number;
  after: { time: number; id: string } | null;
  /**
   * Conditions that are filtered after the index was read, because the embedded database would not use it with them.
   */
  only?: QueryFilter<ReviewDocument> | undefined;
}

/** The newest `limit` reviews of a selection, such as one tour's, or those after a place in their order. */
export async function newestReviews(
  selection: QueryFilter<ReviewDocument>,
  { limit, after, only }: Options,
): Promise<ReviewDocument[]> {
  const key = JSON.stringify({ ...selection, ...only });
  const rows: ReviewDocument[] = [];
  const read = async (range: QueryFilter<ReviewDocument>) =>
    rows.push(...(await readSorted({ ...selection, ...range }, only, limit - rows.length)));
  // Reviews of the same moment are read by a query of their own: together with older ones it would be an `$or`.
  if (after) await read({ createdAt: new Date(after.time), _id: { $lt: toObjectId(after.id)! } });

  let until = after && after.time - 1;
  for (const end of rangesToSearch(key, until)) {
    if (rows.length >= limit || (until !== null && until < EARLIEST)) break;
    // Never `$gte`, which would miss the bound itself in the embedded database.
    const createdAt = {
      ...(end !== null && { $gt: new Date(end) }),
      ...(until !== null && { $lte: new Date(until) }),
    };
    await read(end === null && until === null ? {} : { createdAt });
    until = end;
  }
  if (!after) rememberRange(key, rows, limit);
  return rows;
}

async function readSorted(
  filter: QueryFilter<ReviewDocument>,
  only: QueryFilter<ReviewDocument> | undefined,
  limit: number,
): Promise<ReviewDocument[]> {
  const sort = { createdAt: -1, _id: -1 } as const;
  if (!only)
    return Review.find(filter)
      .sort(sort)
      .limit(limit)
      .batchSize(limit + 1)
      .lean<ReviewDocument[]>();
  const rows = await Review.aggregate<ReviewDocument>([
    { $match: filter },
    { $match: only },
    { $sort: sort },
    { $limit: limit },
  ]);
  for (const row of rows) readReview(row);
  return rows;
}
