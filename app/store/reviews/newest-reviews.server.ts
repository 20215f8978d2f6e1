import type { QueryFilter } from "mongoose";
import { EARLIEST } from "../../../models/reading";
import { Review, type ReviewDocument } from "../../../models/review";
import { toObjectId } from "../../infra/ids.server";
import { rangesOf, rememberRange } from "../embedded/ranges.server";

/** The newest `limit` reviews of a selection, such as one tour's, or those after a place in their order. */
export async function newestReviews(
  selection: QueryFilter<ReviewDocument>,
  { limit, after }: { limit: number; after: { time: number; id: string } | null },
): Promise<ReviewDocument[]> {
  const key = JSON.stringify(selection);
  const rows: ReviewDocument[] = [];
  const read = async (range: QueryFilter<ReviewDocument>) =>
    rows.push(
      ...(await Review.find({ ...selection, ...range })
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit - rows.length)
        .lean<ReviewDocument[]>()),
    );
  // Those of the same moment in a query of their own: together with older ones it would be an `$or`.
  if (after) await read({ createdAt: new Date(after.time), _id: { $lt: toObjectId(after.id)! } });

  let until = after && after.time - 1;
  for (const end of rangesOf(key, until)) {
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
