import mongoose from "mongoose";
import { afterAll, beforeAll, beforeEach, inject } from "vitest";
import { connectDatabase, disconnectDatabase } from "~/infra/database.server";
import { clearReviewListCache } from "~/services/reviews/list.server";
import { withDatabaseName } from "~/infra/mongodb-uri";

/** The shared server's URI with a database name that no other worker uses. */
export function databaseUri(name = `test_${process.pid}`): string {
  const server = inject("mongodbUri") as string | undefined;
  if (!server) throw new Error("Unit tests have no database: this one belongs to tests/services");
  const uri = withDatabaseName(server, name);
  // Monitoring lets a test count what the driver sends.
  return `${uri}${uri.includes("?") ? "&" : "?"}monitorCommands=true`;
}

/** Connects this file's tests to a database of their own, emptied before each of them. */
export function useDatabase(): void {
  beforeAll(async () => {
    await connectDatabase(databaseUri());
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
  clearReviewListCache();
}

/**
 * Every collection's documents. Left out are what counts attempts, because a refused one counts too,
 * and expired sessions, which the database removes when it likes.
 */
export async function contents(): Promise<Record<string, Record<string, unknown>[]>> {
  const collections = await mongoose.connection.db!.collections();
  const entries = collections
    .filter(({ collectionName }) => collectionName !== "rateLimits")
    .map(async (collection) => {
      const found = collection.find({ expiresAt: { $not: { $lte: new Date() } } });
      return [collection.collectionName, await found.sort({ _id: 1 }).toArray()] as const;
    });
  return Object.fromEntries((await Promise.all(entries)).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The same as a text, to see that nothing was written. */
export const stored = async () => JSON.stringify(await contents());
