import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { ActionFunction } from "@remix-run/node";

// The routes as Remix lists them, so that tests of every route also cover those that are added tomorrow.

interface Entry {
  id: string;
  path?: string;
  file: string;
  children?: Entry[];
}

export interface Route {
  id: string;
  pattern: string;
  file: string;
}

const remix = createRequire(import.meta.url).resolve("@remix-run/dev/dist/cli.js");
// Requested once: processes that this one starts, such as Vitest's workers, find the list in their environment.
process.env.REMIX_ROUTES ??= execFileSync(process.execPath, [remix, "routes", "--json"], {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "ignore"],
});
const manifest = JSON.parse(process.env.REMIX_ROUTES) as Entry[];

function routes({ id, path = "", file, children = [] }: Entry, parent = ""): Route[] {
  const here = [parent, path].filter(Boolean).join("/");
  const route = {
    id,
    pattern: `/${here}`,
    file: fileURLToPath(new URL(`../../app/${file}`, import.meta.url)),
  };
  return [route, ...children.flatMap((child) => routes(child, here))];
}

/** Every route, the root included. */
export const ROUTES = manifest
  .flatMap((route) => routes(route))
  .sort((a, b) => (a.pattern < b.pattern ? -1 : 1));

/** Whether the pattern or path is answered with JSON, including errors. */
export const isApi = (pattern: string) => /^\/(api\/|(healthz|livez)$)/.test(pattern);

export const PATTERNS = [...new Set(ROUTES.map(({ pattern }) => pattern))];

interface RouteModule {
  action?: ActionFunction;
  /** The `intent` values that tell apart the forms of a page. */
  INTENTS?: readonly string[];
}

/** The names of `intent` that the routes' modules check: one without a row in its table is new. */
export async function findChanges(): Promise<string[]> {
  const names = ROUTES.map(async ({ pattern, file }) => {
    const { action, INTENTS } = (await import(/* @vite-ignore */ file)) as RouteModule;
    if (!action) return [];
    if (isApi(pattern)) return (await methodsOf(action)).map((method) => `${method} ${pattern}`);
    if (INTENTS) return INTENTS.map((intent) => `POST ${pattern} ${intent}`);
    if ((await readFile(file, "utf8")).includes('"intent"'))
      throw new Error(`${file} reads an intent and has to export INTENTS`);
    return [`POST ${pattern}`];
  });
  return (await Promise.all(names)).flat().sort();
}

/** The writing methods that a resource route allows, from its answer to another method. */
async function methodsOf(action: ActionFunction): Promise<string[]> {
  const request = new Request("http://localhost/", { method: "OPTIONS" });
  const { headers } = (await action({ request, params: {}, context: {} })) as Response;
  const allowed = headers.get("Allow")?.split(", ") ?? [];
  return allowed.filter((method) => !["GET", "HEAD"].includes(method));
}
