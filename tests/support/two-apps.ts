import { afterAll, beforeAll } from "vitest";
import { startApp, type App } from "./app";
import { databaseUri } from "./database";
import { app, useApp } from "./shared-app";

/** Serves this file's database by two processes; returns them in turn, so that requests alternate. */
export function useTwoApps(): () => Pick<App, "url"> {
  useApp();
  let second: App;
  let turn = 0;
  beforeAll(async () => {
    second = await startApp(databaseUri());
  });
  afterAll(() => second.stop());
  return () => [app, second][turn++ % 2]!;
}
