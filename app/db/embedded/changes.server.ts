import type { QueryFilter, Types } from "mongoose";
import { Change, type ChangeDocument } from "#models/change";

// The embedded database reads a whole range before it sorts and cuts (docs/decisions/005-embedded-database.md): entries
// of the log are first looked for where they must be unless some are missing.

/** Returns up to `count` entries of a tour after that version, the oldest first. */
export async function findTourEntriesAfter(
  tourId: Types.ObjectId,
  after: number,
  count: number,
): Promise<ChangeDocument[]> {
  const within = (version: { $gt: number; $lte?: number }) =>
    Change.find({ tourId, version }).sort({ version: 1 }).limit(count).lean<ChangeDocument[]>();
  const found = await within({ $gt: after, $lte: after + count });
  return found.length === count ? found : within({ $gt: after });
}

/** Where an entry of any tour stands in the order of all. */
export type EntryPlace = Pick<ChangeDocument, "time" | "tourId" | "version">;

/** No entry is older than the first release that has written some. */
const FIRST = Date.UTC(2026, 10, 1);

/** The first range that is looked through, and how much larger each further one is. */
const RANGE_MS = 1_000;
const GROWTH = 4;

/** Returns up to `count` entries of all tours behind that place, not after `until` and as in `only`, by their times. */
export async function findEntriesAfter(
  place: EntryPlace | null,
  until: Date,
  count: number,
  only: QueryFilter<ChangeDocument> = {},
): Promise<ChangeDocument[]> {
  const found: ChangeDocument[] = [];
  const readEntries = async (filter: QueryFilter<ChangeDocument>) => {
    const limit = count - found.length;
    if (limit === 0) return;
    const sort = { time: 1, tourId: 1, version: 1 } as const;
    const entries = Change.find({ ...filter, ...only })
      .sort(sort)
      .limit(limit);
    found.push(...(await entries.lean<ChangeDocument[]>()));
  };
  if (place) {
    const { time, tourId, version } = place;
    await readEntries({ time, tourId, version: { $gt: version } });
    await readEntries({ time, tourId: { $gt: tourId } });
  } else await readEntries({ time: { $lte: new Date(FIRST) } });
  const end = until.getTime();
  let from = place?.time.getTime() ?? FIRST;
  for (let range = RANGE_MS; from < end && found.length < count; range *= GROWTH) {
    const to = Math.min(from + range, end);
    await readEntries({ time: { $gt: new Date(from), $lte: new Date(to) } });
    from = to;
  }
  return found;
}

/** Returns the last entry of a tour at that time, which `last` is or stands before; null where there was none yet. */
export async function findEntryAt(
  tourId: Types.ObjectId,
  time: Date,
  last: number,
): Promise<ChangeDocument | null> {
  let found: ChangeDocument | null = null;
  // Times rise with the versions: each look halves the entries that are left.
  let low = 1;
  let high = last;
  while (low <= high) {
    const version = Math.floor((low + high) / 2);
    const entry: ChangeDocument | null = await Change.findOne({
      tourId,
      version,
    }).lean<ChangeDocument>();
    if (entry && entry.time <= time) {
      found = entry;
      low = version + 1;
    } else high = version - 1;
  }
  return found;
}
