import { SlidingCount, type SlidingCountDocument } from "#models/sliding-count";
import { isDuplicateKeyError } from "~/lib/errors.server";

/** Attempts while others count under the same key. */
const MAX_ATTEMPTS = 10;

interface SlidingLimitOptions {
  name: string;
  points: number;
  windowMs: number;
}

/**
 * Lets at most `points` things of a key pass within any `windowMs`, counted in the database, so that all processes count
 * together. A `RateLimit` can let pass twice as many around the end of its window.
 */
export class SlidingLimit {
  constructor(private readonly options: SlidingLimitOptions) {}

  /** Counts the thing of that id, which counts once when it is tried again. Returns when it may pass; null for now. */
  async take(key: string, id: string, now: Date): Promise<Date | null> {
    const { name, points, windowMs } = this.options;
    const _id = `${name} ${key}`;
    const taken = { id, at: now };
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      // Not by `now`: the database removes by its own clock what has expired.
      const expiresAt = new Date(Date.now() + windowMs);
      // Most often it is the first of its key.
      if (await insertCount({ _id, recent: [taken], version: 1, expiresAt })) return null;
      const found = await SlidingCount.findById(_id).lean<SlidingCountDocument>();
      if (!found) continue;
      const others = found.recent
        .filter((one) => one.id !== id && now.getTime() - one.at.getTime() < windowMs)
        .sort((a, b) => a.at.getTime() - b.at.getTime());
      const oldest = others.at(-points);
      if (oldest) return new Date(oldest.at.getTime() + windowMs);
      const { modifiedCount } = await SlidingCount.updateOne(
        { _id, version: found.version },
        { $set: { expiresAt, recent: [...others, taken] }, $inc: { version: 1 } },
      );
      if (modifiedCount === 1) return null;
    }
    throw new Error("Others count under the same key all the time");
  }
}

/** False if there is a count of that key. */
async function insertCount(count: SlidingCountDocument): Promise<boolean> {
  try {
    await SlidingCount.create(count);
    return true;
  } catch (error) {
    if (isDuplicateKeyError(error)) return false;
    throw error;
  }
}
