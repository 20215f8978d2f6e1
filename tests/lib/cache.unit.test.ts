import { expect, test, vi } from "vitest";
import { cached } from "~/lib/cache.server";

/** A cache of buffers, which are counted by their length. */
const buffers = (maxBytes = 100_000) =>
  cached<Buffer>({ name: "buffers", maxBytes, bytesOf: ({ length }) => length });

test("holds values up to its bound, those used last", () => {
  const cache = buffers();
  for (let n = 0; n < 20; n++) {
    cache.set(`${n}`, Buffer.alloc(10_000));
    expect(cache.get("0")).toBeDefined();
    expect(cache.calculatedSize).toBeLessThanOrEqual(100_000);
  }
  expect(cache.calculatedSize).toBeGreaterThan(9 * 10_000);
  expect([cache.has("5"), cache.has("19")]).toEqual([false, true]);
});

test("loads a value once for all who ask, and keeps no failure and no absence", async () => {
  const load = vi.fn<(key: string) => Promise<number | undefined>>();
  const cache = cached<number>({ name: "numbers", maxBytes: 10_000, load });
  load.mockRejectedValueOnce(new Error("away")).mockResolvedValueOnce(undefined);
  await expect(cache.fetch("a")).rejects.toThrow("away");
  expect(await cache.fetch("a")).toBeUndefined();
  load.mockResolvedValue(7);
  expect(await Promise.all([cache.fetch("a"), cache.fetch("a")])).toEqual([7, 7]);
  expect(await cache.fetch("a")).toBe(7);
  expect(load).toHaveBeenCalledTimes(3);
});
