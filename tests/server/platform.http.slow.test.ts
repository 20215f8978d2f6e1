import mongoose, { mongo } from "mongoose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { disconnectDatabase } from "~/db/database.server";
import { startApp, type App } from "../support/app";
import { connectTo, databaseUri } from "../support/database";
import { dropDatabase } from "../support/collections";
import { fillPlatform, foreignBytes, TOURS, visitPlatform } from "../support/platform";

// The app as a guest in a platform's database. The long variant, which waits for what the database does on its own in
// time, is the part `platform` of the long proofs (CONTRIBUTING.md).

const uri = databaseUri(`platform_${process.pid}`);
let app: App;
let own: Awaited<ReturnType<typeof fillPlatform>>;
let before: Record<string, string>;

beforeAll(async () => {
  const client = await mongo.MongoClient.connect(uri);
  own = await fillPlatform(client.db());
  before = await foreignBytes(client.db());
  await client.close();
  app = await startApp(uri, { BOOKING_COMPLETION: "platform" });
  await connectTo(uri);
});
afterAll(async () => {
  await app.stop();
  await dropDatabase(mongoose.connection);
  await disconnectDatabase();
});

test("every page and operation works, and the platform's data stays the same byte for byte", async () => {
  const { wrong, answers } = await visitPlatform(app, own);
  expect(wrong).toEqual([]);
  const malformed = app
    .log()
    .split("\n")
    .filter((line) => line.includes('"a malformed record'));
  const named = malformed.map((line) => {
    const { collection, id, field } = JSON.parse(line) as Record<string, string>;
    return `${collection} ${id} ${field}`;
  });
  expect(named).toContain(`tours ${TOURS["rich text"]._id.toHexString()} description`);
  expect(new Set(named).size).toBe(named.length);
  // Values of every kind, and absent values.
  expect(malformed.join()).not.toMatch(/auth0|@|Saturday|Rich|1984/);
  expect(answers).toBeGreaterThan(300);
  expect(await foreignBytes(mongoose.connection.db!)).toEqual(before);
}, 300_000);
