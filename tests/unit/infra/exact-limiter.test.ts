import { mongo } from "mongoose";
import { RateLimiterMemory, RateLimiterMongo, RateLimiterRes } from "rate-limiter-flexible";
import { afterEach, expect, it, vi } from "vitest";
import { ExactLimiter } from "~/infra/exact-limiter.server";

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

const counted = (points: number) => ({ points, expire: new Date(Date.now() + 30_000) });

afterEach(() => void vi.restoreAllMocks());

it("overrides a method that the library has", () => {
  expect(Object.hasOwn(RateLimiterMongo.prototype, "_upsert"), NEVER_CALLED).toBe(true);
});

it("counts with one command of ours, and answers with what that returned", async () => {
  const upsert = vi.spyOn(ExactLimiter.prototype, "_upsert");
  const findOneAndUpdate = vi.fn().mockResolvedValue(counted(2));
  const result = await makeLimiter({ findOneAndUpdate }).consume("ann");
  expect(upsert, NEVER_CALLED).toHaveBeenCalledOnce();
  expect(upsert.mock.calls[0]!.slice(0, 3)).toEqual(["test:ann", 1, WINDOW_SECONDS * 1_000]);
  expect(findOneAndUpdate, NEVER_CALLED).toHaveBeenCalledExactlyOnceWith(
    { key: "test:ann", expire: { $gt: expect.any(Date) } },
    { $inc: { points: 1 } },
    { returnDocument: "after" },
  );
  expect(result).toMatchObject({ consumedPoints: 2, remainingPoints: 0 });
  expect(result.msBeforeNext).toBeGreaterThan(29_000);
});

it("refuses one too many of what that returned", async () => {
  const findOneAndUpdate = vi.fn().mockResolvedValue(counted(3));
  const attempt = makeLimiter({ findOneAndUpdate }).consume("ann");
  await expect(attempt).rejects.toBeInstanceOf(RateLimiterRes);
});

it("begins a window, or counts in the one that another has begun meanwhile", async () => {
  const duplicate = new mongo.MongoServerError({ message: "E11000 duplicate key", code: 11000 });
  const findOneAndUpdate = vi.fn().mockResolvedValueOnce(null).mockResolvedValue(counted(1));
  const insertOne = vi.fn().mockRejectedValue(duplicate);
  const updateOne = vi.fn().mockResolvedValue({});
  const result = await makeLimiter({ findOneAndUpdate, insertOne, updateOne }).consume("ann");
  expect(result.consumedPoints).toBe(1);
  expect(updateOne).toHaveBeenCalledExactlyOnceWith(
    { key: "test:ann", expire: { $lte: expect.any(Date) } },
    { $set: { points: 0, expire: expect.any(Date) } },
  );
});

it("turns to the memory of the process when the database fails", async () => {
  const findOneAndUpdate = vi.fn().mockRejectedValue(new Error("away"));
  const insurance = new RateLimiterMemory({ keyPrefix: "test", points: 2, duration: 60 });
  const limiter = makeLimiter({ findOneAndUpdate }, insurance);
  await limiter.consume("ann");
  await limiter.consume("ann");
  await expect(limiter.consume("ann")).rejects.toBeInstanceOf(RateLimiterRes);
  expect(findOneAndUpdate, NEVER_CALLED).toHaveBeenCalledTimes(3);
});
