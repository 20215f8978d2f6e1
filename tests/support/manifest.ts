import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

// The routes as Remix lists them, so that what tests hold every route to holds for one that is added
// tomorrow.

interface Entry {
  id: string;
  path?: string;
  file: string;
  children?: Entry[];
}

export interface Route {
  /** Remix' own name, such as `routes/tours.$slug`. */
  id: string;
  /** Such as `/tours/:slug`. */
  pattern: string;
  /** The absolute path of its module. */
  file: string;
}

const remix = createRequire(import.meta.url).resolve("@remix-run/dev/dist/cli.js");
// Asked for once: what this process starts, such as Vitest's workers, finds it in its environment.
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

/** Every pattern once. */
export const PATTERNS = [...new Set(ROUTES.map(({ pattern }) => pattern))];

/** Whether the pattern or path is answered in JSON, errors included. */
export const isApi = (pattern: string) => /^\/(api(\/|$)|healthz$)/.test(pattern);
