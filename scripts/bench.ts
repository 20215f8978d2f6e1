import "../tests/support/setup";
import { execFileSync } from "node:child_process";
import { cpus } from "node:os";
import { isDeepStrictEqual } from "node:util";
import { connectedDatabase } from "~/db/connection.server";
import { endChildren, serveProgram, withDatabase } from "../tests/faults/support";
import {
  aSecond,
  timedRequest,
  measure,
  medianRatios,
  type Result,
  throughput,
  toMarkdown,
} from "./bench/measure";
import { listUrl, ROWS } from "./bench/rows";
import { seed } from "./bench/seed";
import { buildIfStale } from "./lib/build";
import { readOptions, say, UsageError, wholeNumber } from "./lib/command";
import { stopSignal } from "./lib/stop";

const REMIX_SERVE = "node_modules/@remix-run/serve/dist/cli.js";
const USAGE = "Usage: npm run bench -- [--only ROW,…] [--rounds N] [--ms N]";

/**
 * Measures the app beside a bare server and Express with Mongoose, and prints a table (CONTRIBUTING.md). Exit code 1 for a
 * void run, in which two copies of one program differed.
 */
export default async function bench(args: string[]): Promise<number> {
  const wishes = readBenchOptions(args);
  const stopped = stopSignal();
  stopped.addEventListener("abort", () => void endChildren());
  await buildIfStale();
  try {
    const { control, markdown } = await withDatabase((uri) => runRounds(uri, wishes, stopped));
    process.stdout.write(`\n${markdown}`);
    if (!isSame(control)) {
      say("\nThis run is void: the machine is not quiet enough.");
      return 1;
    }
    return 0;
  } catch (error) {
    // A signal has ended the programs during a measurement.
    if (stopped.aborted) return 130;
    throw error;
  }
}

function readBenchOptions(args: string[]) {
  const text = { type: "string" } as const;
  const values = readOptions(args, { only: text, rounds: text, ms: text }, USAGE);
  const rounds = wholeNumber("--rounds", values.rounds ?? "5", 1, 100);
  const ms = wholeNumber("--ms", values.ms ?? "1000", 100, 60_000);
  const names = Object.keys(ROWS);
  const only = values.only?.split(",") ?? names.filter((name) => name !== "huge");
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`There is no row ${unknown}: ${names.join(", ")}`);
  return { only, rounds, ms };
}

async function runRounds(
  uri: string,
  { only, rounds, ms }: ReturnType<typeof readBenchOptions>,
  stopped: AbortSignal,
) {
  const start = (...files: string[]) => {
    stopped.throwIfAborted();
    return serveProgram([...files, "build/index.js"], {
      NODE_ENV: "production",
      MONGODB_URI: uri,
      LOG_LEVEL: "warn",
      BENCH_RENDER_MS: String(ms),
    });
  };
  try {
    say("Filling the database …");
    const seeded = await seed(only);
    const app = await start(REMIX_SERVE);
    const renderer = await start("--import", "./scripts/bench/render.mjs", REMIX_SERVE);
    const bare = await start("scripts/bench/bare.mjs");
    const express = await start("scripts/bench/express.mjs");
    const copy = await start("scripts/bench/bare.mjs");
    const lists = [app, bare, express, copy].map((one) => listUrl(one, seeded.tours[100]));
    await compareAnswers(lists);
    const control = await compareCopies(lists[1]!, lists[3]!, rounds + 2, ms);
    await copy.stop();
    const results: Result[] = [];
    for (const row of only.flatMap((name) =>
      ROWS[name]!({ ...seeded, app, bare, express, renderer, ms }),
    )) {
      say(row.what);
      results.push(await measure(row, rounds));
    }
    return { control, markdown: toMarkdown(await about(control), results) };
  } finally {
    await endChildren();
  }
}

/** Throws unless the programs answer with the same reviews. */
async function compareAnswers(urls: string[]): Promise<void> {
  const texts = await Promise.all(urls.map(async (url) => (await timedRequest(url)).text));
  const [ours, ...others] = texts.map((text) => (JSON.parse(text) as { reviews: unknown }).reviews);
  if (!others.every((other) => isDeepStrictEqual(other, ours)))
    throw new Error("The programs do not answer with the same reviews");
}

/** The ratio of two copies of one program. */
async function compareCopies(a: string, b: string, rounds: number, ms: number): Promise<number> {
  const copies = { A: () => throughput(a, ms), B: () => throughput(b, ms) };
  const [ratio] = medianRatios(
    await measure(aSecond("two copies of the bare server", copies), rounds),
  );
  say(`Two copies of the bare server: ${ratio!.toFixed(3)}`);
  return ratio!;
}

/** Whether two copies of one program were similar enough for the run's other figures to count. */
const isSame = (ratio: number): boolean => ratio >= 0.95 && ratio <= 1.05;

/** Names the database, the machine and the commit, with a plus if files differ from it. */
async function about(control: number): Promise<string> {
  const { secantusVersion, version } = await connectedDatabase().admin().buildInfo();
  const database = secantusVersion ? `SecantusDB ${secantusVersion}` : `MongoDB ${version}`;
  const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" }).trim();
  const commit = `${git("rev-parse", "--short", "HEAD")}${git("status", "--porcelain") && "+"}`;
  const date = new Date().toISOString().slice(0, 10);
  return `${database}, Node.js ${process.version}, ${cpus().length} processors, commit \`${commit}\`, ${date}. Two copies of the bare server: ${control.toFixed(3)}.`;
}
