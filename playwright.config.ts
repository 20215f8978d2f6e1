import { defineConfig, devices } from "@playwright/test";
import { launchOptions } from "./scripts/lib/browsers";

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
  workers: 4,
  // Far more than a test takes: a busy machine must not look like a fault.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  // A machine under load may fail a test now and then; a test that passes at the second try is listed as flaky.
  retries: 1,
  use: {
    baseURL,
    // Smooth scrolling would move what a test is about to click.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: launchOptions(),
  },
  projects: [
    project("desktop", "Desktop Chrome", true),
    project("desktop without JavaScript", "Desktop Chrome", false),
    // Only tests marked PHONE (tests/browser/support.ts); tests marked SCRIPTS or NO_SCRIPTS skip some projects.
    project("phone", "Pixel 7", true, /@phone/),
    project("phone without JavaScript", "Pixel 7", false, /@phone/),
  ],
});
