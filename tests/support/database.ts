import mongoose from "mongoose";
import { beforeAll, beforeEach, inject } from "vitest";
import { connectDatabase } from "~/infra/database.server";
import { clearCaches } from "~/infra/cache.server";
import { withDatabaseName } from "~/infra/mongodb-uri";
import { databasePrefix, removeAllDocuments } from "./drop-database";

/** This worker's own database. */
let databaseName = `${databasePrefix(process.ppid)}${process.pid}`;

/** The URI of this worker's database, or of another one on the same server. */
export function databaseUri(name = databaseName): string {
  const server = inject("mongodbUri") as string | undefined;
  if (!server) throw new Error("Unit tests have no database: this one belongs to tests/services");
  const uri = withDatabaseName(server, name);
  // With monitoring, a test can count the commands that the driver sends.
  return `${uri}${uri.includes("?") ? "&" : "?"}monitorCommands=true`;
}

/**
 * Connects this file's tests to their worker's database, emptied before each of them. The connection and the indexes
 * remain for the worker's next file; the end of the run drops the database.
 */
export function useDatabase(): void {
  connectTo(databaseName);
  beforeEach(emptyDatabase);
}

/**
 * Connects this file's tests to a longer-lived database, which an app serves. It is emptied before each test, or only
 * once for tests that share their data and change none of it.
 */
export function useSharedDatabase(name: string, emptied: "each" | "once"): void {
  databaseName = name;
  connectTo(name);
  (emptied === "each" ? beforeEach : beforeAll)(emptyDatabase);
}

function connectTo(name: string): void {
  beforeAll(() => connectDatabase(databaseUri(name)));
}

/** Removes all documents and keeps the indexes. */
export async function emptyDatabase(): Promise<void> {
  await removeAllDocuments(mongoose.connection);
  clearCaches();
}

/**
 * Every collection's documents, except counts of attempts, because refused attempts count too, and expired sessions,
 * which the database removes at any time.
 */
export async function contents(): Promise<Record<string, Record<string, unknown>[]>> {
  const collections = await mongoose.connection.db!.collections();
  const entries = collections
    .filter(({ collectionName }) => collectionName !== "tourReviews.rateLimits")
    .map(async (collection) => {
      const found = collection.find({ expiresAt: { $not: { $lte: new Date() } } });
      return [collection.collectionName, await found.sort({ _id: 1 }).toArray()] as const;
    });
  return Object.fromEntries((await Promise.all(entries)).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The same as a text, to check that nothing was written. */
export const stored = async () => JSON.stringify(await contents());
