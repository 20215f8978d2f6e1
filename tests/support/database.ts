import mongoose from "mongoose";
import { beforeAll, beforeEach, inject } from "vitest";
import { clearCaches } from "~/lib/cache.server";
import { connectDatabase, disconnectDatabase } from "~/db/database.server";
import { withDatabaseName } from "~/config/mongodb-uri";
import { databasePrefix, fromAllCollections, removeAllDocuments } from "./collections";

const OWN = `${databasePrefix(process.ppid)}${process.pid}`;

/** The database of the file that runs now. */
let databaseName = OWN;

/** The URI of this file's database, or of another one on the same server. */
export function databaseUri(name = databaseName): string {
  const servers = inject("mongodbUris") as string[] | undefined;
  const server = servers?.[Number(process.env.VITEST_POOL_ID) - 1];
  if (!server) throw new Error("Unit tests have no database: name this one without .unit");
  const uri = withDatabaseName(server, name);
  // With monitoring, a test can count the commands that the driver sends.
  return `${uri}${uri.includes("?") ? "&" : "?"}monitorCommands=true`;
}

/**
 * Connects this file's tests to their worker's database, emptied before each of them. The connection and the indexes
 * remain for the worker's next file; the end of the run drops the database.
 */
export function useDatabase(): void {
  use(OWN);
  beforeEach(emptyDatabase);
}

/**
 * Connects this file's tests to a longer-lived database, which an app serves. It is emptied before each test, or only
 * once for tests that share their data and change none of it.
 */
export function useSharedDatabase(name: string, emptied: "each" | "once"): void {
  use(name);
  (emptied === "each" ? beforeEach : beforeAll)(emptyDatabase);
}

function use(name: string): void {
  databaseName = name;
  beforeAll(() => connectTo(databaseUri(name)));
}

let connectedTo: string | undefined;

/** Connects to that database, whichever one an earlier file of this worker was connected to. */
export async function connectTo(uri: string): Promise<void> {
  if (uri !== connectedTo) await disconnectDatabase();
  connectedTo = uri;
  await connectDatabase(uri);
}

/** Removes all documents and keeps the indexes. */
export async function emptyDatabase(): Promise<void> {
  await removeAllDocuments(mongoose.connection);
  clearCaches();
}

export async function forgetAttempts(): Promise<void> {
  await mongoose.connection.collection("tourReviews.rateLimits").deleteMany({});
}

/** Made at any time, of what other collections have. */
const DERIVED = ["tourReviews.reviewIndexes", "tourReviews.reviewWords"];

/**
 * Every collection's documents, except what is derived, counts of attempts, because refused attempts count too, and
 * expired sessions, which the database removes at any time.
 */
export async function contents(): Promise<Record<string, Record<string, unknown>[]>> {
  const found = await fromAllCollections(mongoose.connection.db!, [
    { $match: { expiresAt: { $not: { $lte: new Date() } } } },
    { $sort: { _id: 1 } },
  ]);
  const documents: Record<string, Record<string, unknown>[]> = {};
  for (const [name, document] of found)
    if (name !== "tourReviews.rateLimits" && !DERIVED.includes(name))
      (documents[name] ??= []).push(document);
  return documents;
}

/** The same as a text, to check that nothing was written but when a session or a token was last used. */
export const asText = (everything: object) =>
  JSON.stringify(everything, (key, value: unknown) => (key === "lastUsedAt" ? undefined : value));
export const stored = async () => asText(await contents());
