import type { QueryFilter } from "mongoose";
import { EARLIEST } from "../../../models/reading";
import { Review, type ReviewDocument } from "../../../models/review";
import { cached } from "../../infra/cache.server";
import { toObjectId } from "../../infra/ids.server";

/** Such as one tour's reviews, of all ratings or of one. */
type Selection = QueryFilter<ReviewDocument>;

/** Where the newest rows of a selection were found, in milliseconds: later than `after`, over `span`. */
interface Found {
  after: number;
  span: number;
}

// Only a hint of where to look first, so it may be of any age.
const hints = cached<Found>({ name: "where the newest reviews are", maxBytes: 16 * 1024 * 1024 });

/** How many times as far back as the newest rows the next ones are looked for, before all are. */
const FURTHER = 16;

/**
 * The newest `limit` reviews of a selection, or those after a place in their order. MongoDB's index has
 * them in order and reads no more. The embedded database reads the whole range of an index before it
 * cuts (docs/decisions/005-embedded-database.md): so the range is first one that had enough the last time.
 */
export async function newestRows(
  selection: Selection,
  limit: number,
  place: { time: number; id: string } | null,
): Promise<ReviewDocument[]> {
  const key = JSON.stringify(selection);
  const hint = hints.get(key);
  const rows: ReviewDocument[] = [];
  const read = async (range: QueryFilter<ReviewDocument>) =>
    rows.push(
      ...(await Review.find({ ...selection, ...range })
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit - rows.length)
        .lean<ReviewDocument[]>()),
    );
  // Of the same moment; not an `$or` with what is older, for which the embedded database uses no index.
  if (place) await read({ createdAt: new Date(place.time), _id: { $lt: toObjectId(place.id)! } });

  let until = place && place.time - 1;
  for (const after of hint ? boundsOf(hint, until) : [null]) {
    if (rows.length >= limit || (until !== null && until < EARLIEST)) break;
    // Never `$gte`, which would miss the bound itself there.
    const createdAt = {
      ...(after !== null && { $gt: new Date(after) }),
      ...(until !== null && { $lte: new Date(until) }),
    };
    await read(after === null && until === null ? {} : { createdAt });
    until = after;
  }
  if (!place) {
    const times = rows.map(({ createdAt }) => createdAt.getTime());
    const oldest = Math.min(...times);
    if (rows.length < limit) hints.delete(key);
    else hints.set(key, { after: oldest - 1, span: Math.max(...times) - oldest });
  }
  return rows;
}

/** Where the ranges end that are read one after the other, until there is enough: the last one nowhere. */
function boundsOf({ after, span }: Found, until: number | null): (number | null)[] {
  const far = Math.max(EARLIEST, (until ?? after) - FURTHER * span - 1);
  return until === null ? [Math.max(EARLIEST, after), far, null] : [far, null];
}
