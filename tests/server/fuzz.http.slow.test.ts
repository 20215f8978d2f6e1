import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type App } from "../support/app";
import { databaseUri, useDatabase } from "../support/database";
import { fuzz } from "../support/fuzz";

useDatabase();
let app: App;
beforeAll(async () => {
  app = await startApp(databaseUri());
});
afterAll(() => app.stop());

test.each([1, 2])(
  "250 requests that no client of ours sends are answered as documented (seed %i)",
  async (seed) => {
    const { requests, statuses, faults } = await fuzz(app, seed, 250);
    expect(faults.join("\n\n")).toBe("");
    expect(requests).toBe(250);
    // Most of them are understood, so that they reach what is behind the guard.
    for (const status of [200, 400, 404, 405])
      expect(Object.keys(statuses)).toContain(String(status));
  },
);
