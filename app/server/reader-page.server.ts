import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { EntryContext } from "@remix-run/node";
import type { PageScript } from "~/ui/browser/page-request";

// Pages that are sent without React: docs/decisions/007-pages-without-javascript.md

/** The compiled app/entry.reader.ts, which stands beside the server's code; the development server makes none. */
const file = fileURLToPath(new URL("reader.js", import.meta.url));

/** Pages that a reader's browser may fetch once a link to them is pointed at: none of them does anything. */
const PREFETCHED = ["/", "/?*", "/tours/*", "/guides/*", "/reviews/*", "/about/*"];

const RULES = JSON.stringify({
  prefetch: [{ where: { href_matches: PREFETCHED }, eagerness: "moderate" }],
});

const SCRIPTS: PageScript[] | null = existsSync(file)
  ? [
      { type: "speculationrules", text: RULES },
      { type: "module", text: readFileSync(file, "utf8") },
    ]
  : null;

/**
 * The scripts of a page that needs no React: its route says so (`handle = { hydrate: false }`), nobody is logged in, and
 * no message is to be dismissed. Null for all other pages.
 */
export function readerScripts({ staticHandlerContext }: EntryContext): PageScript[] | null {
  const { errors, loaderData, matches } = staticHandlerContext;
  const root = loaderData.root as { user: unknown; notice: unknown } | undefined;
  const handle = matches.at(-1)?.route.handle as { hydrate?: boolean } | undefined;
  const isPlain = handle?.hydrate === false && !errors && root && !root.user && !root.notice;
  return isPlain ? SCRIPTS : null;
}
