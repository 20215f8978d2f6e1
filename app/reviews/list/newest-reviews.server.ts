import type { PipelineStage, QueryFilter, Types } from "mongoose";
import { readReview, Review, type ReviewDocument } from "#models/review";
import { batches } from "~/db/batches";
import { rangesToSearch, rememberRange } from "~/db/embedded/ranges.server";
import { anyOf } from "~/db/ids.server";
import { sha256 } from "~/lib/digest.server";
import { ofStars } from "./malformed.server";

/** Most tours of one selection: MongoDB merges 200 ranges of an index in their order. Of more it would sort all reviews. */
const TOURS_AT_ONCE = 200;

interface Options {
  limit: number;
  /** How many a whole page has, where it is read in parts that are shorter: as `limit` without it. */
  pageSize?: number;
  after: { time: number; id: string } | null;
  /**
   * Conditions that are filtered after the index was read, because the embedded database would not use it with them.
   */
  only?: QueryFilter<ReviewDocument> | undefined;
}

/** The newest `limit` reviews of a selection, such as one tour's, or those after a place in their order. */
export const newestReviews = (
  selection: QueryFilter<ReviewDocument>,
  options: Options,
): Promise<ReviewDocument[]> => newestOfSelections([selection], options);

/** Selects the reviews of these tours: of each of these numbers of stars, or all (null). */
export const selectionsOf = (
  tourIds: readonly Types.ObjectId[],
  ratings: readonly (number | null)[],
  hasMalformed: boolean,
): QueryFilter<ReviewDocument>[] =>
  [...batches([...tourIds], TOURS_AT_ONCE)].flatMap((some) => {
    const tourId = anyOf(some);
    return ratings.map((rating) => (rating ? ofStars(tourId, rating, hasMalformed) : { tourId }));
  });

/**
 * The newest `limit` reviews of all these selections, which do not overlap, or those after a place in their order. One
 * command reads all selections, each by its own range of an index.
 */
export async function newestOfSelections(
  selections: QueryFilter<ReviewDocument>[],
  { limit, pageSize = limit, after, only }: Options,
): Promise<ReviewDocument[]> {
  const key = sha256(JSON.stringify([selections, only, pageSize]));
  const rows: ReviewDocument[] = [];
  for (const range of rangesToSearch(key, after)) {
    const filters = selections.map((selection) => ({ ...selection, ...range }));
    rows.push(...(await readSorted(filters, only, limit - rows.length)));
    if (rows.length >= limit) break;
  }
  if (!after) rememberRange(key, rows, limit);
  return rows;
}

const NEWEST_FIRST = { createdAt: -1, _id: -1 } as const;

async function readSorted(
  [filter, ...others]: QueryFilter<ReviewDocument>[],
  only: QueryFilter<ReviewDocument> | undefined,
  limit: number,
): Promise<ReviewDocument[]> {
  if (!filter) return [];
  if (!only && others.length === 0)
    return Review.find(filter)
      .sort(NEWEST_FIRST)
      .limit(limit)
      .batchSize(limit + 1)
      .lean<ReviewDocument[]>();
  const cut = [{ $sort: NEWEST_FIRST }, { $limit: limit }];
  const pipelineOf = (one: QueryFilter<ReviewDocument>) => [
    { $match: one },
    ...(only ? [{ $match: only }] : []),
    ...cut,
  ];
  const stages: PipelineStage[] = pipelineOf(filter);
  for (const other of others)
    stages.push({
      $unionWith: { coll: Review.collection.name, pipeline: pipelineOf(other) },
    });
  if (others.length > 0) stages.push(...cut);
  const rows = await Review.aggregate<ReviewDocument>(stages, { batchSize: limit + 1 });
  for (const row of rows) readReview(row);
  return rows;
}
