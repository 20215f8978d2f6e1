import mongoose from "mongoose";
import { beforeEach, expect, it } from "vitest";
import { useDatabase } from "../support/database";
import { isNativeServer } from "../support/explain";

// Plain changes of many documents beside a transaction that has written some of them and goes on writing: they wait for
// its end, and it does not wait for them.

useDatabase();

// It locks up there (docs/decisions/005-embedded-database.md).
beforeEach(async (context) => context.skip(await isNativeServer()));

const collection = () => mongoose.connection.db!.collection<{ _id: number; n: number }>("changes");

it.each([
  ["an update", () => collection().updateMany({ n: { $gt: 0 } }, { $inc: { n: 10 } })],
  ["a deletion", () => collection().deleteMany({ n: { $gt: 0 } })],
])("an open transaction goes on while %s of many waits for it", async (name, change) => {
  await collection().insertMany([1, 2, 3].map((_id) => ({ _id, n: _id })));
  let changing: Promise<unknown> | undefined;
  await mongoose.connection.transaction(async (session) => {
    await collection().updateOne({ _id: 2 }, { $set: { n: 5 } }, { session });
    changing = change();
    // It has met that document by then.
    await new Promise((resolve) => setTimeout(resolve, 300));
    await collection().updateOne({ _id: 3 }, { $set: { n: 0 } }, { session });
  });
  await changing;
  const left = await collection().find().sort({ _id: 1 }).toArray();
  expect(left.map(({ n }) => n)).toEqual(name === "an update" ? [11, 15, 0] : [0]);
});
