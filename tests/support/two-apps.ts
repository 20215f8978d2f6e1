import { afterAll, beforeAll } from "vitest";
import { startApp, type App } from "./app";
import { databaseUri } from "./database";

/** Serves this file's database by two processes; gives them in turn, so that requests alternate. */
export function useTwoApps(): () => App {
  let apps: App[];
  let turn = 0;
  beforeAll(async () => {
    apps = await Promise.all([startApp(databaseUri()), startApp(databaseUri())]);
  });
  afterAll(() => Promise.all(apps.map((app) => app.stop())));
  return () => apps[turn++ % apps.length]!;
}
