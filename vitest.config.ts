import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "~": fileURLToPath(new URL("app", import.meta.url)) } },
  test: {
    include: ["tests/**/*.test.{ts,tsx}"],
    globalSetup: "tests/support/global-setup.ts",
    setupFiles: "tests/support/setup.ts",
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two browsers' worth of servers run beside the tests.
    maxWorkers: 2,
  },
});
