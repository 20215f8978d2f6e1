import { gunzipSync } from "node:zlib";
import mongoose, { Types } from "mongoose";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { listReviews } from "~/reviews/list/list.server";
import { postReview } from "~/reviews/post.server";
import { User } from "#models/user";
import { Tour } from "#models/tour";
import { Review } from "#models/review";
import { useDatabase } from "../support/database";
import { jsonOf, listedReviews } from "../support/services";
import {
  as,
  insertReviews,
  makeBookedExplorer,
  makeReview,
  makeTour,
  makeUser,
} from "../support/factories";

// The order of a list and its authors are tested in list-reviews.http.test.ts.

useDatabase();

/** The reads that reach the database, as the driver reports them, and how many users each asks for. */
let commands: string[] = [];
let usersAsked: number[] = [];
interface Read {
  filter?: { _id?: { $in?: object[] } };
}
const record = ({ commandName, command }: { commandName: string; command: object }) => {
  if (!["find", "aggregate", "getMore"].includes(commandName)) return;
  const target = String((command as Record<string, unknown>)[commandName]);
  commands.push(target);
  if (target === "users") usersAsked.push((command as Read).filter?._id?.$in?.length ?? 0);
};
beforeAll(() => mongoose.connection.getClient().on("commandStarted", record));
afterAll(() => mongoose.connection.getClient().off("commandStarted", record));
beforeEach(() => ([commands, usersAsked] = [[], []]));
afterEach(() => vi.restoreAllMocks());

const list = (tour: { _id: Types.ObjectId }) => listedReviews(tour._id.toString());

/** Tours with that many reviews each, from nobody. */
async function makeTours(count: number, { reviews = 1, comment = "", reviewCount = 0 } = {}) {
  const ids = Array.from({ length: count }, () => new Types.ObjectId());
  const fields = { title: "T", reviewCount, ratingsVersion: 1 };
  await Tour.insertMany(
    ids.map((_id) => ({ _id, slug: _id.toString(), createdById: _id, ...fields })),
  );
  for (const id of ids) await insertReviews(id, reviews, () => ({ comment }));
  return ids.map(String);
}

test("a list costs a few queries, however many ask at the same time, and then a look at the version", async () => {
  const [tourId] = await makeTours(1, { reviews: 100 });
  const lists = await Promise.all(Array.from({ length: 20 }, () => listedReviews(tourId!)));
  expect(new Set(lists.map(({ length }) => length))).toEqual(new Set([100]));
  expect(commands.length).toBeLessThanOrEqual(3);
  commands = [];
  expect(await listedReviews(tourId!)).toHaveLength(100);
  expect(commands.length).toBeLessThanOrEqual(1);
});

test.each([20, 250])(
  "of %i reviews it has those whose time is a text in their place",
  async (count) => {
    const tour = await makeTour();
    // Every seventh, as a platform may have written it: the index has them behind all others.
    const reviews = await insertReviews(tour._id, count, (n) => {
      const time = new Date(Date.UTC(2026, 0, 1) - n * 1_000);
      return { createdAt: n % 7 === 3 ? time.toISOString() : time };
    });
    const listed = (await list(tour)).map(({ id }) => id);
    expect(listed).toEqual(reviews.map(({ _id }) => _id.toString()));
  },
);

test("authors are asked for a hundred at a time, and not again for the next list", async () => {
  const users = await User.insertMany(
    Array.from({ length: 250 }, (_, n) => ({ name: `U${n}`, email: `u${n}@batch.test` })),
  );
  const [tour, other] = [await makeTour(), await makeTour()];
  for (const { _id } of [tour, other])
    await insertReviews(_id, 250, (n) => ({ userId: users[n]!._id }));
  expect(await list(tour)).toHaveLength(250);
  const asked = usersAsked.length;
  expect(Math.max(...usersAsked)).toBeLessThanOrEqual(100);
  expect(await list(other)).toHaveLength(250);
  expect(usersAsked).toHaveLength(asked);
});

test("a list is made as a whole up to 5,000 reviews, and no further", async () => {
  const [[whole], [parts]] = [
    await makeTours(1, { reviewCount: 5_000 }),
    await makeTours(1, { reviewCount: 5_001 }),
  ];
  expect((await listReviews(whole!)).body).toBeDefined();
  expect((await listReviews(parts!)).parts).toBeDefined();
});

describe("many cold lists at once", () => {
  test("32 are made as a whole and the others come in parts", async () => {
    const ids = await makeTours(40);
    const lists = await Promise.all(ids.map(listReviews));
    expect(lists.filter(({ body }) => body)).toHaveLength(32);
    for (const each of lists) expect(await jsonOf(each)).toMatch(/^\{"reviews":\[\{.*\}\]\}$/);
    // Later each is kept.
    const again = await Promise.all(ids.map(listReviews));
    expect(again.every(({ body }) => body)).toBe(true);
  });

  test("only as many are made as a whole as fit into 8 MiB", async () => {
    const ids = await makeTours(10, { reviews: 250, comment: "x".repeat(5_000) });
    // Each has its first 200 reviews, a megabyte, before any goes on.
    let waiting = 0;
    let open = () => {};
    const all = new Promise<void>((resolve) => (open = resolve));
    const lean = async () => {
      if (++waiting === ids.length) open();
      await all;
      return [];
    };
    const find = vi.spyOn(User, "find").mockImplementation((() => ({ lean })) as never);
    const lists = await Promise.all(ids.map(listReviews));
    find.mockRestore();
    const whole = lists.flatMap(({ body }) => body ?? []);
    expect(whole.length).toBeLessThanOrEqual(8);
    for (const body of whole) expect(body.length).toBeGreaterThan(250 * 5_000);
    for (const each of lists)
      expect((JSON.parse(await jsonOf(each)) as { reviews: [] }).reviews).toHaveLength(250);
    // A load that was given up takes nothing from the next one.
    for (const id of ids) expect((await listReviews(id)).body).toBeDefined();
  });
});

test("a list's gzip is that of its JSON", async () => {
  const [tourId] = await makeTours(1, { reviews: 30 });
  const gzip = async () => (await listReviews(tourId!)).gzip;
  expect(gunzipSync((await gzip())!).toString()).toBe(await jsonOf(await listReviews(tourId!)));
  await Review.updateMany({ tourId }, { comment: "Another" });
  await Tour.updateOne({ _id: tourId }, { $inc: { ratingsVersion: 1 } });
  expect(gunzipSync((await gzip())!).toString()).toContain("Another");
});

test("a failed load is not remembered", async () => {
  const tour = await makeTour();
  await makeReview(await makeUser(), tour);
  vi.spyOn(User, "find").mockImplementationOnce(() => {
    throw new Error("connection lost");
  });
  await expect(list(tour)).rejects.toThrow("connection lost");
  expect(await list(tour)).toHaveLength(1);
});

describe("a list that is too large to be kept", () => {
  const LARGE = { reviewCount: 5_001 };

  test.each([
    ["bytes", 600, "x".repeat(5_000)],
    ["bytes, of which a character has several,", 300, "語".repeat(2_500)],
  ])(
    "by its %s comes in parts, whole and in order, and is read anew",
    async (_, count, comment) => {
      const [tourId] = await makeTours(1, { reviews: count, comment });
      expect((await listReviews(tourId!)).body).toBeUndefined();
      const times = (await listedReviews(tourId!)).map(({ createdAt }) => createdAt);
      expect(times).toHaveLength(count);
      expect(times).toEqual([...times].sort().reverse());
      expect((await listReviews(tourId!)).body).toBeUndefined();
    },
  );

  test("by its number comes in parts without a look at its bytes, and stops with its reader", async () => {
    const [tourId] = await makeTours(1, { reviews: 600, ...LARGE });
    commands = [];
    const large = await listReviews(tourId!);
    expect(commands).toEqual(["tours"]);
    let parts = 0;
    for await (const part of large.parts!()) parts += part ? 1 : 0;
    expect(parts).toBeGreaterThan(1);
    expect(await listedReviews(tourId!)).toHaveLength(600);
    for await (const part of large.parts!()) if (part) break;
    commands = [];
    await new Promise((resolve) => setImmediate(resolve));
    expect(commands).toEqual([]);
  });

  test("has another entity tag after each change", async () => {
    const tour = await makeTour(LARGE);
    const tagNow = async () => (await listReviews(tour._id.toString())).etag;
    const before = await tagNow();
    const ann = await makeBookedExplorer(tour);
    await postReview(as(ann), { tourId: tour._id.toString(), rating: 5 });
    await Tour.updateOne({ _id: tour._id }, { $set: LARGE });
    expect(await tagNow()).not.toBe(before);
  });
});
