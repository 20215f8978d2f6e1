import { readFileSync } from "node:fs";
import { inject } from "vitest";
import { call, type Answer, type App } from "./app";
import { useSharedDatabase } from "./database";
import type { SharedApp } from "./setup-http";

const apps = inject("apps") as SharedApp[] | undefined;
if (!apps) throw new Error("Only tests of tests/http have a served app");
const shared = apps[Number(process.env.VITEST_POOL_ID) - 1]!;

/** The app that the test files of this worker share, one after another. */
export const app: Pick<App, "url" | "log"> = {
  url: shared.url,
  log: () => readFileSync(shared.logFile, "utf8"),
};

/**
 * Gives this file's tests that app and its database, emptied before each test or only once. A file starts an app of
 * its own if its tests stop an app or fill what it keeps in memory.
 */
export function useApp({ emptied = "each" }: { emptied?: "each" | "once" } = {}): void {
  useSharedDatabase(shared.database, emptied);
}

/** A page, as the cookie's owner sees it. */
export const get = (path: string, cookie?: string): Promise<Answer> =>
  call(app, "GET", path, { cookie });

/** Sends a form, as a browser does. */
export const post = (
  path: string,
  fields: Record<string, string>,
  cookie?: string,
): Promise<Answer> => call(app, "POST", path, { cookie, raw: new URLSearchParams(fields) });
