import { existsSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { accepts } from "~/server/api.server";

// The scripts, styles and fonts of the build, whose names change with their content.

/** In UTF-8: scripts of pages always are, and styles in the encoding of their page. */
const TYPES: Record<string, string> = {
  js: "text/javascript",
  css: "text/css",
};

const COMPRESSED = /^\/build\/(?!.*\.\.)[\w$./-]+\.(js|css)$/;

export const isBuilt = (path: string) => path.startsWith("/build/");

/**
 * Leads to the file that the build has compressed as far as it goes (scripts/lib/build.ts): remix-serve would compress
 * it less, and anew for each request.
 */
export function takeCompressed(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): void {
  const type = TYPES[COMPRESSED.exec(path)?.[1] ?? ""];
  if (!type || !accepts(request, "br") || !existsSync(`public${path}.br`)) return;
  request.url = `${path}.br`;
  response.setHeader("Content-Type", type);
  response.setHeader("Content-Encoding", "br");
}
