import type { QueryFilter } from "mongoose";
import { EARLIEST } from "#models/reading";
import type { ReviewDocument } from "#models/review";
import { toObjectId } from "~/db/ids.server";
import { cached } from "~/lib/cache.server";

// MongoDB's index has the newest reviews in order and reads no more than are asked for. The embedded database reads
// the whole range of an index before it cuts (docs/decisions/005-embedded-database.md): so the range that was
// enough the last time is read first.

/** Where the newest reviews of a selection were found, in milliseconds: later than `after`, over `span`. */
interface NewestRange {
  after: number;
  span: number;
}

// Only a hint of where to look first, so it may be of any age.
const newestRanges = cached<NewestRange>({
  name: "where the newest reviews are",
  maxBytes: 16 * 1024 * 1024,
});

/** How many times as far back as the newest reviews the next ones are looked for, before all are. */
const FURTHER = 16;

/**
 * Yields the ranges that are read one after the other, the newest first, until there are enough reviews of a selection:
 * of all, or of those after a place in their order.
 */
export function* rangesToSearch(
  key: string,
  after: { time: number; id: string } | null,
): Generator<QueryFilter<ReviewDocument>> {
  // Reviews of the same moment are read by a query of their own: together with older ones it would be an `$or`.
  if (after) yield { createdAt: new Date(after.time), _id: { $lt: toObjectId(after.id)! } };
  let until = after && after.time - 1;
  for (const end of rangeEnds(key, until)) {
    if (until !== null && until < EARLIEST) return;
    // Never `$gte`, which would miss the bound itself in the embedded database.
    const createdAt = {
      ...(end !== null && { $gt: new Date(end) }),
      ...(until !== null && { $lte: new Date(until) }),
    };
    yield end === null && until === null ? {} : { createdAt };
    until = end;
  }
}

/** Returns the ends of the ranges from `until` back, in milliseconds. The last range has no end (null). */
function rangeEnds(key: string, until: number | null): (number | null)[] {
  const hint = newestRanges.get(key);
  if (!hint) return [null];
  const far = Math.max(EARLIEST, (until ?? hint.after) - FURTHER * hint.span - 1);
  return until === null ? [Math.max(EARLIEST, hint.after), far, null] : [far, null];
}

/** Remembers where the newest reviews were: all `limit` of them, or there are fewer. */
export function rememberRange(key: string, newest: ReviewDocument[], limit: number): void {
  if (newest.length < limit) {
    newestRanges.delete(key);
    return;
  }
  const times = newest.map(({ createdAt }) => createdAt.getTime());
  const oldest = Math.min(...times);
  newestRanges.set(key, { after: oldest - 1, span: Math.max(...times) - oldest });
}
