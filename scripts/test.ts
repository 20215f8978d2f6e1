import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildIfStale } from "./build";
import { say } from "./command";

interface Result {
  passed: number;
  failed: number;
}

const require = createRequire(import.meta.url);

/** Type check, lint and all tests; ends with a line `N passed, N failed`. */
export default async function test(): Promise<number> {
  const reports = await mkdtemp(join(tmpdir(), "tour-reviews-reports-"));
  try {
    const results: Result[] = [];
    for (const [name, stage] of Object.entries(stages(reports))) {
      say(`\n── ${name}`);
      const result = await stage();
      results.push(result);
    }
    const sum = (key: keyof Result) => results.reduce((total, result) => total + result[key], 0);
    process.stdout.write(`\n${sum("passed")} passed, ${sum("failed")} failed\n`);
    return sum("failed") > 0 ? 1 : 0;
  } finally {
    await rm(reports, { recursive: true, force: true });
  }
}

function stages(reports: string): Record<string, () => Promise<Result>> {
  const report = join(reports, "vitest.json");
  return {
    "Type check": () => check("typescript/bin/tsc", ["--noEmit"]),
    Lint: () => check(packageFile("eslint", "bin/eslint.js"), ["--max-warnings", "0", "."]),
    Format: () => check("prettier/bin/prettier.cjs", ["--check", "--log-level", "warn", "."]),
    Build: async () => {
      await buildIfStale();
      return { passed: 1, failed: 0 };
    },
    Tests: async () => {
      const args = ["run", "--reporter=default", "--reporter=json", `--outputFile=${report}`];
      const ok = await run(packageFile("vitest", "vitest.mjs"), args);
      return fromVitest(report, ok);
    },
  };
}

/** A stage that passes or fails as a whole. */
async function check(script: string, args: string[]): Promise<Result> {
  const ok = await run(script.startsWith("/") ? script : require.resolve(script), args);
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1 };
}

function packageFile(name: string, file: string): string {
  return join(require.resolve(`${name}/package.json`), "..", file);
}

function run(script: string, args: string[]): Promise<boolean> {
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  return new Promise((resolve) => child.once("exit", (code) => resolve(code === 0)));
}

async function fromVitest(file: string, ok: boolean): Promise<Result> {
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null) return { passed: 0, failed: 1 };
  const counts = JSON.parse(text) as { numPassedTests: number; numFailedTests: number };
  // A file that cannot be loaded or a failed hook counts no test, and is a failure all the same.
  const failed = Math.max(counts.numFailedTests, ok ? 0 : 1);
  return { passed: counts.numPassedTests, failed };
}
