import type { IncomingMessage } from "node:http";
import { env } from "~/config/env.server";
import { log } from "~/lib/log.server";

/** Removes or replaces every header that Remix would understand differently from the guard. */
export function normalizeHeaders({ headers }: IncomingMessage): void {
  warnOfProxy(headers);
  // After the guard there is only one host, ours, whatever the client calls it.
  delete headers["x-forwarded-host"];
  delete headers["x-forwarded-proto"];
  headers.host = new URL(env().appUrl).host;
  // The guard has judged it (origin.server.ts).
  delete headers.origin;
  // Remix drops empty headers, and without one of these a request does more than it asked for.
  for (const name of ["idempotency-key", "if-match"]) if (headers[name] === "") headers[name] = " ";
}

let warnedOfProxy = false;

/** A proxy that TRUST_PROXY does not name makes all clients share one limit. */
function warnOfProxy(headers: IncomingMessage["headers"]): void {
  if (warnedOfProxy || env().trustProxy || !("x-forwarded-for" in headers)) return;
  warnedOfProxy = true;
  log.warn(
    "a request came with X-Forwarded-For: behind a proxy that sets it, TRUST_PROXY must be true",
  );
}
