import { ServerResponse } from "node:http";
import { env } from "../infra/env.server";
import type { RequestScope } from "../infra/request-scope.server";

let closing = false;

/** From now on every answer tells its client that the connection closes. */
export function closeConnections(): void {
  closing = true;
}

/** Headers of every answer that does not set its own: API, pages, static files, errors. */
export function defaultHeaders(response: ServerResponse, scope: RequestScope): void {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  // At the last moment, because Remix appends to a header that is already there.
  response.writeHead = (...args: unknown[]) => {
    for (const [name, value] of Object.entries(DEFAULT_HEADERS))
      if (!response.hasHeader(name) || response.getHeader(name) === EXPRESS_POLICY)
        response.setHeader(name, value);
    if (closing) response.setHeader("Connection", "close");
    if (scope.retryAfter) response.setHeader("Retry-After", scope.retryAfter);
    if (env().secure)
      response.setHeader("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
    return writeHead(...args);
  };
}

/** Of the answers that Express makes by itself; it lets other sites frame them. */
const EXPRESS_POLICY = "default-src 'none'";

const DEFAULT_HEADERS = {
  "Content-Security-Policy":
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  // Data of pages, as Remix sends it to its own scripts, depends on who is logged in.
  "Cache-Control": "private, no-store",
  "Cross-Origin-Opener-Policy": "same-origin",
  // Not `no-referrer`: browsers then send `Origin: null` with the site's own forms.
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "X-Content-Type-Options": "nosniff",
};
