import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { acquireDatabase } from "../../scripts/database/index";

declare module "vitest" {
  interface ProvidedContext {
    /** URI of the server that the tests share, without a database of its own. */
    mongodbUri: string;
  }
}

/** A database server for all tests: that of `MONGODB_URI`, else an embedded one with an empty folder. */
export default async function setup(project: TestProject) {
  if (process.env.MONGODB_URI) {
    project.provide("mongodbUri", process.env.MONGODB_URI);
    return;
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
