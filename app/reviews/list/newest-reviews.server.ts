import type { PipelineStage, QueryFilter, Types } from "mongoose";
import { readReview, Review, type ReviewDocument } from "#models/review";
import { batches } from "~/db/batches";
import { cutPage } from "~/db/cursor.server";
import { rangesToSearch, rememberRange } from "~/db/embedded/ranges.server";
import { idFilter } from "~/db/ids.server";
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
): Promise<ReviewDocument[]> => readRanges([selection], readEach, options);

interface OptionsOfTours extends Options {
  /** The numbers of stars that they may have; null is any. */
  ratings: readonly (number | null)[];
  hasMalformed: boolean;
}

/** The same of the reviews of several tours. How often the database is asked does not grow with the tours. */
export function newestOfTours(
  tourIds: readonly Types.ObjectId[],
  { ratings, hasMalformed, ...options }: OptionsOfTours,
): Promise<ReviewDocument[]> {
  const selections = [...batches([...tourIds], TOURS_AT_ONCE)].flatMap((some) => {
    const tourId = idFilter(some);
    return ratings.map((rating) => (rating ? ofStars(tourId, rating, hasMalformed) : { tourId }));
  });
  const read = tourIds.length > TOURS_AT_ONCE ? readTogether : readEach;
  return readRanges(selections, read, options);
}

type ReadReviews = (
  filters: QueryFilter<ReviewDocument>[],
  only: QueryFilter<ReviewDocument> | undefined,
  limit: number,
) => Promise<ReviewDocument[]>;

async function readRanges(
  selections: QueryFilter<ReviewDocument>[],
  read: ReadReviews,
  { limit, pageSize = limit, after, only }: Options,
): Promise<ReviewDocument[]> {
  const key = sha256(JSON.stringify([selections, only, pageSize]));
  const rows: ReviewDocument[] = [];
  for (const range of rangesToSearch(key, after)) {
    const filters = selections.map((selection) => ({ ...selection, ...range }));
    rows.push(...(await read(filters, only, limit - rows.length)));
    if (rows.length >= limit) break;
  }
  if (!after) rememberRange(key, rows, limit);
  return rows;
}

const NEWEST_FIRST = { createdAt: -1, _id: -1 } as const;

const readEach: ReadReviews = async (filters, only, limit) => {
  const found = await Promise.all(
    filters.map((filter) =>
      only
        ? aggregateReviews(toPipeline(filter, only, limit), limit)
        : Review.find(filter)
            .sort(NEWEST_FIRST)
            .limit(limit)
            .batchSize(limit + 1)
            .lean<ReviewDocument[]>(),
    ),
  );
  const [first = [], ...others] = found;
  if (others.length === 0) return first;
  return cutPage(found.flat(), { place: null, size: limit }).rows;
};

/** One command for many ranges. The embedded native server reads all reviews for it. */
const readTogether: ReadReviews = (filters, only, limit) => {
  const coll = Review.collection.name;
  const stages = filters.flatMap((filter, nth): PipelineStage[] => {
    const pipeline = toPipeline(filter, only, limit);
    return nth === 0 ? pipeline : [{ $unionWith: { coll, pipeline } }];
  });
  return aggregateReviews([...stages, { $sort: NEWEST_FIRST }, { $limit: limit }], limit);
};

const toPipeline = (
  filter: QueryFilter<ReviewDocument>,
  only: QueryFilter<ReviewDocument> = {},
  limit: number,
) => [{ $match: filter }, { $match: only }, { $sort: NEWEST_FIRST }, { $limit: limit }];

async function aggregateReviews(stages: PipelineStage[], limit: number): Promise<ReviewDocument[]> {
  const rows = await Review.aggregate<ReviewDocument>(stages, { batchSize: limit + 1 });
  for (const row of rows) readReview(row);
  return rows;
}
