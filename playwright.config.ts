import { defineConfig, devices } from "@playwright/test";
import { launchOptions } from "./scripts/lib/browsers";

const { APP_URL: baseURL, MONGODB_URI } = process.env;
if (!baseURL || !MONGODB_URI) throw new Error("Run the browser tests with npm test");

/** The journeys that `npm test` walks through; the rest is for `npm run validate`. */
const JOURNEYS = /(accounts|questions|replies|reviews|single-sign-on|unsent)\.spec\.ts$/;

const project = (name: string, device: string, javaScriptEnabled: boolean, which: object) => ({
  name,
  use: { ...devices[device], javaScriptEnabled },
  ...which,
});

const NO_SCRIPTS = /@no-scripts/;

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
    // The marks are explained in tests/browser/support.ts.
    // In a browser that has only what is promised (docs/rules/pages.md, Browsers); the other specs have all of Chrome.
    project("journeys", "Desktop Chrome", true, {
      testMatch: JOURNEYS,
      grepInvert: NO_SCRIPTS,
      metadata: { oldest: true },
    }),
    project("forms", "Desktop Chrome", false, { grep: /@forms/ }),
    project("desktop", "Desktop Chrome", true, { testIgnore: JOURNEYS, grepInvert: NO_SCRIPTS }),
    project("without JavaScript", "Desktop Chrome", false, { grep: /@no-scripts|@either/ }),
    project("phone", "Pixel 7", true, { grep: /@phone/ }),
  ],
});
