import { LRUCache } from "lru-cache";

/** What an entry takes beside its key and value, in bytes. */
const ENTRY_BYTES = 300;

interface Options<Value, Context> {
  /** Unique among the caches. */
  name: string;
  /** How long a value is kept, in milliseconds; without it, as long as there is room. */
  ttl?: number;
  /** What all entries may take together, in bytes; a value that takes more by itself is not kept. */
  maxBytes: number;
  /** What a value takes, in bytes; otherwise estimated from its JSON: two bytes a character, and half for the objects. */
  bytesOf?: (value: Value) => number;
  /** Loads a value for `fetch`, once for all who ask meanwhile. A rejection, or undefined, is not kept. */
  load?: (key: string, context: Context) => Promise<Value | undefined>;
  /** Whether an old value is returned while a new one is loaded, and when that fails. */
  allowStale?: boolean;
}

const caches = new Map<string, { clear: () => void }>();

/**
 * Returns a cache of this process, bounded in bytes. A load that began before its key was deleted still answers
 * those who asked for it, and is not kept.
 */
export function cached<Value extends NonNullable<unknown>, Context = void>({
  name,
  ttl = 0,
  maxBytes,
  bytesOf = (value) => 3 * JSON.stringify(value).length,
  load,
  allowStale = false,
}: Options<Value, Context>): LRUCache<string, Value, Context> {
  const cache = new LRUCache<string, Value, Context>({
    ttl,
    maxSize: maxBytes,
    sizeCalculation: (value, key) => ENTRY_BYTES + 2 * key.length + bytesOf(value),
    ...(load && { fetchMethod: (key, _before, { context }) => load(key, context) }),
    ignoreFetchAbort: true,
    allowStale,
    allowStaleOnFetchRejection: allowStale,
  });
  caches.set(name, cache);
  return cache;
}

/** Empties all caches of this process. */
export function clearCaches(): void {
  for (const cache of caches.values()) cache.clear();
}
