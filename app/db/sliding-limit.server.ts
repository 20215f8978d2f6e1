import { counts, insertCount } from "~/db/embedded/exact-count.server";

/** While others count under the same key. */
const MAX_ATTEMPTS = 10;

/**
 * Lets at most `points` things of a key pass within any `windowMs`, counted in the database, so that all processes count
 * together. A `RateLimit` can let pass twice as many around the end of its window.
 */
export class SlidingLimit {
  constructor(private readonly options: { name: string; points: number; windowMs: number }) {}

  /** Counts the thing of that id, which counts once when it is tried again. Returns when it may pass; null for now. */
  async take(key: string, id: string, now: Date): Promise<Date | null> {
    const { name, points, windowMs } = this.options;
    const counted = { key: `${name}:${key}` };
    const taken = { id, at: now };
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      // Not by `now`: the database removes by its own clock what has expired.
      const expire = new Date(Date.now() + windowMs);
      // Most often it is the first of its key: the unique index refuses the insert to all others.
      if (await insertCount({ ...counted, points: 1, expire, recent: [taken] })) return null;
      const found = await counts.findOne(counted);
      if (!found) continue;
      const others = (found.recent ?? [])
        .filter((one) => one.id !== id && now.getTime() - one.at.getTime() < windowMs)
        .sort((a, b) => a.at.getTime() - b.at.getTime());
      const oldest = others.at(-points);
      if (oldest) return new Date(oldest.at.getTime() + windowMs);
      // The number of points names the state that was read: of two at once, the later one looks again.
      const change = { $set: { expire, recent: [...others, taken] }, $inc: { points: 1 } };
      if (await counts.findOneAndUpdate({ ...counted, points: found.points }, change)) return null;
    }
    throw new Error("Others count under the same key all the time");
  }
}
