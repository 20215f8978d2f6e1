import "../tests/support/setup";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { serve, withDatabase } from "../tests/faults/support";
import { buildIfStale } from "./lib/build";
import { installChromium, installFirefox } from "./lib/browsers";
import { say, UsageError } from "./lib/command";
import { importDemoData } from "./lib/demo-data";
import { stopSignal } from "./lib/stop";

interface Result {
  passed: number;
  failed: number;
  /** The failures, if the runner names them. */
  failures?: string[];
  /** Names of the tests that passed only at the second try. */
  flaky?: string[];
}

/** Runs one stage. The runner's output goes to `held`, if it is given, instead of the terminal. */
type Stage = (held?: Buffer[]) => Promise<Result>;

const require = createRequire(import.meta.url);

/** Aborts when this command must end; every runner ends with it. */
let stopped: AbortSignal;

/** Where checks store their results for unchanged files. */
const CACHE = "node_modules/.cache/checks";

/** The stages that only need a processor core, and so run two at a time. */
const SIDE_BY_SIDE = ["Lint", "Types", "Unit", "Format", "Build"];

/** The stages whose runner accepts further arguments. */
const WITH_ARGUMENTS = ["Unit", "Services", "Http", "Browser", "Alone", "Slow"];

/** The stages that only `npm run validate` has: what waits on real time, or looks at every page in every form. */
const REST = ["Alone", "Slow", "Pages"];

/**
 * Type check, lint and the tests of every rule and main journey; with `all`, which is `npm run validate`, everything
 * else, too; with `rest` only that. Ends with a line `N passed, N failed`. With the name of a stage it runs only that
 * one, whose runner gets the further arguments: `npm test -- browser tests/browser/tours.spec.ts`.
 */
export default async function test([which, ...rest]: string[]): Promise<number> {
  const stageNames = Object.keys(stages("", rest));
  const only = which === "all" || which === "rest" ? undefined : which;
  const names = stageNames.filter((name) => {
    if (only) return name.toLowerCase() === only;
    return which === "all" || REST.includes(name) === (which === "rest");
  });
  const takesArguments = only && names.every((name) => WITH_ARGUMENTS.includes(name));
  if (names.length === 0 || (rest.length > 0 && !takesArguments))
    throw new UsageError(
      `Usage: npm test -- [all | rest | STAGE [ARGUMENTS OF ITS RUNNER]], of ${stageNames.join(", ").toLowerCase()}`,
    );
  stopped = stopSignal();
  const reports = await mkdtemp(join(tmpdir(), "tour-reviews-reports-"));
  try {
    const all = stages(reports, rest);
    const results: Result[] = [];
    const heading = (name: string) => say(`\n── ${name}`);

    const first = names.length > 1 ? names.filter((name) => SIDE_BY_SIDE.includes(name)) : [];
    const after = names.filter((name) => !first.includes(name));
    const lane = async () => {
      for (let name = first.shift(); name && !stopped.aborted; name = first.shift()) {
        const held: Buffer[] = [];
        results.push(await all[name]!(held));
        heading(name);
        process.stderr.write(Buffer.concat(held));
      }
    };
    await Promise.all([lane(), lane()]);
    for (const name of after) {
      if (stopped.aborted) return 1;
      heading(name);
      results.push(await all[name]!());
    }

    const flaky = results.flatMap((result) => result.flaky ?? []);
    if (flaky.length > 0) {
      const tests = flaky.length === 1 ? "browser test" : "browser tests";
      say(`\n${flaky.length} ${tests} passed on a second try:\n  ${flaky.join("\n  ")}`);
    }
    const failures = results.flatMap((result) => result.failures ?? []);
    if (failures.length > 0) say(`\nFailed:\n  ${failures.join("\n  ")}`);
    const sum = (key: "passed" | "failed") =>
      results.reduce((total, result) => total + result[key], 0);
    process.stdout.write(`\n${sum("passed")} passed, ${sum("failed")} failed\n`);
    return sum("failed") > 0 ? 1 : 0;
  } finally {
    await rm(reports, { recursive: true, force: true });
  }
}

function stages(reports: string, rest: string[]): Record<string, Stage> {
  const commandStage =
    (script: string, args: string): Stage =>
    async (held) => {
      const ok = await run(script, args.split(" "), { held });
      if (ok) return { passed: 1, failed: 0 };
      return { passed: 0, failed: 1, failures: [basename(script)] };
    };
  const vitest =
    (...projects: string[]): Stage =>
    async (held) => {
      const report = join(reports, `${projects[0]}.json`);
      const reporters = ["--reporter=default", "--reporter=json", `--outputFile=${report}`];
      const which = projects.flatMap((project) => ["--project", project]);
      const args = ["run", ...which, ...reporters, ...rest];
      return fromVitest(report, await run(packageFile("vitest", "vitest.mjs"), args, { held }));
    };
  return {
    Types: commandStage(
      packageFile("typescript", "bin/tsc"),
      `--noEmit --incremental --tsBuildInfoFile ${CACHE}/types.tsbuildinfo`,
    ),
    // Without a cache, because the result for one file depends on the types of others.
    Lint: commandStage(packageFile("eslint", "bin/eslint.js"), "--max-warnings 0 ."),
    Format: commandStage(
      packageFile("prettier", "bin/prettier.cjs"),
      `--check --log-level warn . --cache --cache-strategy content --cache-location ${CACHE}/format`,
    ),
    Build: async () => {
      await buildIfStale();
      return { passed: 1, failed: 0 };
    },
    Unit: vitest("unit"),
    Services: vitest("services"),
    Http: vitest("http"),
    Browser: () => browserTests(reports, rest.length > 0 ? rest : projects("journeys", "forms")),
    Alone: vitest("alone"),
    Slow: vitest("slow"),
    Pages: () => browserTests(reports, projects("desktop", "without JavaScript", "phone")),
  };
}

/** Playwright's arguments for these projects of its configuration. */
const projects = (...names: string[]) => names.map((name) => `--project=${name}`);

/** Playwright against the built site, with the demo data in a database of its own. */
async function browserTests(reports: string, rest: string[]): Promise<Result> {
  await installChromium();
  installFirefox();
  await buildIfStale();
  return withDatabase(async (MONGODB_URI) => {
    await importDemoData();
    const site = await serve(MONGODB_URI);
    site.process.stderr!.pipe(process.stderr);
    const report = join(reports, "playwright.json");
    // The tests read the database and log in by making a session, with the secret that they share with the site.
    const shared = { APP_URL: site.url, MONGODB_URI, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
    const args = ["test", "--reporter=line,json", ...rest];
    const env = { ...process.env, ...shared };
    const ok = await run(packageFile("@playwright/test", "cli.js"), args, { env });
    await site.stop();
    return fromPlaywright(report, ok);
  });
}

/** The parts of Playwright's JSON report that are read here. */
interface Suite {
  title: string;
  suites?: Suite[];
  specs: { title: string; file: string; tests: PlaywrightTest[] }[];
}

interface PlaywrightTest {
  projectName: string;
  status: string;
  results: { error?: { message?: string } }[];
}

async function fromPlaywright(file: string, ok: boolean): Promise<Result> {
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null) return { passed: 0, failed: 1 };
  const { stats, suites } = JSON.parse(text) as {
    stats: { expected: number; unexpected: number; flaky: number };
    suites: Suite[];
  };
  return {
    passed: stats.expected + stats.flaky,
    failed: Math.max(stats.unexpected, ok ? 0 : 1),
    failures: suites.flatMap((suite) => testsWith("unexpected", suite)),
    flaky: suites.flatMap((suite) => testsWith("flaky", suite)),
  };
}

function testsWith(wanted: "flaky" | "unexpected", { suites = [], specs }: Suite): string[] {
  const own = specs.flatMap(({ title, file, tests }) =>
    tests
      .filter(({ status }) => status === wanted)
      .map(({ projectName, results }) => {
        const message = results.find(({ error }) => error)?.error?.message;
        return `${file}, ${projectName}: ${title}${indented(message)}`;
      }),
  );
  return [...own, ...suites.flatMap((suite) => testsWith(wanted, suite))];
}

/** The beginning of a failure's message, without its stack and colours. */
function indented(message = ""): string {
  const text = stripVTControlCharacters(message).split(/\n[^\S\n]+at /)[0]!;
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines
    .slice(0, 20)
    .map((line) => `\n    ${line.slice(0, 300)}`)
    .join("");
}

function packageFile(name: string, file: string): string {
  return join(require.resolve(`${name}/package.json`), "..", file);
}

/** Runs a Node program to its end; returns whether it succeeded. */
async function run(
  script: string,
  args: string[],
  options: { env?: NodeJS.ProcessEnv; held?: Buffer[] } = {},
): Promise<boolean> {
  const { env = process.env, held } = options;
  const output = held ? "pipe" : "inherit";
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ["ignore", output, output],
    env,
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => held?.push(chunk));
  // Like Ctrl-C in a terminal: to all processes that the runner has started, too.
  const stop = () => process.kill(-child.pid!, "SIGINT");
  stopped.addEventListener("abort", stop);
  const [code] = (await once(child, "close")) as [number | null];
  stopped.removeEventListener("abort", stop);
  return code === 0;
}

/** A file in Vitest's JSON report, as far as it is read here. */
interface TestFile {
  name: string;
  status: string;
  message: string;
  assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
}

async function fromVitest(file: string, ok: boolean): Promise<Result> {
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(text) as {
    numPassedTests: number;
    numFailedTests: number;
    testResults: TestFile[];
  };
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(".", name);
    const failed = assertionResults.filter((test) => test.status === "failed");
    if (failed.length > 0)
      return failed.map(
        ({ fullName, failureMessages: [why] }) => `${file}: ${fullName}${indented(why)}`,
      );
    return status === "failed" ? [`${file}:${indented(message)}`] : [];
  });
  // If a file cannot be loaded or a hook fails, no test is counted, but it is a failure.
  return { passed: numPassedTests, failed: Math.max(numFailedTests, ok ? 0 : 1), failures };
}
