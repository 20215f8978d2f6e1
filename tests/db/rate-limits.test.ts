import mongoose from "mongoose";
import { describe, expect, it, vi } from "vitest";
import { RateLimitError } from "~/lib/errors.server";
import { NetworkLimit, RateLimit } from "~/db/rate-limits.server";
import { cacheBytes } from "../support/caches";
import { databaseUri, useDatabase } from "../support/database";
import { atTime, setTime } from "../support/time";

useDatabase();

const times = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/** How many of these were let through; anything but a refusal of the limit is thrown. */
async function allowed(attempts: Promise<unknown>[]): Promise<number> {
  const outcomes = await Promise.allSettled(attempts);
  const refused = outcomes.filter((outcome) => {
    if (outcome.status === "fulfilled") return false;
    if (outcome.reason instanceof RateLimitError) return true;
    throw outcome.reason;
  });
  return outcomes.length - refused.length;
}

const consume = (limit: RateLimit, key: string, count: number) =>
  Array.from({ length: count }, () => limit.consume(key));

const refusalOf = (promise: Promise<unknown>) =>
  promise.then(
    () => Promise.reject(new Error("It was let through")),
    (error: RateLimitError) => error,
  );

const makeLimit = (points: number, windowMs: number, name = "test") =>
  new RateLimit({ name, points, windowMs, refusal: (wait) => `Wait ${wait}` });

describe("a limit", () => {
  it("allows so many by key, and names the seconds until the next", async () => {
    const limit = makeLimit(3, 90_000);
    expect(await allowed(consume(limit, "ann", 5))).toBe(3);
    const refusal = await refusalOf(limit.consume("ann"));
    expect(refusal).toMatchObject({ status: 429, message: "Wait 2 minutes" });
    expect(refusal.retryAfter).toBeGreaterThan(60);
    expect(refusal.retryAfter).toBeLessThanOrEqual(90);
    expect(Number.isInteger(refusal.retryAfter)).toBe(true);
    expect(await allowed(consume(limit, "bob", 3))).toBe(3);
    expect(await allowed(consume(makeLimit(3, 90_000, "other"), "ann", 3))).toBe(3);
  });

  it("begins anew after the seconds that it named, and not before", async () => {
    const limit = makeLimit(1, 60_000);
    await limit.consume("ann");
    const { retryAfter } = await refusalOf(limit.consume("ann"));
    const named = Date.now() + retryAfter * 1_000;
    setTime(named - 5_000);
    await refusalOf(limit.consume("ann"));
    setTime(named);
    await limit.consume("ann");
    await refusalOf(limit.consume("ann"));
  });

  it("lets nobody wait longer than its window after the clock was set back", async () => {
    const limit = makeLimit(2, 60_000);
    await atTime(Date.now() + 3_600_000, async () =>
      expect(await allowed(consume(limit, "ann", 3))).toBe(2),
    );
    // The counts stay.
    const { retryAfter } = await refusalOf(limit.consume("ann"));
    expect(retryAfter).toBeGreaterThan(50);
    expect(retryAfter).toBeLessThanOrEqual(60);
  });

  it("takes back what was counted, and forgets on demand", async () => {
    const limit = makeLimit(2, 60_000);
    await limit.consume("ann");
    await limit.consume("ann");
    await limit.refund("ann");
    await limit.consume("ann");
    await refusalOf(limit.consume("ann"));
    await limit.reset("ann");
    expect(await allowed(consume(limit, "ann", 3))).toBe(2);
    // Nothing can be taken back that was never counted, or is forgotten.
    await limit.refund("bob");
    expect(await allowed(consume(limit, "bob", 3))).toBe(2);
  });

  it("is exact when many come at once to several connections", async () => {
    // Modules of their own have connections of their own, as other processes do.
    const others = await times(2, async () => {
      vi.resetModules();
      const { connectDatabase } = await import("~/db/database.server");
      await connectDatabase(databaseUri());
      const { RateLimit: Limit } = await import("~/db/rate-limits.server");
      return new Limit({ name: "test", points: 40, windowMs: 60_000, refusal: () => "no" });
    });
    const outcomes = await Promise.all(
      others.flatMap((limit) =>
        Array.from({ length: 60 }, () =>
          limit.consume("ann").then(
            () => "in",
            (error: Error) => error.message,
          ),
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === "in")).toHaveLength(40);
    expect(outcomes.filter((outcome) => outcome === "no")).toHaveLength(80);
  });

  it("is kept in this process while the database does not answer", async () => {
    const limit = makeLimit(3, 60_000);
    await limit.consume("ann");
    const away = () => Promise.reject(new mongoose.mongo.MongoNetworkError("away"));
    vi.spyOn(mongoose.mongo.Collection.prototype, "findOneAndUpdate").mockImplementation(away);
    vi.spyOn(mongoose.mongo.Collection.prototype, "findOne").mockImplementation(away);
    expect(await allowed(consume(limit, "ann", 5))).toBe(3);
    const { retryAfter } = await refusalOf(limit.consume("ann"));
    expect(retryAfter).toBeGreaterThan(50);
    expect((await refusalOf(limit.consume("ann"))).retryAfter).toBeGreaterThan(50);
    vi.restoreAllMocks();
    expect(await allowed(consume(limit, "ann", 5))).toBe(2);
  });
});

it("counts of all limits in this process stay within 4 MB, however many and long their keys are", async () => {
  const away = () => Promise.reject(new mongoose.mongo.MongoNetworkError("away"));
  vi.spyOn(mongoose.mongo.Collection.prototype, "insertOne").mockImplementation(away);
  for (const name of ["one", "other"]) {
    const limit = makeLimit(3, 60_000, name);
    await times(400, (n) => limit.consume("k".repeat(3_000) + n));
  }
  expect(await cacheBytes("limits")).toBeGreaterThan(3.5 * 1024 * 1024);
  expect(await cacheBytes("limits")).toBeLessThanOrEqual(4 * 1024 * 1024);
  vi.restoreAllMocks();
});

describe("a limit by network", () => {
  const limit = () =>
    new NetworkLimit({ name: "test", points: 2, windowMs: 90_000, refusal: () => "Wait" });
  const network = (n: number) => `2001:db8:1:${n.toString(16)}::/64`;

  it("allows a /48 of IPv6 ten times as much, however many networks it has", async () => {
    const [one, other] = [limit(), limit()];
    const counted = times(30, (n) => allowed([(n % 2 ? one : other).consume(network(n))]));
    expect((await counted).reduce((sum, count) => sum + count)).toBe(20);
    await one.consume("2001:db8:2:1::/64");
    await one.consume("192.0.2.1");
  });

  it("allows each of its networks no more than any other client", async () => {
    const own = limit();
    for (const client of [network(1), "192.0.2.1", "unknown"])
      expect(await allowed(Array.from({ length: 4 }, () => own.consume(client)))).toBe(2);
  });
});
