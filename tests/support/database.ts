import mongoose from "mongoose";
import { afterAll, beforeAll, beforeEach, inject } from "vitest";
import { connectDatabase, disconnectDatabase } from "~/server/database.server";
import { prepareLogin } from "~/services/accounts.server";
import { forgetLists } from "~/services/review-list.server";
import { withDatabaseName } from "../../scripts/command";

/** The shared server's URI with a database name that no other worker uses. */
export function databaseUri(name = `test_${process.pid}`): string {
  const uri = withDatabaseName(inject("mongodbUri"), name);
  // Monitoring lets a test count what the driver sends.
  return `${uri}${uri.includes("?") ? "&" : "?"}monitorCommands=true`;
}

/** Connects this file's tests to a database of their own, emptied before each of them. */
export function useDatabase(): void {
  beforeAll(async () => {
    await connectDatabase(databaseUri());
    await prepareLogin();
  });
  beforeEach(emptyDatabase);
  afterAll(async () => {
    await mongoose.connection.db!.dropDatabase();
    await disconnectDatabase();
  });
}

/** Removes all documents and keeps the indexes. */
export async function emptyDatabase(): Promise<void> {
  const collections = await mongoose.connection.db!.collections();
  await Promise.all(collections.map((collection) => collection.deleteMany({})));
  forgetLists();
}
