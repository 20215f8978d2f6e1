import mongoose from "mongoose";
import { expect, it } from "vitest";
import { useDatabase } from "../support/database";

// The embedded database looks up lists by an index as MongoDB does (scripts/database/patches.py).

useDatabase();

const at = (ms: number) => new Date(1_000_000 + ms);

const [ONE, TWO, ABSENT] = ["1", "2", "3"].map(
  (digit) => new mongoose.Types.ObjectId(digit.repeat(24)),
);

const VALUES = [1, 2, 3, null, undefined, [1, 2], [3], "1", "2", ONE, TWO, [ONE, TWO]];

it.each([
  { a: { $in: [1, 3] }, b: { $gte: 3, $lt: 8 } },
  { a: { $in: [1, 2, null] }, b: { $gt: 4 } },
  { a: { $in: [2, 2, "2"] }, b: { $in: [1, 5, 9] } },
  { a: { $in: [1, "1"] }, b: 5 },
  { b: { $in: [1, 2, 3] }, a: 2, c: { $lte: 4 } },
  { a: { $in: [1, 2] }, b: { $lte: 3 } },
  { a: { $in: [1, 2] }, at: { $gte: at(3) } },
  { a: { $in: [1, 2] }, at: { $lte: at(3), $gte: at(1) } },
  { a: { $in: [] }, b: { $gte: 0 } },
  { a: { $in: [[1, 2]] }, b: { $gte: 0 } },
  { a: { $in: [ONE, ABSENT] }, b: { $gte: 3 } },
  { a: { $in: [ABSENT, TWO, null, "1"] }, b: { $lt: 8 } },
])("%j finds the same with an index as without one", async (filter) => {
  const [indexed, plain] = ["indexed", "plain"].map((name) =>
    mongoose.connection.db!.collection(`test_lookups_${name}`),
  );
  await indexed!.createIndex({ a: 1, b: 1, c: -1 });
  await indexed!.createIndex({ a: 1, at: -1, b: 1 });
  const documents = VALUES.flatMap((a, n) =>
    Array.from({ length: 10 }, (_, b) => ({
      _id: `${n} ${b}` as never,
      ...(a !== undefined && { a }),
      b,
      c: b % 6,
      at: at(b),
    })),
  );
  const idsIn = async (collection: mongoose.mongo.Collection) => {
    const found = await collection
      .find(filter as never)
      .sort({ b: -1, _id: 1 })
      .toArray();
    return found.map(({ _id }) => String(_id));
  };
  for (const collection of [indexed!, plain!]) await collection.insertMany(documents);
  const found = await idsIn(plain!);
  expect(await idsIn(indexed!)).toEqual(found);
  const together = await plain!
    .aggregate([
      { $match: { b: -1 } },
      { $unionWith: { coll: indexed!.collectionName, pipeline: [{ $match: filter }] } },
      { $sort: { b: -1, _id: 1 } },
    ])
    .toArray();
  expect(together.map(({ _id }) => String(_id))).toEqual(found);
  expect(found.length > 0).toBe(!JSON.stringify(filter).includes("[]"));
});

it("A list of ids finds each document that has one of them, also within a list", async () => {
  const collection = mongoose.connection.db!.collection("test_lookups_ids");
  await collection.insertMany(VALUES.map((a) => ({ ...(a !== undefined && { a }) })));
  const found = async (ids: unknown[]) =>
    (await collection.find({ a: { $in: ids } } as never).toArray()).map(({ a }) => a as unknown);
  expect(await found([ABSENT, ONE])).toEqual([ONE, [ONE, TWO]]);
  expect(await found([ABSENT, ONE, "2", null])).toHaveLength(5);
  expect(await found([ABSENT])).toEqual([]);
});
