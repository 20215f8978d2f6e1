import mongoose, { mongo, Types } from "mongoose";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DatabaseError } from "~/lib/errors.server";
import {
  buildIndexes,
  findDuplicates,
  OUR_PREFIX,
  planIndexes,
  wantedIndexes,
} from "~/db/indexes.server";
import { EMAIL_COLLATION } from "#models/user";
import { useDatabase } from "../support/database";

useDatabase();

/** The platform's own, before this service has seen it. */
beforeEach(async () => {
  for (const { collectionName } of await mongoose.connection.db!.collections())
    await mongoose.connection.dropCollection(collectionName);
});
afterEach(() => vi.restoreAllMocks());

const collection = (name: string) =>
  mongoose.connection.collection<{ _id: Types.ObjectId; [field: string]: unknown }>(name);
const namesIn = async (name: string) =>
  (await collection(name).indexes()).map((index) => index.name!).sort();
const id = () => new Types.ObjectId();

/** Why nothing could be built: one line. */
async function refusal(): Promise<string> {
  const error: unknown = await buildIndexes().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(DatabaseError);
  const { message } = error as DatabaseError;
  expect(message).not.toContain("\n");
  return message;
}

describe("in a database that has none", () => {
  it("builds each under a name of ours, once", async () => {
    expect(await buildIndexes()).toEqual([]);
    for (const { collection: name, name: index } of wantedIndexes()) {
      expect(index.startsWith(OUR_PREFIX)).toBe(true);
      expect(await namesIn(name)).toContain(index);
    }
    const create = vi.spyOn(mongoose.mongo.Collection.prototype, "createIndex");
    expect(await buildIndexes()).toEqual([]);
    expect(create).not.toHaveBeenCalled();
  });

  it("may be done by several processes at once", async () => {
    await Promise.all([buildIndexes(), buildIndexes(), buildIndexes()]);
    const missing = (await planIndexes()).flatMap(({ indexes }) =>
      indexes.filter(({ existing, name }) => existing !== name),
    );
    expect(missing).toEqual([]);
  });
});

describe("beside the indexes of a platform", () => {
  it("accepts what does the same, whatever it is called", async () => {
    const unique = true;
    const equivalents = [
      ["users", { email: 1 }, { unique, collation: EMAIL_COLLATION }, "email_1"],
      ["tours", { slug: -1 }, { name: "slugs", unique }, "slug_1"],
      ["reviews", { tourId: 1, userId: 1 }, { unique, sparse: true }, "tourId_1_userId_1"],
      ["reviews", { tourId: -1, createdAt: 1, _id: 1 }, {}, "tourId_1_createdAt_-1__id_-1"],
      ["bookings", { status: 1, date: 1 }, {}, "status_1_date_1"],
    ] as const;
    for (const [name, key, options] of equivalents)
      await collection(name).createIndex(key, options);
    await buildIndexes();
    for (const [name, , , ours] of equivalents) {
      expect(wantedIndexes().map((wanted) => wanted.name)).toContain(OUR_PREFIX + ours);
      expect(await namesIn(name)).not.toContain(OUR_PREFIX + ours);
    }
  });

  it.each<[string, string, mongo.IndexSpecification, mongo.CreateIndexesOptions]>([
    ["is not unique", "reviews", { tourId: 1, userId: 1 }, {}],
    ["is sparse", "tours", { slug: 1 }, { sparse: true }],
    [
      "is partial",
      "reviews",
      { tourId: 1, userId: 1 },
      { unique: true, partialFilterExpression: { hidden: true } },
    ],
    ["compares otherwise", "tours", { slug: 1 }, { collation: EMAIL_COLLATION }],
    ["has another direction", "reviews", { tourId: 1, createdAt: 1, _id: -1 }, {}],
  ])("builds its own beside one that %s", async (_, name, key, options) => {
    await collection(name).createIndex(key, { ...options, name: "theirs" });
    await buildIndexes();
    const wanted = wantedIndexes().filter((index) => index.collection === name);
    expect(await namesIn(name)).toEqual(
      ["_id_", "theirs", ...wanted.map((index) => index.name)].sort(),
    );
  });

  it.each<[string, mongo.IndexSpecification, mongo.CreateIndexesOptions]>([
    ["has our name", { title: 1 }, { name: "tourReviews.slug_1" }],
    ["is hidden", { slug: 1 }, { name: "slugs", hidden: true }],
  ])("says what to do about one that %s", async (_, key, options) => {
    await collection("tours").createIndex(key, options);
    const before = await namesIn("tours");
    expect(await refusal()).toBe(
      `tours: an index on slug stands in the way of tourReviews.slug_1 and does less; drop it first: db.getCollection("tours").dropIndex("${options.name}")`,
    );
    expect(await namesIn("tours")).toEqual(before);
    expect(await namesIn("users").catch(() => [])).toEqual([]);
  });

  it("says what to do on a server that has one index on the same fields only", async () => {
    await collection("reviews").createIndex({ tourId: 1, userId: 1 });
    const { createIndex } = mongo.Collection.prototype;
    vi.spyOn(mongo.Collection.prototype, "createIndex").mockImplementation(function (
      this: mongo.Collection,
      key,
      options,
    ) {
      if (!options?.unique || this.collectionName !== "reviews")
        return Reflect.apply(createIndex, this, [key, options]) as Promise<string>;
      const codeName = "IndexOptionsConflict";
      return Promise.reject(new mongo.MongoServerError({ message: codeName, codeName, code: 85 }));
    });
    expect(await refusal()).toMatch(/^reviews: .*dropIndex\("tourId_1_userId_1"\)$/);
  });

  it("warns of one that will refuse what this service writes", async () => {
    const [users, reviews] = [collection("users"), collection("reviews")];
    await users.createIndex({ username: 1 }, { unique: true });
    await users.createIndex({ phone: 1 }, { unique: true, sparse: true });
    await reviews.createIndex({ bookingId: 1 }, { unique: true });
    await reviews.createIndex({ bookingId: 1, userId: 1 }, { unique: true });
    expect(await buildIndexes()).toEqual([
      expect.stringMatching(/^users: the unique index username_1 .* username,/),
      expect.stringMatching(/^reviews: the unique index bookingId_1 .* bookingId,/),
    ]);
  });
});

describe("over the records of a platform", () => {
  it("does not mind what they lack", async () => {
    for (const [name, fields] of Object.entries({
      users: [{}, {}, { email: null }, { email: null }, { email: "" }, { email: "" }],
      tours: [{}, {}, { slug: null }, { slug: null }, { slug: "same" }, { slug: "same" }],
      reviews: [{}, {}, { tourId: id() }, { tourId: null, userId: null }, { tourId: "odd" }],
    }))
      await collection(name).insertMany(fields.map((record) => ({ _id: id(), ...record })));
    await buildIndexes();

    const pair = { tourId: id(), userId: id() };
    for (const [name, fields, same] of [
      ["users", { email: "ann@example.org" }, { email: "Ann@Example.org" }],
      ["reviews", pair, pair],
    ] as const) {
      await collection(name).insertOne({ _id: id(), ...fields });
      await expect(collection(name).insertOne({ _id: id(), ...same })).rejects.toThrow("E11000");
    }
  });

  it("says which users have the same address in another case, but not the address", async () => {
    const users = [
      { _id: id(), email: "ann@example.org" },
      { _id: id(), email: "ANN@example.org" },
      { _id: id(), email: "ben@example.org" },
    ];
    await collection("users").insertMany(users);
    const message = await refusal();
    expect(message).toBe(
      `users: the unique index tourReviews.email_1 cannot be built, because documents have the same email in upper or lower case, such as those with _id ${users[0]!._id.toString()} and ${users[1]!._id.toString()}; change one of each, or delete it`,
    );
    await collection("users").deleteOne({ _id: users[1]!._id });
    await buildIndexes();
  });

  it("says which reviews are of one pair, and names a few of many", async () => {
    const pairs = Array.from({ length: 7 }, () => ({ tourId: id(), userId: id() }));
    const twice = [...pairs, ...pairs].map((pair) => ({ _id: id(), ...pair }));
    await collection("reviews").insertMany(twice);
    const message = await refusal();
    expect(message).toMatch(/^reviews: .* the same tourId and userId, such as .*and others; /);
    expect(message.match(/[0-9a-f]{24}/g)).toHaveLength(10);
    const wanted = wantedIndexes().find(
      ({ unique, collection: name }) => unique && name === "reviews",
    );
    expect(await findDuplicates(wanted!)).toBe(message);
  });
});

it("in collections of our own replaces what an earlier version has built", async () => {
  const sessions = collection("tourReviews.sessions");
  await sessions.createIndex({ expiresAt: 1 }, { expireAfterSeconds: 60 });
  await sessions.createIndex({ data: 1 }, { name: "tourReviews.userId_1" });
  await sessions.createIndex({ startedAt: 1 }, { expireAfterSeconds: 60 });
  await buildIndexes();
  const indexes = await sessions.indexes();
  expect(indexes.map(({ name }) => name).sort()).toEqual([
    "_id_",
    "tourReviews.expiresAt_1",
    "tourReviews.userId_1_lastUsedAt_-1",
  ]);
  expect(indexes).toContainEqual(
    expect.objectContaining({ key: { expiresAt: 1 }, expireAfterSeconds: 0 }),
  );
});
