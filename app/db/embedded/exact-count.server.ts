import type { mongo } from "mongoose";
import { RateLimitCount, type RateLimitCountDocument } from "#models/rate-limit";
import { cached } from "~/lib/cache.server";
import { isDuplicateKeyError } from "~/lib/errors.server";

/** Attempts while others begin the same window. */
const MAX_ATTEMPTS = 5;

type StoredCount = Omit<RateLimitCountDocument, "_id">;

/** Without waiting for the journal: a count that a crash loses harms nobody. */
const UNSAFE = { writeConcern: { w: 1 } };

/** Windows that this process knows to have begun: an insert would be refused. */
const windows = cached<true>({ name: "windows", maxBytes: 1024 * 1024 });

const counts = RateLimitCount.collection as unknown as mongo.Collection<StoredCount>;

/**
 * Adds to the count of that key within its window, and returns the count. An insert begins a window, because the
 * embedded database returns nothing to most of many simultaneous upserts (docs/decisions/005-embedded-database.md).
 */
export async function addToCount(
  key: string,
  points: number,
  windowMs: number,
): Promise<StoredCount> {
  const isOpen = windows.has(key);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const now = new Date();
    const begun = { key, points, expire: new Date(now.getTime() + windowMs) };
    const updateCount = (expire: object, change: object) =>
      counts.findOneAndUpdate({ key, expire }, change, { ...UNSAFE, returnDocument: "after" });
    // The first of a window: the unique index refuses the insert to all others.
    const mayBegin = points > 0 && !(isOpen && attempt === 0);
    if (mayBegin && (await insertCount(begun))) {
      windows.set(key, true, { ttl: windowMs });
      return begun;
    }
    // No updateOne with $inc: of many at once the embedded database loses some.
    const counted = await updateCount(
      { $gt: now },
      // A clock that was set back must not make a window longer; what it has counted stays counted.
      { $inc: { points }, $min: { expire: begun.expire } },
    );
    if (counted) return counted;
    // The window is over, and with it what was counted.
    if (points < 0) return { ...begun, points: 0 };
    const begunAnew = await updateCount({ $lte: now }, { $set: begun });
    if (begunAnew) return begunAnew;
  }
  throw new Error("The window of a rate limit could not be begun");
}

export async function removeCount(key: string): Promise<void> {
  await counts.deleteOne({ key }, UNSAFE);
}

/** False if there is a count of that key. */
async function insertCount(count: StoredCount): Promise<boolean> {
  try {
    await counts.insertOne({ ...count }, UNSAFE);
    return true;
  } catch (error) {
    if (isDuplicateKeyError(error)) return false;
    throw error;
  }
}
