import { mongo } from "mongoose";
import { RateLimiterMemory, RateLimiterMongo, RateLimiterRes } from "rate-limiter-flexible";
import { afterEach, expect, it, vi } from "vitest";
import { ExactLimiter } from "~/store/embedded/exact-limiter.server";

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

const counted = (points: number) => ({
  key: "test:ann",
  points,
  expire: new Date(Date.now() + 30_000),
});
const duplicate = () =>
  Promise.reject(new mongo.MongoServerError({ message: "E11000 duplicate key", code: 11000 }));

afterEach(() => {
  vi.restoreAllMocks();
});

it("overrides a method that the library has", () => {
  expect(Object.hasOwn(RateLimiterMongo.prototype, "_upsert"), NEVER_CALLED).toBe(true);
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

it("counts in a window that is begun, and refuses one too many", async () => {
  const insertOne = vi.fn().mockImplementation(duplicate);
  const findOneAndUpdate = vi.fn().mockResolvedValueOnce(counted(2)).mockResolvedValue(counted(3));
  const limiter = makeLimiter({ insertOne, findOneAndUpdate });
  expect(await limiter.consume("ann")).toMatchObject({ consumedPoints: 2, remainingPoints: 0 });
  expect(findOneAndUpdate, NEVER_CALLED).toHaveBeenCalledExactlyOnceWith(
    { key: "test:ann", expire: { $gt: expect.any(Date) } },
    { $inc: { points: 1 }, $min: { expire: expect.any(Date) } },
    { returnDocument: "after" },
  );
  await expect(limiter.consume("ann")).rejects.toBeInstanceOf(RateLimiterRes);
});

it("begins anew a window that is over and not removed yet", async () => {
  const insertOne = vi.fn().mockImplementation(duplicate);
  const findOneAndUpdate = vi.fn().mockResolvedValueOnce(null).mockResolvedValue(counted(1));
  const result = await makeLimiter({ findOneAndUpdate, insertOne }).consume("ann");
  expect(result.consumedPoints).toBe(1);
  expect(findOneAndUpdate).toHaveBeenLastCalledWith(
    { key: "test:ann", expire: { $lte: expect.any(Date) } },
    { $set: { key: "test:ann", points: 1, expire: expect.any(Date) } },
    { returnDocument: "after" },
  );
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
