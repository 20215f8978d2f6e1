import type { IncomingMessage } from "node:http";
import { env } from "~/config/env.server";
import { LOOPBACK } from "~/config/loopback";

/**
 * Whether another site sent the request (docs/rules/requests.md, Other sites), by headers that browsers set
 * and scripts cannot forge: `Origin`, where `null` and nonsense count as another site, or without it
 * `Sec-Fetch-Site`. A client that sends neither is no browser.
 */
export function isForeignOrigin(request: IncomingMessage): boolean {
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
