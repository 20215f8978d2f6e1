import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import mongoose from "mongoose";
import { connectDatabase, disconnectDatabase } from "~/infra/database.server";
import { parseEnv } from "~/infra/env.server";
import { withDatabaseName } from "~/infra/mongodb-uri";
import { buildIfStale } from "./lib/build";
import { say, UsageError } from "./lib/command";
import { loadDemoData } from "./lib/demo-data";
import { freePort } from "./lib/ports";
import { acquireDatabase } from "./database/index";
import { exitCode, healthy, serve, stopSignal } from "./lib/site";

interface Result {
  passed: number;
  failed: number;
}

const require = createRequire(import.meta.url);

/** Aborts when this command is to end; every runner ends with it. */
let stopped: AbortSignal;

/**
 * Type check, lint and all tests; ends with a line `N passed, N failed`. With arguments only the stage
 * of that name, whose runner gets the rest: `npm test -- browser tests/browser/tours.spec.ts`.
 */
export default async function test([only, ...rest]: string[]): Promise<number> {
  stopped = stopSignal();
  const reports = await mkdtemp(join(tmpdir(), "tour-reviews-reports-"));
  try {
    const all = Object.entries(stages(reports, rest));
    const chosen = all.filter(([name]) => !only || name.toLowerCase() === only);
    if (chosen.length === 0)
      throw new UsageError(`There is no stage ${only}: ${all.map(([name]) => name).join(", ")}`);
    const results: Result[] = [];
    for (const [name, stage] of chosen) {
      if (stopped.aborted) return 1;
      say(`\n── ${name}`);
      results.push(await stage());
    }
    const sum = (key: keyof Result) => results.reduce((total, result) => total + result[key], 0);
    process.stdout.write(`\n${sum("passed")} passed, ${sum("failed")} failed\n`);
    return sum("failed") > 0 ? 1 : 0;
  } finally {
    await rm(reports, { recursive: true, force: true });
  }
}

function stages(reports: string, rest: string[]): Record<string, () => Promise<Result>> {
  const report = join(reports, "vitest.json");
  return {
    Types: () => check("typescript/bin/tsc", ["--noEmit"]),
    Lint: () => check(packageFile("eslint", "bin/eslint.js"), ["--max-warnings", "0", "."]),
    Format: () => check("prettier/bin/prettier.cjs", ["--check", "--log-level", "warn", "."]),
    Build: async () => {
      await buildIfStale();
      return { passed: 1, failed: 0 };
    },
    Services: async () => {
      const reporters = ["--reporter=default", "--reporter=json", `--outputFile=${report}`];
      const args = ["run", ...reporters, ...rest];
      const ok = await run(packageFile("vitest", "vitest.mjs"), args);
      return fromVitest(report, ok);
    },
    Browser: () => browserTests(reports, rest),
  };
}

/** Playwright against the built site, with the demo data in a database of its own. */
async function browserTests(reports: string, rest: string[]): Promise<Result> {
  await installBrowser();
  await buildIfStale();
  const { uri, release } = await browserDatabase(join(reports, "data"));
  try {
    await loadDemoData(uri);
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const { SENDGRID_API_KEY: _, ...inherited } = process.env;
    // The tests, too: they look into the database and log in by making a session.
    const env = {
      ...inherited,
      PORT: String(port),
      APP_URL: url,
      MONGODB_URI: uri,
      SESSION_SECRET: randomBytes(32).toString("hex"),
      LOG_LEVEL: "warn",
    };
    const site = serve(env);
    const ended = exitCode(site);
    try {
      const gone = new AbortController();
      void ended.finally(() => gone.abort());
      if (!(await healthy(port, gone.signal))) return { passed: 0, failed: 1 };
      const report = join(reports, "playwright.json");
      const ok = await run(
        packageFile("@playwright/test", "cli.js"),
        ["test", "--reporter=line,json", ...rest],
        { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
      );
      return await fromPlaywright(report, ok);
    } finally {
      site.kill("SIGTERM");
      await ended;
    }
  } finally {
    await release();
  }
}

/** An empty database for the browser tests, on the server of `MONGODB_URI` or an embedded one. */
async function browserDatabase(dataDir: string) {
  const { mongodbUri } = parseEnv(process.env);
  if (!mongodbUri) return acquireDatabase({ dataDir, onProgress: say });
  const uri = withDatabaseName(mongodbUri, `browser_${process.pid}`);
  const release = async () => {
    await connectDatabase(uri);
    await mongoose.connection.db!.dropDatabase();
    await disconnectDatabase();
  };
  return { uri, release };
}

/** Chromium from Debian's packages, or from Playwright, where there is none. */
async function installBrowser(): Promise<void> {
  const { chromium } = await import("@playwright/test");
  const found = [chromium.executablePath(), "/usr/bin/chromium", "/usr/bin/chromium-browser"];
  if (found.some((path) => existsSync(path))) return;
  say("Installing Chromium …");
  const apt = "apt-get update -qq && apt-get install -y -qq chromium";
  if (process.getuid?.() === 0 && spawnSync("sh", ["-c", apt], { stdio: "ignore" }).status === 0)
    return;
  await run(packageFile("@playwright/test", "cli.js"), ["install", "--with-deps", "chromium"]);
}

async function fromPlaywright(file: string, ok: boolean): Promise<Result> {
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null) return { passed: 0, failed: 1 };
  const { stats } = JSON.parse(text) as {
    stats: { expected: number; unexpected: number; flaky: number };
  };
  return { passed: stats.expected + stats.flaky, failed: Math.max(stats.unexpected, ok ? 0 : 1) };
}

/** A stage that passes or fails as a whole. */
async function check(script: string, args: string[]): Promise<Result> {
  const ok = await run(script.startsWith("/") ? script : require.resolve(script), args);
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1 };
}

function packageFile(name: string, file: string): string {
  return join(require.resolve(`${name}/package.json`), "..", file);
}

function run(
  script: string,
  args: string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<boolean> {
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ["ignore", "inherit", "inherit"],
    env,
    detached: true,
  });
  // As Ctrl-C in a terminal does it: to all that the runner has started, too.
  const stop = () => process.kill(-child.pid!, "SIGINT");
  stopped.addEventListener("abort", stop);
  return new Promise((resolve) =>
    child.once("exit", (code) => {
      stopped.removeEventListener("abort", stop);
      resolve(code === 0);
    }),
  );
}

async function fromVitest(file: string, ok: boolean): Promise<Result> {
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null) return { passed: 0, failed: 1 };
  const counts = JSON.parse(text) as { numPassedTests: number; numFailedTests: number };
  // A file that cannot be loaded or a failed hook counts no test, and is a failure all the same.
  const failed = Math.max(counts.numFailedTests, ok ? 0 : 1);
  return { passed: counts.numPassedTests, failed };
}
