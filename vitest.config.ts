import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type InlineConfig, type TestSpecification } from "vitest/node";

/** The files that take longest. If one of them began last, one worker would run it while the other is idle. */
const LONGEST = [
  "tests/reviews/words.test.ts",
  "tests/guides/guide-commands.test.ts",
  "tests/reviews/authorization.http.test.ts",
  "tests/accounts/single-sign-on.http.test.ts",
  "tests/reviews/races.http.test.ts",
  "tests/reviews/crash.slow.test.ts",
  "tests/moderation/crash.slow.test.ts",
  "tests/reviews/unanswered.slow.test.ts",
  "tests/import/import.slow.test.ts",
  "tests/scripts/documented-commands.test.ts",
  "tests/scripts/commands.test.ts",
  "tests/scripts/database.test.ts",
  "tests/scripts/backup.test.ts",
  "tests/scripts/operators.test.ts",
  "tests/scripts/signals.test.ts",
  "tests/scripts/bench.test.ts",
  "tests/server/routes.http.slow.test.ts",
  "tests/reviews/webhooks.http.slow.test.ts",
  "tests/server/degradation.http.slow.test.ts",
];

const folder = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const SLOW = "tests/**/*.slow.test.ts";
const UNIT = "tests/**/*.unit.test.{ts,tsx}";
const HTTP = "tests/**/*.http.test.ts";
const SCRIPTS = "tests/scripts/**/*.test.ts";

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) =>
      LONGEST.some((name) => moduleId.endsWith(name));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** The files that load modules again or replace them, open other connections, or drop the collections. */
const ALONE = [
  "tests/server/commands-of-requests.test.ts",
  "tests/scripts/demo-data.test.ts",
  "tests/scripts/migrations.test.ts",
  "tests/accounts/demo-log-ins.test.ts",
  "tests/accounts/hashing.test.ts",
  "tests/accounts/log-in.test.ts",
  "tests/db/database.test.ts",
  "tests/db/indexes.test.ts",
  "tests/db/rate-limits.test.ts",
  "tests/requests/completed.test.ts",
  "tests/requests/settings.test.ts",
];

const project = (name: string, include: string[], options: InlineConfig = {}) => ({
  extends: true as const,
  test: { name, include, ...options },
});

export default defineConfig({
  resolve: {
    alias: { "~": folder("app"), "#models": folder("models"), "#emails": folder("emails") },
  },
  test: {
    setupFiles: "tests/support/setup-tests.ts",
    // Far more than a test takes: a busy machine must not look like a fault.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    // More than the two processors of the smallest machines: many tests wait for a server or for a time limit.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Grouped by what tests need; a test that needs more than its project provides fails with a message that says so.
    projects: [
      // Files that share a worker, one after another, load the code and build the indexes once.
      project("unit", [UNIT], { isolate: false }),
      project("services", ["tests/**/*.test.ts"], {
        exclude: [...ALONE, SLOW, UNIT, HTTP, SCRIPTS],
        globalSetup: "tests/support/setup-database.ts",
        isolate: false,
      }),
      project("http", [HTTP], {
        exclude: [...ALONE, SLOW],
        globalSetup: "tests/support/setup-http.ts",
        isolate: false,
      }),
      // Only in `npm run validate`: what waits on real time, starts commands, or looks at everything.
      project("alone", ALONE, { globalSetup: "tests/support/setup-database.ts" }),
      project("slow", [SCRIPTS, SLOW], {
        exclude: [...ALONE, UNIT],
        globalSetup: "tests/support/setup-http.ts",
        isolate: false,
      }),
    ],
  },
});
