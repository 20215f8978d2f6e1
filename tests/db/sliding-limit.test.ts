import { expect, it } from "vitest";
import { SlidingLimit } from "~/db/sliding-limit.server";
import { SlidingCount } from "#models/sliding-count";
import { useDatabase } from "../support/database";

useDatabase();

const WINDOW = 60_000;
const limit = new SlidingLimit({ name: "test", points: 3, windowMs: WINDOW });
const start = Date.now();
const take = (id: string, ms: number, key = "ann") => limit.take(key, id, new Date(start + ms));
const at = (ms: number) => new Date(start + ms);

it("lets so many of a key pass within any such time, and says when the next may", async () => {
  for (const [id, ms] of [
    ["one", 0],
    ["two", 50_000],
    ["three", 55_000],
  ] as const)
    expect(await take(id, ms)).toBeNull();
  expect(await take("four", 59_999)).toEqual(at(WINDOW));
  expect(await take("four", 59_999, "bob")).toBeNull();
  expect(await take("four", WINDOW)).toBeNull();
  // Not the three that a window would have that begins with the first one.
  expect(await take("five", WINDOW)).toEqual(at(50_000 + WINDOW));
});

it("counts what is tried again once, at its last try", async () => {
  for (const ms of [0, 10_000, 20_000, 30_000]) expect(await take("one", ms)).toBeNull();
  for (const id of ["two", "three"]) expect(await take(id, 40_000)).toBeNull();
  expect(await take("one", 50_000)).toBeNull();
  expect(await take("four", 50_000)).toEqual(at(40_000 + WINDOW));
  // One that was let pass longer ago than that is counted anew.
  for (const id of ["four", "five"]) expect(await take(id, 101_000)).toBeNull();
  expect(await take("two", 101_000)).toEqual(at(50_000 + WINDOW));
});

it("is exact for many at once", async () => {
  const ids = Array.from({ length: 24 }, (_, index) => String(index));
  const taken = await Promise.all(ids.map((id) => take(id, 0)));
  expect(taken.filter((until) => until === null)).toHaveLength(3);
  expect(new Set(taken.map(String))).toEqual(new Set(["null", String(at(WINDOW))]));
});

it("leaves nothing for longer than the database needs to clear it", async () => {
  await take("one", -WINDOW);
  await take("two", 0);
  const [count] = await SlidingCount.find().lean();
  expect(count!.recent).toHaveLength(1);
  expect(count!.expiresAt.getTime()).toBeGreaterThanOrEqual(start + WINDOW);
  expect(count!.expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + WINDOW);
});
