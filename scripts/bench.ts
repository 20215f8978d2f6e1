import "../tests/support/setup";
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import mongoose from "mongoose";
import { connectDatabase, disconnectDatabase } from "~/db/database.server";
import { withDatabaseName } from "~/infra/mongodb-uri";
import { dropDatabase } from "../tests/support/collections";
import { throughput } from "./bench/load";
import {
  isSame,
  measure,
  type Result,
  type Row,
  ratioOf,
  toMarkdown,
  withResults,
} from "./bench/measure";
import { type Engine, ENGINES, engineOf, startEngine, startProgram } from "./bench/programs";
import { compareAnswers, listOf, ROWS } from "./bench/rows";
import { seed } from "./bench/seed";
import { buildIfStale } from "./lib/build";
import { optionsOf, say, UsageError, wholeNumber } from "./lib/command";
import { stopSignal } from "./lib/stop";

const DOCUMENT = "docs/performance.md";
const USAGE = `Usage: npm run bench -- [--engine ${ENGINES.join("|")}] [--only ROW,…] [--rounds N] [--ms N]`;

/**
 * Measures the app beside a bare server and Express with Mongoose (docs/performance.md). Prints the results, and
 * writes them to the document after a complete run. Exit code 1 for a void run, in which two copies of one program
 * differed.
 */
export default async function bench(args: string[]): Promise<number> {
  const text = { type: "string" } as const;
  const values = optionsOf(args, { engine: text, only: text, rounds: text, ms: text }, USAGE);
  const rounds = wholeNumber("--rounds", values.rounds ?? "5", 1, 100);
  const ms = wholeNumber("--ms", values.ms ?? "1000", 100, 60_000);
  if (values.engine !== undefined && !ENGINES.includes(values.engine as Engine))
    throw new UsageError(USAGE);
  const only = values.only?.split(",");
  const unknown = only?.find((id) => !ROWS.has(id));
  if (unknown !== undefined)
    throw new UsageError(`There is no row ${unknown}: ${[...ROWS.keys()].join(", ")}`);
  const engine = engineOf(values.engine);
  const stopped = stopSignal();
  await buildIfStale();
  const server = await startEngine(engine);
  try {
    const uri = withDatabaseName(server.uri, `bench_${process.pid}`);
    const { control, markdown } = await run(engine, uri, only, { rounds, ms, stopped });
    process.stdout.write(`\n${markdown}`);
    if (!isSame(control)) {
      say("\nThis run is void: the machine is not quiet enough.");
      return 1;
    }
    if (!only)
      await writeFile(DOCUMENT, withResults(await readFile(DOCUMENT, "utf8"), engine, markdown));
    return 0;
  } catch (error) {
    // A signal has ended the programs during a measurement.
    if (stopped.aborted) return 130;
    throw error;
  } finally {
    await server.release();
  }
}

async function run(
  engine: Engine,
  uri: string,
  only: string[] | undefined,
  { rounds, ms, stopped }: { rounds: number; ms: number; stopped: AbortSignal },
) {
  const programs: Awaited<ReturnType<typeof startProgram>>[] = [];
  const start = async (name: Parameters<typeof startProgram>[0]) => {
    const program = await startProgram(name, uri, stopped);
    programs.push(program);
    return program;
  };
  try {
    await connectDatabase(uri);
    const { connection } = mongoose;
    say("Filling the database …");
    const seeded = await seed(connection.db!, only, { huge: engine !== "python" });
    const [app, bare, express] = [await start("app"), await start("bare"), await start("express")];
    const bench = { ...seeded, engine, connection, app, bare, express, ms };
    await compareAnswers(bench);
    const copy = await start("bare");
    const tour = seeded.tours[100][0]!;
    const control = await compareCopies([listOf(bare, tour), listOf(copy, tour)], rounds, ms);
    await copy.stop();
    const results: Result[] = [];
    for (const [id, rowsOf] of ROWS)
      if (!only || only.includes(id))
        for (const row of rowsOf(bench)) {
          say(row.what);
          results.push(await measure(row, rounds));
        }
    return { control, markdown: await toMarkdown(await about(engine, control), results) };
  } finally {
    await Promise.all(programs.map((program) => program.stop()));
    // An embedded server's folder is removed as a whole.
    if (engine === "mongodb") await dropDatabase(mongoose.connection);
    await disconnectDatabase();
  }
}

/** The ratio of two copies of one program: the first that is close enough to 1, or else the third. */
async function compareCopies([a, b]: [string, string], rounds: number, ms: number) {
  const programs = { A: () => throughput(a, { ms }), B: () => throughput(b, { ms }) };
  const row: Row = { what: "two copies", unit: "a second", programs, ratios: [] };
  let ratio = NaN;
  for (let attempt = 0; attempt < 3 && !isSame(ratio); attempt++) {
    const { values } = await measure(row, rounds + 2);
    ratio = ratioOf(values.A!, values.B!);
    say(`Two copies of the bare server: ${ratio.toFixed(3)}`);
  }
  return ratio;
}

/** Names the server, the machine and the commit, with a plus if files differ from it. */
async function about(engine: Engine, control: number): Promise<string> {
  const { secantusVersion, version } = await mongoose.connection.db!.admin().buildInfo();
  const name = { python: "SecantusDB", rs: "secantusd-rs", mongodb: "MongoDB" }[engine];
  const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" }).trim();
  const commit = `${git("rev-parse", "--short", "HEAD")}${git("status", "--porcelain") && "+"}`;
  const date = new Date().toISOString().slice(0, 10);
  return `${name} ${secantusVersion ?? version}, Node.js ${process.version}, ${cpus().length} processors, commit \`${commit}\`, ${date}. Two copies of the bare server: ${control.toFixed(3)}.`;
}
