// The app and the tests share the session secret, which must be set before any code of the app is loaded.
import "./setup";
import { appendFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import mongoose from "mongoose";
import type { TestProject } from "vitest/node";
import { withDatabaseName } from "~/config/mongodb-uri";
import { buildIfStale } from "../../scripts/lib/build";
import { startApp } from "./app";
import { dropDatabase } from "./collections";
// Reads the routes once for all workers.
import "./manifest";
import setupDatabase from "./setup-database";

export interface SharedApp {
  url: string;
  /** The database that it serves. */
  database: string;
  logFile: string;
}

declare module "vitest" {
  interface ProvidedContext {
    /** An app for each worker. The test files that the worker runs share it, one after another. */
    apps: SharedApp[];
  }
}

/** The built app, a database server, and an app for each worker. */
export default async function setup(project: TestProject) {
  await buildIfStale();
  const releaseDatabase = await setupDatabase(project);
  const { mongodbUris } = project.getProvidedContext();
  const logs = await mkdtemp(join(tmpdir(), "tour-reviews-logs-"));
  const started = await Promise.all(
    mongodbUris.map(async (uri, index) => {
      const number = index + 1;
      const database = `http_${process.pid}_${number}`;
      const logFile = join(logs, `${number}.log`);
      await writeFile(logFile, "");
      const app = await startApp(withDatabaseName(uri, database));
      app.process.stderr!.on("data", (chunk: Buffer) => appendFileSync(logFile, chunk));
      return { app, uri, shared: { url: app.url, database, logFile } };
    }),
  );
  project.provide(
    "apps",
    started.map(({ shared }) => shared),
  );
  return async () => {
    await Promise.all(started.map(({ app }) => app.stop()));
    for (const { uri, shared } of started) {
      const served = withDatabaseName(uri, shared.database);
      const connection = await mongoose.createConnection(served).asPromise();
      await dropDatabase(connection);
      await connection.close();
    }
    await rm(logs, { recursive: true, force: true });
    await releaseDatabase?.();
  };
}
