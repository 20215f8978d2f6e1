import type { QueryFilter, Types } from "mongoose";
import { Change, type ChangeDocument } from "#models/change";

// The embedded database reads a whole range before it sorts and cuts (docs/decisions/005-embedded-database.md): lines
// are first looked for where they must be unless some are missing.

/** Returns up to `count` lines of a tour after that version, the oldest first. */
export async function findChangesAfter(
  tourId: Types.ObjectId,
  after: number,
  count: number,
): Promise<ChangeDocument[]> {
  const within = (version: { $gt: number; $lte?: number }) =>
    Change.find({ tourId, version }).sort({ version: 1 }).limit(count).lean<ChangeDocument[]>();
  const found = await within({ $gt: after, $lte: after + count });
  return found.length === count ? found : within({ $gt: after });
}

/** Where a line of any tour stands in the order of all. */
export type ChangePlace = Pick<ChangeDocument, "time" | "tourId" | "version">;

/** No line is older than the first release that has written some. */
const FIRST = Date.UTC(2026, 10, 1);

/** The first range that is looked through, and how much larger each further one is. */
const RANGE_MS = 1_000;
const GROWTH = 4;

/** Returns up to `count` lines of all tours behind that place, not after `until` and as in `only`, by their times. */
export async function findLinesAfter(
  place: ChangePlace | null,
  until: Date,
  count: number,
  only: QueryFilter<ChangeDocument> = {},
): Promise<ChangeDocument[]> {
  const found: ChangeDocument[] = [];
  const read = async (filter: QueryFilter<ChangeDocument>) => {
    const limit = count - found.length;
    if (limit === 0) return;
    const sort = { time: 1, tourId: 1, version: 1 } as const;
    const lines = Change.find({ ...filter, ...only })
      .sort(sort)
      .limit(limit);
    found.push(...(await lines.lean<ChangeDocument[]>()));
  };
  if (place) {
    const { time, tourId, version } = place;
    await read({ time, tourId, version: { $gt: version } });
    await read({ time, tourId: { $gt: tourId } });
  } else await read({ time: { $lte: new Date(FIRST) } });
  const end = until.getTime();
  let from = place?.time.getTime() ?? FIRST;
  for (let range = RANGE_MS; from < end && found.length < count; range *= GROWTH) {
    const to = Math.min(from + range, end);
    await read({ time: { $gt: new Date(from), $lte: new Date(to) } });
    from = to;
  }
  return found;
}

/** Returns the last line of a tour at that time, which `last` is or stands before; null where there was none yet. */
export async function findChangeAt(
  tourId: Types.ObjectId,
  time: Date,
  last: number,
): Promise<ChangeDocument | null> {
  let found: ChangeDocument | null = null;
  // Times rise with the versions: each look halves the lines that are left.
  for (let [low, high] = [1, last]; low <= high;) {
    const version = Math.floor((low + high) / 2);
    const line: ChangeDocument | null = await Change.findOne({
      tourId,
      version,
    }).lean<ChangeDocument>();
    if (line && line.time <= time) [found, low] = [line, version + 1];
    else high = version - 1;
  }
  return found;
}
