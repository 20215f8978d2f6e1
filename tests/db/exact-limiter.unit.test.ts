import { mongo } from "mongoose";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { afterEach, expect, it, vi } from "vitest";
import { ExactLimiter } from "~/db/embedded/exact-limiter.server";

// An upgrade of rate-limiter-flexible that no longer counts with our `_upsert` must not go unnoticed:
// with its own the limits still seem to work, and let too many through.

const NEVER_CALLED =
  "rate-limiter-flexible no longer counts with _upsert: see docs/decisions/005-embedded-database.md";

const WINDOW_SECONDS = 60;

/** A limiter over a collection that only has the given commands. */
function makeLimiter(commands: Record<string, unknown>, insurance?: RateLimiterMemory) {
  const db = { collection: () => commands } as unknown as mongo.Db;
  return new ExactLimiter(db, {
    keyPrefix: "test",
    points: 2,
    duration: WINDOW_SECONDS,
    insuranceLimiter: insurance,
  });
}

afterEach(() => {
  vi.restoreAllMocks();
});

it("begins a window with one insert of ours, and answers with what that stored", async () => {
  const upsert = vi.spyOn(ExactLimiter.prototype, "_upsert");
  const insertOne = vi.fn().mockResolvedValue({});
  const result = await makeLimiter({ insertOne }).consume("ann");
  expect(upsert, NEVER_CALLED).toHaveBeenCalledOnce();
  expect(upsert.mock.calls[0]!.slice(0, 3)).toEqual(["test:ann", 1, WINDOW_SECONDS * 1_000]);
  expect(insertOne, NEVER_CALLED).toHaveBeenCalledExactlyOnceWith({
    key: "test:ann",
    points: 1,
    expire: expect.any(Date),
  });
  expect(result).toMatchObject({ consumedPoints: 1, remainingPoints: 1 });
  expect(result.msBeforeNext).toBeGreaterThan(59_000);
});

it("turns to the memory of the process when the database fails", async () => {
  const insertOne = vi.fn().mockRejectedValue(new Error("away"));
  const insurance = new RateLimiterMemory({ keyPrefix: "test", points: 2, duration: 60 });
  const limiter = makeLimiter({ insertOne }, insurance);
  await limiter.consume("ann");
  await limiter.consume("ann");
  await expect(limiter.consume("ann")).rejects.toBeInstanceOf(RateLimiterRes);
  expect(insertOne, NEVER_CALLED).toHaveBeenCalledTimes(3);
});
