import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import mongoose from "mongoose";
import type { TestProject } from "vitest/node";
import { acquireDatabase } from "../../scripts/database/index";
import { databasePrefix, dropDatabase } from "./drop-database";

declare module "vitest" {
  interface ProvidedContext {
    /** The URI of the server that the tests share, without a database's name. */
    mongodbUri: string;
  }
}

/** A database server for all tests: that of `MONGODB_URI`, or else an embedded one in an empty folder. */
export default async function setup(project: TestProject) {
  const { MONGODB_URI: server } = process.env;
  if (server) {
    project.provide("mongodbUri", server);
    return () => dropDatabases(server, databasePrefix(process.pid));
  }
  const dataDir = await mkdtemp(join(tmpdir(), "tour-reviews-tests-"));
  const { uri, release } = await acquireDatabase({
    dataDir,
    onProgress: (message) => process.stderr.write(`${message}\n`),
  });
  project.provide("mongodbUri", uri);
  return async () => {
    await release();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** Drops the databases whose names begin with that text. */
async function dropDatabases(server: string, prefix: string): Promise<void> {
  const connection = await mongoose.createConnection(server).asPromise();
  const { databases } = await connection.db!.admin().listDatabases({ nameOnly: true });
  for (const { name } of databases)
    if (name.startsWith(prefix)) await dropDatabase(connection.useDb(name));
  await connection.close();
}
