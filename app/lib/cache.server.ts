import { subscribe } from "node:diagnostics_channel";
import { LRUCache } from "lru-cache";
import { Counter, Gauge } from "prom-client";
import { processRegistry } from "./metrics.server";

const ENTRY_BYTES = 300;

interface Options<Value, Context> {
  name: string;
  /** How long a value is kept, in milliseconds; without it, as long as there is room. */
  ttl?: number;
  /** Largest size of all entries together, in bytes; a value that takes more by itself is not kept. */
  maxBytes: number;
  /** The size of a value; `estimatedBytes` without it. */
  bytesOf?: (value: Value) => number;
  /** Loads a value for `fetch`, once for all who ask meanwhile. A rejection, or undefined, is not kept. */
  load?: (key: string, context: Context) => Promise<Value | undefined>;
  /** Whether an old value is returned while a new one is loaded, and when that fails. */
  allowStale?: boolean;
}

interface CountedCache {
  cache: Pick<LRUCache<string, NonNullable<unknown>>, "clear" | "size" | "calculatedSize">;
  hits: number;
  misses: number;
}

/** Estimates the size of a value as that of its JSON: two bytes a character, and half for the objects. */
export const estimatedBytes = (value: unknown) => 3 * JSON.stringify(value).length;

/** Joins buffers to be kept: a small one is often a piece of a larger one, which it would keep. */
export function inOwnMemory(parts: readonly Buffer[]): Buffer {
  const whole = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) end += part.copy(whole, end);
  return whole;
}

const caches = new Map<string, CountedCache>();
const countedCaches = new WeakMap<object, CountedCache>();

// The channels of the library's metrics: of `get`, and of `fetch`.
for (const channel of ["lru-cache:metrics", "tracing:lru-cache:start"])
  subscribe(channel, (status) => countRequest(status as LRUCache.Status<string, unknown>));

/** Counts a hit where the value was there or is being loaded, and otherwise a miss. */
function countRequest({ op, cache, get, fetch }: LRUCache.Status<string, unknown>): void {
  if (op !== "get" && op !== "fetch") return;
  const counted = cache && countedCaches.get(cache);
  if (!counted) return;
  if (get === "hit" || fetch === "hit" || fetch === "inflight") counted.hits++;
  else counted.misses++;
}

/**
 * Bounded in bytes. A load that began before its key was deleted still answers those who asked for it, and is not
 * kept.
 */
export function cached<Value extends NonNullable<unknown>, Context = void>({
  name,
  ttl = 0,
  maxBytes,
  bytesOf = estimatedBytes,
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
  const counted = { cache, hits: 0, misses: 0 };
  caches.set(name, counted);
  countedCaches.set(cache, counted);
  return cache;
}

export function clearCaches(): void {
  for (const { cache } of caches.values()) cache.clear();
}

const registers = [processRegistry];

new Gauge({
  name: "tour_reviews_cache_entries",
  help: "The entries of each cache.",
  labelNames: ["cache"] as const,
  registers,
  collect() {
    for (const [name, { cache }] of caches) this.set({ cache: name }, cache.size);
  },
});

new Gauge({
  name: "tour_reviews_cache_bytes",
  help: "The bytes that each cache counts for its entries.",
  labelNames: ["cache"] as const,
  registers,
  collect() {
    for (const [name, { cache }] of caches) this.set({ cache: name }, cache.calculatedSize);
  },
});

new Counter({
  name: "tour_reviews_cache_requests_total",
  help: "How often a value was asked for: hit when it was there or being loaded, miss otherwise.",
  labelNames: ["cache", "result"] as const,
  registers,
  collect() {
    this.reset();
    for (const [name, { hits, misses }] of caches) {
      this.inc({ cache: name, result: "hit" }, hits);
      this.inc({ cache: name, result: "miss" }, misses);
    }
  },
});
