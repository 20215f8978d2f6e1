import type { ClientSession, Types } from "mongoose";
import { Change, type ChangeDocument } from "#models/change";
import { cached } from "~/infra/cache.server";

// The embedded database reads a whole range before it sorts and cuts (docs/decisions/005-embedded-database.md): a
// tour's lines are first looked for where they must be unless some are missing.

/** Only a hint: another process may have written further ones, and a restored backup has fewer. */
const lastVersions = cached<number>({
  name: "the last change of a tour",
  maxBytes: 8 * 1024 * 1024,
});

/** Returns the line of a tour's last change; null where it has none. */
export async function findLastChange(
  tourId: Types.ObjectId,
  session: ClientSession,
): Promise<ChangeDocument | null> {
  const key = tourId.toString();
  const from = (least: number) =>
    Change.collection.findOne<ChangeDocument>(
      { tourId, version: { $gte: least } },
      { sort: { version: -1 }, session },
    );
  const hint = lastVersions.get(key) ?? 0;
  const last = (await from(hint)) ?? (hint > 0 ? await from(0) : null);
  if (last) lastVersions.set(key, last.version);
  return last;
}

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
