import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { listCache, toWholeList } from "~/store/reviews/list-cache.server";

/** A list of that many bytes, which gzip makes much smaller. */
const listOf = (bytes: number, text = "x") => toWholeList([Buffer.from(text.repeat(bytes))]);

test("holds lists up to its bound, the ones used last", () => {
  const cache = listCache({ maxBytes: 100_000, ttl: 60_000 });
  for (let n = 0; n < 20; n++) {
    cache.set(`${n}`, listOf(10_000));
    expect(cache.get("0")).toBeDefined();
    expect(cache.bytes()).toBeLessThanOrEqual(100_000);
  }
  expect(cache.bytes()).toBeGreaterThan(9 * 10_000);
  expect(cache.get("5")).toBeUndefined();
  expect(cache.get("19")).toBeDefined();
});

test("counts what very small lists take beside their bytes", () => {
  const cache = listCache({ maxBytes: 100_000, ttl: 60_000 });
  for (let n = 0; n < 1_000; n++) cache.set(`${n}`, listOf(14));
  expect(cache.get("999")).toBeDefined();
  expect(cache.get("700")).toBeUndefined();
});

test("keeps no list that is larger than the bound, and nothing else goes for it", () => {
  const cache = listCache({ maxBytes: 100_000, ttl: 60_000 });
  cache.set("small", listOf(1_000));
  cache.set("large", listOf(100_001));
  expect(cache.get("large")).toBeUndefined();
  expect(cache.get("small")).toBeDefined();
});

test("makes a list's gzip once, for all who ask, and counts it", async () => {
  const cache = listCache({ maxBytes: 100_000, ttl: 60_000 });
  cache.set("a", listOf(50_000));
  const before = cache.bytes();
  const list = cache.get("a")!;
  const [first, second] = await Promise.all([cache.gzipOf("a", list), cache.gzipOf("a", list)]);
  const third = await cache.gzipOf("a", cache.get("a")!);
  expect(gunzipSync(first!)).toEqual(list.body);
  expect([second === first, third === first]).toEqual([true, true]);
  expect(cache.bytes() - before).toBe(first!.length);
  // What is counted is what the process holds for it: no piece of a larger buffer.
  expect([first!.buffer.byteLength, list.body.buffer.byteLength]).toEqual([first!.length, 50_000]);
});

test("a gzip that comes late brings no list back, and no other one's place", async () => {
  const cache = listCache({ maxBytes: 100_000, ttl: 60_000 });
  const old = listOf(50_000);
  cache.set("a", old);
  const making = cache.gzipOf("a", old);
  const newer = listOf(50_000, "y");
  cache.set("a", newer);
  await making;
  expect(cache.get("a")).toBe(newer);
  const again = cache.gzipOf("a", newer);
  cache.clear();
  await again;
  expect([cache.get("a"), cache.bytes()]).toEqual([undefined, 0]);
});

test("a gzip makes no list live longer", async () => {
  const cache = listCache({ maxBytes: 100_000, ttl: 200 });
  const list = listOf(50_000);
  cache.set("a", list);
  await sleep(150);
  await cache.gzipOf("a", list);
  await sleep(100);
  expect(cache.get("a")).toBeUndefined();
});

test("compresses nothing that one packet holds", async () => {
  const cache = listCache({ maxBytes: 100_000, ttl: 60_000 });
  expect(await cache.gzipOf("a", listOf(1_023))).toBeNull();
  expect(await cache.gzipOf("b", listOf(1_024))).not.toBeNull();
});
