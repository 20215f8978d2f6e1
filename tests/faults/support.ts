import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import mongoose from "mongoose";
import { withDatabaseName } from "~/config/mongodb-uri";
import { say } from "../../scripts/lib/command";
import { acquireDatabase } from "../../scripts/database/index";
import { connected } from "../../scripts/lib/database-copy";
import { call, launch, startApp, startSite, type App } from "../support/app";
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
  if (given) {
    const uri = withDatabaseName(given, `faults_${process.pid}`);
    return connected(uri, () =>
      work(uri).finally(() => dropDatabase(mongoose.connection).catch(() => {})),
    );
  }
  return withFolder(async (dataDir) => {
    const { uri, release } = await acquireDatabase({ dataDir, onProgress: say });
    try {
      return await connected(uri, () => work(uri));
    } finally {
      await release();
    }
  });
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

/** The same server, which now ends with this process. */
function endingWithThis(app: App): App {
  endsWithThis(app.process, (signal) => app.process.kill(signal));
  return app;
}

/** A program in a process of its own, as `launch` runs it, which ends with this one. */
export const serveProgram = async (...of: Parameters<typeof launch>): Promise<App> =>
  endingWithThis(await launch(...of));

/** The app in the same way. */
export const serve = async (uri: string, settings: Record<string, string> = {}): Promise<App> =>
  endingWithThis(await startApp(uri, { LOG_LEVEL: "warn", ...settings }));

/** A site of two server processes by `npm start` in the same way. */
export const serveByTwo = async (uri: string, settings?: Record<string, string>): Promise<App> =>
  endingWithThis(await startSite(uri, settings));

/** Gives `work` the app with a database of its own, to which Mongoose is connected. */
export const withApp = (
  settings: Record<string, string>,
  work: (app: App, uri: string) => Promise<void>,
) =>
  withDatabase(async (uri) => {
    const app = await serve(uri, settings);
    await work(app, uri);
    await app.stop();
  });

/** Gives `work` a site of two server processes in the same way. */
export const withSite = (settings: Record<string, string>, work: (site: App) => Promise<void>) =>
  withDatabase(async (uri) => {
    const site = await serveByTwo(uri, settings);
    await work(site);
    await site.stop();
  });

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

/** The status of the answer to a GET; undefined without an answer. */
export const statusOf = async (site: Pick<App, "url">, path: string) =>
  (await call(site, "GET", path).catch(() => null))?.status;

/** The median. */
export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
