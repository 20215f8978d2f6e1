import { defineConfig, devices } from "@playwright/test";
import { launchOptions } from "./scripts/lib/chromium";

const { APP_URL: baseURL, MONGODB_URI } = process.env;
if (!baseURL || !MONGODB_URI) throw new Error("Run the browser tests with npm test");

const project = (name: string, device: string, javaScriptEnabled: boolean, grep?: RegExp) => ({
  name,
  grep,
  grepInvert: javaScriptEnabled ? /@no-scripts/ : /@scripts/,
  use: { ...devices[device], javaScriptEnabled },
});

export default defineConfig({
  testDir: "tests/browser",
  outputDir: "test-results",
  workers: 2,
  // Far more than a test takes: a busy machine must not look like a fault.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  // Machines under load stumble now and then; what needed a second try is listed as flaky.
  retries: 1,
  use: {
    baseURL,
    // Smooth scrolling moves what a test is about to click.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: launchOptions(),
  },
  projects: [
    project("desktop", "Desktop Chrome", true),
    project("desktop without JavaScript", "Desktop Chrome", false),
    // What is marked with PHONE of tests/browser/support.ts; SCRIPTS and NO_SCRIPTS leave out projects.
    project("phone", "Pixel 7", true, /@phone/),
    project("phone without JavaScript", "Pixel 7", false, /@phone/),
  ],
});
