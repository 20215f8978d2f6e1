import { gunzipSync } from "node:zlib";
import mongoose, { Types } from "mongoose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { listReviews } from "~/reviews/list/list.server";
import { postReview } from "~/reviews/post.server";
import { deleteReview } from "~/reviews/delete.server";
import { editReview } from "~/reviews/edit.server";
import { User } from "#models/user";
import { Tour } from "#models/tour";
import { Review } from "#models/review";
import { useDatabase } from "../support/database";
import { jsonOf, listedReviews } from "../support/services";
import { as, makeBookedExplorer, makeReview, makeTour, makeUser } from "../support/factories";

useDatabase();

// The reads that reach the database, as the driver reports them.
let commands: string[] = [];
const record = ({ commandName, command }: { commandName: string; command: object }) => {
  if (["find", "aggregate", "getMore"].includes(commandName))
    commands.push(String((command as Record<string, unknown>)[commandName]));
};
beforeAll(() => mongoose.connection.getClient().on("commandStarted", record));
afterAll(() => mongoose.connection.getClient().off("commandStarted", record));
beforeEach(() => (commands = []));

const list = (tour: { _id: Types.ObjectId }) => listedReviews(tour._id.toString());

test("newest first, the larger id first on a tie, with their authors", async () => {
  const tour = await makeTour();
  const ann = await makeUser({ name: "Ann", image: "https://img.example.test/a.png" });
  const time = (day: number) => new Date(Date.UTC(2026, 4, day));
  const old = await makeReview(ann, tour, { createdAt: time(1) });
  const tied = [
    await makeReview(await makeUser({ name: "" }), tour, { createdAt: time(2) }),
    await makeReview(await makeUser({ name: "Cid" }), tour, { createdAt: time(2) }),
  ];
  const gone = await makeReview({ _id: new Types.ObjectId() }, tour, { createdAt: time(3) });

  const reviews = await list(tour);
  const larger = tied[0]!._id.toString() > tied[1]!._id.toString() ? tied : tied.reverse();
  expect(reviews.map((review) => review.id)).toEqual(
    [gone, ...larger, old].map((review) => review._id.toString()),
  );
  expect(reviews.at(-1)!.user).toEqual({ name: "Ann", image: "https://img.example.test/a.png" });
  expect(reviews[0]!.user).toEqual({ name: "", image: null });
});

test("unknown tours and malformed ids give an empty list", async () => {
  for (const id of ["nope", "", "%00", new Types.ObjectId().toString(), "123456789012"])
    expect(await jsonOf(await listReviews(id))).toBe('{"reviews":[]}');
});

describe("what a list costs", () => {
  async function tourWithReviews(count: number) {
    const tour = await makeTour();
    const users = await User.insertMany(
      Array.from({ length: count }, (_, n) => ({ name: `U${n}`, email: `u${n}@cost.test` })),
    );
    await Review.insertMany(
      users.map((user) => ({
        tourId: tour._id,
        userId: user._id,
        rating: 5,
        createdAt: new Date(),
      })),
    );
    await Tour.updateOne({ _id: tour._id }, { $inc: { ratingsVersion: 1 } });
    commands = [];
    return tour;
  }

  test("a few queries, however many ask at the same time, and then a look at the version", async () => {
    const tour = await tourWithReviews(100);
    const lists = await Promise.all(Array.from({ length: 20 }, () => list(tour)));
    expect(new Set(lists.map(({ length }) => length))).toEqual(new Set([100]));
    expect(commands.length).toBeLessThanOrEqual(4);
    commands = [];
    expect(await list(tour)).toHaveLength(100);
    expect(commands.length).toBeLessThanOrEqual(1);
  });
});

/** Tours with that many reviews each, from nobody. */
async function tours(count: number, { reviews = 1, comment = "" } = {}): Promise<string[]> {
  const made = Array.from({ length: count }, () => new Types.ObjectId());
  await Tour.insertMany(
    made.map((_id) => ({ _id, title: "T", slug: _id.toString(), createdById: _id })),
  );
  for (const tourId of made)
    await Review.insertMany(
      Array.from({ length: reviews }, (_, index) => ({
        tourId,
        userId: new Types.ObjectId(),
        rating: 1 + (index % 5),
        comment,
        createdAt: new Date(Date.now() - index * 1_000),
      })),
    );
  return made.map(String);
}

test("a list is made as a whole up to 5,000 reviews, and no further", async () => {
  const ids = await tours(2);
  for (const [index, reviewCount] of [5_000, 5_001].entries())
    await Tour.updateOne({ _id: ids[index] }, { reviewCount });
  const [whole, parts] = await Promise.all(ids.map(listReviews));
  expect([whole!.body !== undefined, parts!.parts !== undefined]).toEqual([true, true]);
});

describe("of many cold lists at once", () => {
  test("32 are made as a whole and the others come in parts", async () => {
    const ids = await tours(40);
    const lists = await Promise.all(ids.map(listReviews));
    expect(lists.filter(({ body }) => body)).toHaveLength(32);
    for (const each of lists) expect(await jsonOf(each)).toMatch(/^\{"reviews":\[\{.*\}\]\}$/);
    // Later each is kept.
    const again = await Promise.all(ids.map(listReviews));
    expect(again.every(({ body }) => body)).toBe(true);
  });

  test("only as many are made as a whole as fit into 8 MiB", async () => {
    const ids = await tours(10, { reviews: 250, comment: "x".repeat(5_000) });
    // Each has its first 200 reviews, a megabyte, before any goes on.
    const find = User.find.bind(User);
    let waiting = 0;
    let open = () => {};
    const all = new Promise<void>((resolve) => (open = resolve));
    const lean = async () => {
      if (++waiting === ids.length) open();
      await all;
      return [];
    };
    User.find = (() => ({ lean })) as never;
    const lists = await Promise.all(ids.map(listReviews)).finally(() => (User.find = find));
    const whole = lists.flatMap(({ body }) => body ?? []);
    expect(whole.length).toBeLessThanOrEqual(8);
    for (const body of whole) expect(body.length).toBeGreaterThan(250 * 5_000);
    for (const each of lists)
      expect((JSON.parse(await jsonOf(each)) as { reviews: [] }).reviews).toHaveLength(250);
    // What was given up takes nothing from the next one.
    for (const id of ids) expect((await listReviews(id)).body).toBeDefined();
  });
});

test("a list's gzip is that of its JSON", async () => {
  const [tourId] = await tours(1, { reviews: 30 });
  const gzip = async () => (await listReviews(tourId!)).gzip;
  expect(gunzipSync((await gzip())!).toString()).toBe(await jsonOf(await listReviews(tourId!)));
  await Review.updateMany({ tourId }, { comment: "Another" });
  await Tour.updateOne({ _id: tourId }, { $inc: { ratingsVersion: 1 } });
  expect(gunzipSync((await gzip())!).toString()).toContain("Another");
});

test("every change is seen by the next reader, and has an entity tag of its own", async () => {
  const tour = await makeTour();
  const ann = await makeBookedExplorer(tour);
  const tags: string[] = [];
  const look = async () => {
    tags.push((await listReviews(tour._id.toString())).etag);
    return list(tour);
  };
  expect(await look()).toEqual([]);
  const { review } = await postReview(as(ann), { tourId: tour._id.toString(), rating: 5 });
  expect(await look()).toEqual([review]);
  const edited = await editReview(as(ann), review.id, { rating: 1, comment: "No" });
  expect(await look()).toEqual([edited]);
  await deleteReview(as(ann), review.id);
  expect(await look()).toEqual([]);
  expect(tags[0]).toBe(tags[3]);
  expect(new Set(tags).size).toBe(3);
});

test("a failed load is not remembered", async () => {
  const tour = await makeTour();
  await makeReview(await makeUser(), tour);
  const find = User.find.bind(User);
  User.find = (() => {
    throw new Error("connection lost");
  }) as never;
  try {
    await expect(list(tour)).rejects.toThrow("connection lost");
  } finally {
    User.find = find;
  }
  expect(await list(tour)).toHaveLength(1);
});

describe("a list that is too large to be kept", () => {
  async function tourWith(count: number, comment: string) {
    const tour = await makeTour();
    const rows = Array.from({ length: count }, (_, index) => ({
      tourId: tour._id,
      userId: new Types.ObjectId(),
      rating: 1 + (index % 5),
      comment,
      createdAt: new Date(Date.now() - index * 1_000),
    }));
    await Review.insertMany(rows);
    return { tour, ids: rows.length };
  }

  test.each([
    ["bytes", 600, "x".repeat(5_000)],
    ["bytes, of which a character has several,", 300, "語".repeat(2_500)],
  ])(
    "by its %s comes in parts, whole and in order, and is read anew",
    async (_, count, comment) => {
      const { tour } = await tourWith(count, comment);
      const tourId = tour._id.toString();
      const large = await listReviews(tourId);
      expect(large.body).toBeUndefined();
      const reviews = await listedReviews(tourId);
      expect(reviews).toHaveLength(count);
      const times = reviews.map(({ createdAt }) => createdAt);
      expect(times).toEqual([...times].sort().reverse());
      expect((await listReviews(tourId)).body).toBeUndefined();
    },
  );

  test("by its number comes in parts without a look at its bytes", async () => {
    const { tour } = await tourWith(300, "");
    await Tour.updateOne({ _id: tour._id }, { $set: { reviewCount: 5_001 } });
    commands = [];
    const large = await listReviews(tour._id.toString());
    expect(commands).toEqual(["tours"]);
    let parts = 0;
    for await (const part of large.parts!()) parts += part ? 1 : 0;
    expect(parts).toBeGreaterThan(1);
    expect(await list(tour)).toHaveLength(300);
  });

  test("has another entity tag after each change", async () => {
    const { tour } = await tourWith(2, "");
    await Tour.updateOne({ _id: tour._id }, { $set: { reviewCount: 5_001 } });
    const before = (await listReviews(tour._id.toString())).etag;
    await postReview(as(await makeBookedExplorer(tour)), {
      tourId: tour._id.toString(),
      rating: 5,
    });
    await Tour.updateOne({ _id: tour._id }, { $set: { reviewCount: 5_001 } });
    expect((await listReviews(tour._id.toString())).etag).not.toBe(before);
  });

  test("stops reading when its reader goes away", async () => {
    const { tour } = await tourWith(600, "");
    await Tour.updateOne({ _id: tour._id }, { $set: { reviewCount: 5_001 } });
    const large = await listReviews(tour._id.toString());
    for await (const part of large.parts!()) if (part) break;
    commands = [];
    await new Promise((resolve) => setImmediate(resolve));
    expect(commands).toEqual([]);
  });
});

test("authors are asked for a hundred at a time, and not again for the next list", async () => {
  const tour = await makeTour();
  const users = await User.insertMany(
    Array.from({ length: 250 }, (_, n) => ({ name: `U${n}`, email: `u${n}@batch.test` })),
  );
  const write = (tourId: Types.ObjectId) =>
    Review.insertMany(
      users.map(({ _id }) => ({ tourId, userId: _id, rating: 5, createdAt: new Date() })),
    );
  await write(tour._id);
  const other = await makeTour();
  await write(other._id);
  const sizes: number[] = [];
  const watch = ({
    command,
  }: {
    command: { find?: string; filter?: { _id?: { $in?: object[] } } };
  }) => {
    if (command.find === "users") sizes.push(command.filter!._id!.$in!.length);
  };
  mongoose.connection.getClient().on("commandStarted", watch as never);
  expect(await list(tour)).toHaveLength(250);
  const asked = sizes.length;
  expect(Math.max(...sizes)).toBeLessThanOrEqual(100);
  expect(await list(other)).toHaveLength(250);
  expect(sizes).toHaveLength(asked);
  mongoose.connection.getClient().off("commandStarted", watch as never);
});
