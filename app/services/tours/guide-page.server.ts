import type { LRUCache } from "lru-cache";
import { cached } from "../../infra/cache.server";
import type { Caller } from "../caller.server";
import {
  type GuideLists,
  type GuideOverview,
  type GuideQuery,
  readGuideLists,
  readOverview,
} from "./guide-overview.server";

/**
 * How long a guide's lists are kept, and again the pages that are cut from them, in milliseconds: together
 * the half minute of docs/rules/bookings.md, Bookings.
 */
const KEPT_MS = 15_000;

/** What the kept lists of all guides may take together, in bytes, and the pages. */
const LISTS_BYTES = 32 * 1024 * 1024;
const PAGES_BYTES = 4 * 1024 * 1024;

interface Recent<Value> {
  /** Not later than its first read, in milliseconds since 1970. */
  readAt: number;
  value: Value;
}

// A read that somebody else finds too old is theirs to repeat, and still an answer to who asked for it first.
const recentLists = cached<Recent<GuideLists>, Caller>({
  name: "guides' lists",
  ttl: KEPT_MS,
  maxBytes: LISTS_BYTES,
  load: async (_id, guide) => {
    const now = new Date();
    return { readAt: now.getTime(), value: await readGuideLists(guide, now) };
  },
});

type Asked = { guide: Caller; query: GuideQuery; notBefore: number };

const recentPages = cached<Recent<GuideOverview>, Asked>({
  name: "guides' pages",
  ttl: KEPT_MS,
  maxBytes: PAGES_BYTES,
  load: async (_key, { guide, query, notBefore }) => {
    const { readAt, value } = await readSince(recentLists, guide.id, guide, notBefore);
    return { readAt, value: await readOverview(value, query, new Date()) };
  },
});

/**
 * Returns the content of a guide's page: at most half a minute old, and read after `notBefore`, the time of the
 * guide's last change in milliseconds since 1970. The lists of a guide with many tours are too expensive to be
 * read for each page.
 */
export async function guidePage(
  guide: Caller,
  query: GuideQuery,
  notBefore: number,
): Promise<GuideOverview> {
  const key = JSON.stringify([guide.id, query]);
  return (await readSince(recentPages, key, { guide, query, notBefore }, notBefore)).value;
}

/** Whether the guide has departures to complete, or had some seconds ago. */
export async function hasOpenDepartures(guide: Caller): Promise<boolean> {
  const { value } = await readSince(recentLists, guide.id, guide, 0);
  return value.departures.open.length > 0;
}

async function readSince<Value, Context>(
  kept: LRUCache<string, Recent<Value>, Context>,
  key: string,
  context: Context,
  notBefore: number,
): Promise<Recent<Value>> {
  const read = () => kept.forceFetch(key, { context } as never);
  const recent = await read();
  if (recent.readAt >= notBefore) return recent;
  // It may have been under way when the guide did that.
  kept.delete(key);
  return read();
}
