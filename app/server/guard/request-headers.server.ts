import { IncomingMessage } from "node:http";
import { env } from "~/infra/env.server";
import { log } from "~/infra/log.server";
import { LOOPBACK } from "~/infra/loopback";

/** Removes or replaces every header that Remix would understand differently from the guard. */
export function normalizeHeaders({ headers }: IncomingMessage): void {
  warnOfProxy(headers);
  // After the guard there is only one host, ours, whatever the client calls it.
  delete headers["x-forwarded-host"];
  delete headers["x-forwarded-proto"];
  headers.host = new URL(env().appUrl).host;
  // `isForeign` has judged it.
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

/**
 * Whether another site sent the request (docs/rules/requests.md, Other sites), by headers that browsers set
 * and scripts cannot forge: `Origin`, where `null` and nonsense count as another site, or without it
 * `Sec-Fetch-Site`. A client that sends neither is no browser.
 */
export function isForeign(request: IncomingMessage): boolean {
  const { origin } = request.headers;
  if (origin !== undefined) return !ownOrigins().has(origin);
  return request.headers["sec-fetch-site"] === "cross-site";
}

let own: Set<string> | undefined;

/** The public origin; for a site on the loopback address, every name of that address. */
function ownOrigins(): Set<string> {
  if (own) return own;
  const { appUrl, local } = env();
  const { protocol, port } = new URL(appUrl);
  const aliases = local
    ? [...LOOPBACK].map((host) => new URL(`${protocol}//${host}:${port}`).origin)
    : [];
  return (own = new Set([appUrl, ...aliases]));
}
