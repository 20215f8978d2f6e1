import "../tests/support/setup";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { delimiter, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import mongoose from "mongoose";
import { endChildren, serveProgram, withDatabase } from "../tests/faults/support";
import { ask, measure, ratiosOf, type Result, throughput, toMarkdown } from "./bench/measure";
import { listOf, type RowName, ROWS, rowsOf } from "./bench/rows";
import { seed } from "./bench/seed";
import { buildIfStale } from "./lib/build";
import { optionsOf, say, UsageError, wholeNumber } from "./lib/command";
import { stopSignal } from "./lib/stop";

const ENGINES = { python: "SecantusDB", rs: "secantusd-rs", mongodb: "MongoDB" };
type Engine = keyof typeof ENGINES;

const REMIX_SERVE = "node_modules/@remix-run/serve/dist/cli.js";
const DOCUMENT = "docs/performance.md";
const USAGE = `Usage: npm run bench -- [--engine ${Object.keys(ENGINES).join("|")}] [--only ROW,…] [--rounds N] [--ms N]`;

/**
 * Measures the app beside a bare server and Express with Mongoose (docs/performance.md). Prints the results, and
 * writes them to the document after a complete run. Exit code 1 for a void run, in which two copies of one program
 * differed.
 */
export default async function bench(args: string[]): Promise<number> {
  const wishes = wishesOf(args);
  const engine = useEngine(wishes.engine);
  const stopped = stopSignal();
  stopped.addEventListener("abort", () => void endChildren());
  await buildIfStale();
  try {
    const { control, markdown } = await withDatabase((uri) => run(uri, engine, wishes, stopped));
    process.stdout.write(`\n${markdown}`);
    if (!isSame(control)) {
      say("\nThis run is void: the machine is not quiet enough.");
      return 1;
    }
    if (wishes.only === ROWS) await writeResults(engine, markdown);
    return 0;
  } catch (error) {
    // A signal has ended the programs during a measurement.
    if (stopped.aborted) return 130;
    throw error;
  }
}

function wishesOf(args: string[]) {
  const text = { type: "string" } as const;
  const values = optionsOf(args, { engine: text, only: text, rounds: text, ms: text }, USAGE);
  const rounds = wholeNumber("--rounds", values.rounds ?? "5", 1, 100);
  const ms = wholeNumber("--ms", values.ms ?? "1000", 100, 60_000);
  const engine = values.engine as Engine | undefined;
  if (engine !== undefined && !Object.hasOwn(ENGINES, engine)) throw new UsageError(USAGE);
  const only: readonly RowName[] = (values.only?.split(",") as RowName[] | undefined) ?? ROWS;
  const unknown = only.find((name) => !ROWS.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`There is no row ${unknown as string}: ${ROWS.join(", ")}`);
  return { engine, only, rounds, ms };
}

const isNative = (folder: string) => existsSync(join(folder, "secantusd-rs"));

/** Makes this process use the chosen engine, or the one that `npm start` would use here, and returns its name. */
function useEngine(chosen?: Engine): Engine {
  const { MONGODB_URI, PATH = "" } = process.env;
  const folders = PATH.split(delimiter);
  const native = folders.some(isNative);
  if (chosen === "rs" && !native)
    throw new UsageError("--engine rs needs secantusd-rs on the PATH");
  if (chosen === "mongodb" && !MONGODB_URI)
    throw new UsageError("--engine mongodb needs MONGODB_URI");
  const engine = chosen ?? (MONGODB_URI ? "mongodb" : native ? "rs" : "python");
  if (engine !== "mongodb") delete process.env.MONGODB_URI;
  if (engine === "python")
    process.env.PATH = folders.filter((folder) => !isNative(folder)).join(delimiter);
  return engine;
}

async function run(
  uri: string,
  engine: Engine,
  { only, rounds, ms }: ReturnType<typeof wishesOf>,
  stopped: AbortSignal,
) {
  const settings = {
    NODE_ENV: "production",
    MONGODB_URI: uri,
    LOG_LEVEL: "warn",
    BENCH_RENDER_MS: String(ms),
  };
  const start = (...files: string[]) => {
    stopped.throwIfAborted();
    return serveProgram([...files, "build/index.js"], settings);
  };
  try {
    say("Filling the database …");
    const isDefault = engine === "python";
    const seeded = await seed(only, { huge: !isDefault });
    const app = await start(REMIX_SERVE);
    const renderer = await start("--import", "./scripts/bench/render.mjs", REMIX_SERVE);
    const bare = await start("scripts/bench/bare.mjs");
    const express = await start("scripts/bench/express.mjs");
    const list = seeded.tours[100][0]!;
    await compareAnswers([app, bare, express].map((program) => listOf(program, list)));
    const copy = await start("scripts/bench/bare.mjs");
    const control = await compareCopies(listOf(bare, list), listOf(copy, list), rounds, ms);
    await copy.stop();
    const rows = rowsOf({ ...seeded, isDefault, app, bare, express, renderer, ms });
    const results: Result[] = [];
    for (const row of only.flatMap((name) => rows[name])) {
      say(row.what);
      results.push(await measure(row, rounds));
    }
    return { control, markdown: await toMarkdown(await about(engine, control), results) };
  } finally {
    await endChildren();
  }
}

/** Throws unless the programs answer with the same reviews. */
async function compareAnswers(urls: string[]): Promise<void> {
  const texts = await Promise.all(urls.map(async (url) => (await ask(url)).text));
  const [ours, ...others] = texts.map((text) => (JSON.parse(text) as { reviews: unknown }).reviews);
  if (!others.every((other) => isDeepStrictEqual(other, ours)))
    throw new Error("The programs do not answer with the same reviews");
}

/** The ratio of two copies of one program: the first that is close enough to 1, or else the third. */
async function compareCopies(a: string, b: string, rounds: number, ms: number): Promise<number> {
  const programs = { A: () => throughput(a, ms), B: () => throughput(b, ms) };
  let ratio = NaN;
  for (let attempt = 0; attempt < 3 && !isSame(ratio); attempt++) {
    const row = { what: "two copies", unit: "a second", programs } as const;
    ratio = ratiosOf(await measure(row, rounds + 2))[0]!;
    say(`Two copies of the bare server: ${ratio.toFixed(3)}`);
  }
  return ratio;
}

/** Whether two copies of one program were similar enough for the run's other figures to count. */
const isSame = (ratio: number): boolean => ratio >= 0.95 && ratio <= 1.05;

/** Names the server, the machine and the commit, with a plus if files differ from it. */
async function about(engine: Engine, control: number): Promise<string> {
  const { secantusVersion, version } = await mongoose.connection.db!.admin().buildInfo();
  const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" }).trim();
  const commit = `${git("rev-parse", "--short", "HEAD")}${git("status", "--porcelain") && "+"}`;
  const date = new Date().toISOString().slice(0, 10);
  return `${ENGINES[engine]} ${secantusVersion ?? version}, Node.js ${process.version}, ${cpus().length} processors, commit \`${commit}\`, ${date}. Two copies of the bare server: ${control.toFixed(3)}.`;
}

/** Replaces that engine's results in the document. Throws if it has no place for them. */
async function writeResults(engine: Engine, results: string): Promise<void> {
  const document = await readFile(DOCUMENT, "utf8");
  const begin = `<!-- results: ${engine} -->`;
  const start = document.indexOf(begin);
  const end = document.indexOf("<!-- end of results -->", start);
  if (start < 0 || end < 0) throw new Error(`${DOCUMENT} has no ${begin}`);
  const [before, after] = [document.slice(0, start), document.slice(end)];
  await writeFile(DOCUMENT, `${before}${begin}\n\n${results}\n${after}`);
}
