import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const project = (name: string, include: string, globalSetup?: string) => ({
  extends: true as const,
  test: { name, include: [include], globalSetup },
});

export default defineConfig({
  resolve: { alias: { "~": fileURLToPath(new URL("app", import.meta.url)) } },
  test: {
    setupFiles: "tests/support/setup.ts",
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two browsers' worth of servers run beside the tests.
    maxWorkers: 2,
    // By what they need; a test that asks for more than its project has is told so.
    projects: [
      project("unit", "tests/unit/**/*.test.{ts,tsx}"),
      project("services", "tests/services/**/*.test.ts", "tests/support/setup-database.ts"),
      project("http", "tests/{http,scripts}/**/*.test.ts", "tests/support/setup-http.ts"),
    ],
  },
});
