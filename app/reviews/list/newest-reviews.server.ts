import type { QueryFilter } from "mongoose";
import { readReview, Review, type ReviewDocument } from "#models/review";
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
  for (const range of rangesToSearch(key, after)) {
    rows.push(...(await readSorted({ ...selection, ...range }, only, limit - rows.length)));
    if (rows.length >= limit) break;
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
