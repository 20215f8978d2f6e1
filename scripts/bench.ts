import "../tests/support/setup";
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import mongoose from "mongoose";
import { connectDatabase, disconnectDatabase } from "~/infra/database.server";
import { isSame } from "./bench/arithmetic";
import { baselineRow, type Checkout, checkOut } from "./bench/baseline";
import {
  ENGINES,
  type Engine,
  type EngineId,
  enginesHere,
  requireEngine,
  withEngine,
} from "./bench/engine";
import { pageRows } from "./bench/pages";
import { postRows, writerRow } from "./bench/posting";
import { processRows } from "./bench/processes";
import { endPrograms, type Program, startApp, startBare, startExpress } from "./bench/programs";
import { control, largeListRow, listRows } from "./bench/reading";
import { type Run, toMarkdown, withResults } from "./bench/report";
import { type Bench, measure, measureAll, type Row } from "./bench/row";
import { type Content, seed, SIZES } from "./bench/seed";
import { buildIfStale } from "./lib/build";
import { optionsOf, say, UsageError, wholeNumber } from "./lib/command";
import { stopSignal } from "./lib/stop";

const DOCUMENT = "docs/performance.md";

/** The last row of a run on one engine must begin within this time, in milliseconds. */
const RUN_MS = 11 * 60_000;

/** The greatest number of rounds of the control. */
const CONTROL_ROUNDS = 9;

/** How often the control is tried before a run is declared void. */
const CONTROLS = 3;

/** The rows that `--only` accepts. */
const ROWS = [
  ...["page", "home", "render", "large-list", "warm", "cold", "304"],
  ...["post", "writers", "processes", "baseline"],
];

const USAGE =
  "Usage: npm run bench -- [--engine python|rs|mongodb] [--only ROW,…] [--rounds N] [--ms N] [--baseline REF]";

interface Options {
  only: string[] | null;
  rounds: number;
  ms: number;
  stopped: AbortSignal;
  baseline: { ref: string; checkout: Checkout } | null;
}

/**
 * Measures the app beside a bare server and Express with Mongoose (docs/performance.md), on each engine that this
 * machine has or on one. Prints the results, and writes them to the document after a complete run. Exit code 1 for a
 * void run, in which two copies of one program differed, and for a row that could not be measured.
 */
export default async function bench(args: string[]): Promise<number> {
  const values = optionsOf(
    args,
    {
      engine: { type: "string" },
      only: { type: "string" },
      rounds: { type: "string", default: "5" },
      ms: { type: "string", default: "1000" },
      baseline: { type: "string" },
    },
    USAGE,
  );
  const { engine, only, baseline } = values;
  const rounds = wholeNumber("--rounds", values.rounds, 1, 100);
  const ms = wholeNumber("--ms", values.ms, 100, 60_000);
  if (engine !== undefined && !ENGINES.includes(engine as EngineId)) throw new UsageError(USAGE);
  const unknown = only?.split(",").find((id) => !ROWS.includes(id));
  if (unknown !== undefined) throw new UsageError(`There is no row ${unknown}: ${ROWS.join(", ")}`);
  if (only?.split(",").includes("baseline") && baseline === undefined)
    throw new UsageError("The row baseline needs --baseline REF");
  const engines = engine === undefined ? enginesHere() : [engine as EngineId];
  engines.forEach(requireEngine);
  const stopped = stopSignal();
  stopped.addEventListener("abort", endPrograms);
  const ref = baseline ?? null;
  const checkout = ref === null ? null : await checkOut(ref);
  let code = 0;
  try {
    await buildIfStale();
    for (const id of engines) {
      const options = {
        ...{ rounds, ms, stopped },
        only: only?.split(",") ?? null,
        baseline: ref !== null && checkout ? { ref, checkout } : null,
      };
      const run = await withEngine(id, (engine) => measureOn(engine, options));
      process.stdout.write(`\n${toMarkdown(run)}\n`);
      const isVoid = !isSame(run.control);
      if (isVoid) say(`\nThis run on ${run.name} is void: the machine is not quiet enough.`);
      else if (options.only === null)
        await writeFile(
          DOCUMENT,
          withResults(await readFile(DOCUMENT, "utf8"), id, toMarkdown(run)),
        );
      if (isVoid || run.results.some(({ failure }) => failure !== undefined)) code = 1;
    }
  } catch (error) {
    // A signal has ended the programs during a measurement.
    if (!stopped.aborted) throw error;
    code = 130;
  } finally {
    await checkout?.remove();
  }
  return code;
}

/** One run on one engine. */
async function measureOn(engine: Engine, options: Options): Promise<Run> {
  const began = performance.now();
  const date = new Date();
  say(`\n── ${engine.name}`);
  const uri = engine.uri("main");
  const programs: Program[] = [];
  try {
    await connectDatabase(uri);
    const { connection } = mongoose;
    say("Filling the database …");
    const seeded = await seed(connection.db!, contentFor(engine, options));
    options.stopped.throwIfAborted();
    for (const start of [startApp, startBare, startExpress, startBare])
      programs.push(await start(uri));
    const [app, bare, express, copy] = programs as [Program, Program, Program, Program];
    const bench: Bench = {
      ...{ engine, connection, uri, seeded, app, bare, express, ms: options.ms },
    };
    const same = await controlled(control(bench, copy), options);
    await copy.stop();
    const rows = rowsOf(bench, options);
    const { rounds, stopped } = options;
    const results = await measureAll(rows, { rounds, stopped, end: began + RUN_MS });
    stopped.throwIfAborted();
    return {
      ...{ engine: engine.id, name: engine.name, commit: commit(), date, results },
      seconds: (performance.now() - began) / 1_000,
      control: same,
    };
  } finally {
    await Promise.all(programs.map((program) => program.stop()));
    await disconnectDatabase();
  }
}

/** What the rows to be measured need in the database; the control needs a tour of 100 reviews. */
function contentFor({ id }: Engine, { only }: Options): Content {
  const isFor = (...ids: string[]) => only === null || ids.some((id) => only.includes(id));
  return {
    huge: isFor("page") && id !== "python",
    sizes: isFor("warm", "cold", "304", "post") ? SIZES : [100],
    posts: isFor("post"),
    catalogue: isFor("page", "home", "large-list"),
  };
}

/** The first ratio of two copies of one program that is close enough to 1, or else the last one. */
async function controlled(row: Row, { rounds }: Options): Promise<number> {
  let ratio = NaN;
  for (let attempt = 0; attempt < CONTROLS && !isSame(ratio); attempt++) {
    const { figures, failure } = await measure(row, {
      rounds: Math.min(rounds + 2, CONTROL_ROUNDS),
      end: Infinity,
    });
    if (failure !== undefined) throw new Error(failure);
    ratio = figures[0]!.value;
    say(`  control: A / B ${ratio.toFixed(3)}`);
  }
  return ratio;
}

function rowsOf(bench: Bench, { only, baseline }: Options): Row[] {
  const rows = [
    ...pageRows(bench),
    largeListRow(bench),
    ...listRows(bench),
    ...postRows(bench),
    writerRow(bench),
    ...processRows(bench),
    ...(baseline ? [baselineRow(bench, baseline.ref, baseline.checkout)] : []),
  ];
  return only ? rows.filter(({ id }) => only.includes(id)) : rows;
}

/** The commit that is checked out, with a plus if files differ from it; files that runs write do not count. */
function commit(): string {
  const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" }).trim();
  const differs = git("status", "--porcelain", "--", ".", `:!${DOCUMENT}`);
  return git("rev-parse", "--short", "HEAD") + (differs ? "+" : "");
}
