import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import mongoose from "mongoose";
import type { TestProject } from "vitest/node";
import { acquireDatabase } from "../../scripts/database/index";
import { databasePrefix, dropDatabase } from "./collections";

declare module "vitest" {
  interface ProvidedContext {
    /** For each worker the URI of its database server. */
    mongodbUris: string[];
  }
}

/**
 * Database servers for the tests: that of `MONGODB_URI` for all workers, or else an embedded one in an empty folder for
 * each. An embedded server runs on one processor core at a time, and a worker would wait for what another one writes.
 */
export default async function setup(project: TestProject) {
  const { MONGODB_URI: server } = process.env;
  const workers = Array.from({ length: Number(project.config.maxWorkers) });
  if (server) {
    project.provide(
      "mongodbUris",
      workers.map(() => server),
    );
    return () => dropDatabases(server, databasePrefix(process.pid));
  }
  const dataDir = await mkdtemp(join(tmpdir(), "tour-reviews-tests-"));
  const databases: Awaited<ReturnType<typeof acquireDatabase>>[] = [];
  // One after the other, because the first one may have to be set up.
  for (const number of workers.keys())
    databases.push(
      await acquireDatabase({
        dataDir: join(dataDir, String(number)),
        onProgress: (message) => process.stderr.write(`${message}\n`),
      }),
    );
  project.provide(
    "mongodbUris",
    databases.map(({ uri }) => uri),
  );
  return async () => {
    await Promise.all(databases.map(({ release }) => release()));
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
