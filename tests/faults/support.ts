import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import mongoose from "mongoose";
import { connectDatabase, disconnectDatabase } from "~/server/database.server";
import { say, withDatabaseName } from "../../scripts/command";
import { acquireDatabase } from "../../scripts/database/index";
import { startApp, type App } from "../support/app";

/** A folder of its own for `work`, gone afterwards. */
export async function withFolder<Result>(
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "tour-reviews-faults-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * A database of its own for `work`, which Mongoose is connected to meanwhile: on the server of
 * `MONGODB_URI`, else on an embedded one with an empty folder.
 */
export async function withDatabase<Result>(work: (uri: string) => Promise<Result>) {
  const given = process.env.MONGODB_URI;
  if (given) return connected(withDatabaseName(given, `faults_${process.pid}`), work);
  return withFolder(async (dataDir) => {
    const { uri, release } = await acquireDatabase({ dataDir, onProgress: say });
    try {
      return await connected(uri, work);
    } finally {
      await release();
    }
  });
}

async function connected<Result>(uri: string, work: (uri: string) => Promise<Result>) {
  try {
    await connectDatabase(uri);
    return await work(uri);
  } finally {
    await mongoose.connection.db?.dropDatabase().catch(() => {});
    await disconnectDatabase();
  }
}

const apps = new Set<App>();
// However this process ends, no app outlives it.
process.on("exit", () => apps.forEach((app) => app.process.kill("SIGKILL")));

/** The app in a process of its own, which ends with this one. */
export async function serve(uri: string, settings: Record<string, string> = {}): Promise<App> {
  const app = await startApp(uri, { LOG_LEVEL: "warn", ...settings });
  apps.add(app);
  app.process.once("exit", () => apps.delete(app));
  return app;
}

/** Numbers from 0 up to 1 that the seed decides (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Does `work` with every item, so many at a time. */
export async function eachOf<Item>(
  items: Iterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const lane = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

/** The middle one. */
export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
