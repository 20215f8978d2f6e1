import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import mongoose from "mongoose";
import { connectDatabase, disconnectDatabase } from "~/db/database.server";
import { withDatabaseName } from "~/infra/mongodb-uri";
import { say } from "../../scripts/lib/command";
import { acquireDatabase } from "../../scripts/database/index";
import { call, startApp, startSite, type App } from "../support/app";
import { dropDatabase } from "../support/collections";

/** Makes a folder for `work`, and removes it afterwards. */
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
 * Gives `work` a database of its own, to which Mongoose is connected: on the server of `MONGODB_URI`, or else on an
 * embedded one in an empty folder.
 */
export async function withDatabase<Result>(work: (uri: string) => Promise<Result>) {
  const given = process.env.MONGODB_URI;
  if (given)
    return connected(withDatabaseName(given, `faults_${process.pid}`), async (uri) => {
      try {
        return await work(uri);
      } finally {
        await dropDatabase(mongoose.connection).catch(() => {});
      }
    });
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
    await disconnectDatabase();
  }
}

/** Functions that end the processes that this one has started. */
const children = new Map<ChildProcess, (signal: NodeJS.Signals) => void>();
// However this process ends, the processes that it started end, too.
process.on("exit", () => children.forEach((end) => end("SIGTERM")));

/** Makes sure that `end` is called for a process that this one has started, before this one ends. */
export function endsWithThis(child: ChildProcess, end: (signal: NodeJS.Signals) => void): void {
  children.set(child, end);
  child.once("exit", () => children.delete(child));
}

/** Ends what a failed part has left running. */
export async function endChildren(): Promise<void> {
  const ends = [...children.keys()].map((child) => once(child, "exit"));
  for (const end of children.values()) end("SIGKILL");
  await Promise.all(ends);
}

/** The app in a process of its own, which ends with this one. */
export async function serve(uri: string, settings: Record<string, string> = {}): Promise<App> {
  const app = await startApp(uri, { LOG_LEVEL: "warn", ...settings });
  endsWithThis(app.process, (signal) => app.process.kill(signal));
  return app;
}

/** A site of two server processes by `npm start`, which ends with this one. */
export async function serveByTwo(uri: string, settings: Record<string, string> = {}): Promise<App> {
  const site = await startSite(uri, settings);
  endsWithThis(site.process, (signal) => site.process.kill(signal));
  return site;
}

/** Runs a program to its end, and returns its output. */
export async function run(
  file: string,
  args: string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<{ code: number | null; output: string }> {
  const { cwd, env } = options;
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  // Together with all processes that it has started itself.
  endsWithThis(child, (signal) => process.kill(-child.pid!, signal));
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output };
}

export interface TestFile {
  name: string;
  assertionResults: { fullName: string; status: string; duration?: number | null }[];
}

/** The results of a run of Vitest, by file; throws if it could not begin. */
export async function vitest(
  args: string[],
  options?: Parameters<typeof run>[2],
): Promise<TestFile[]> {
  return withFolder(async (folder) => {
    const results = join(folder, "results.json");
    const script = join(
      createRequire(import.meta.url).resolve("vitest/package.json"),
      "..",
      "vitest.mjs",
    );
    const flags = ["--reporter=json", `--outputFile=${results}`, "--testTimeout=120000"];
    const { output } = await run(process.execPath, [script, "run", ...flags, ...args], options);
    const text = await readFile(results, "utf8").catch(() => null);
    if (text === null) throw new Error(`Vitest found nothing:\n${output}`);
    return (JSON.parse(text) as { testResults: TestFile[] }).testResults;
  });
}

/** Calls `work` with every item, that many at a time. */
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

/** How long anything may take that the site does by itself, in milliseconds: far more than it needs. */
const PATIENCE_MS = 120_000;

/** Waits for the condition; throws when it takes longer than two minutes. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; !(await condition()); await sleep(100))
    if (Date.now() > deadline) throw new Error(`never: ${String(condition)}`);
}

/** The status of the answer to a GET; undefined without an answer. */
export const statusOf = async (site: Pick<App, "url">, path: string) =>
  (await call(site, "GET", path).catch(() => null))?.status;

/** The median. */
export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
