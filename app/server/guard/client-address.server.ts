import type { IncomingMessage } from "node:http";
import { isIP, isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import type { Env } from "~/config/env.server";
import { ipv6Site } from "~/lib/networks.server";

/**
 * How limits identify a client: by its IPv4 address, or the /64 network of its IPv6 address; "unknown" without either.
 * Behind a trusted proxy by the last address of `X-Forwarded-For`: those before it are whatever the client sent
 * (docs/rules/requests.md, Limits).
 */
export function readClientAddress(request: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy && request.headers["x-forwarded-for"];
  const last = forwarded ? (String(forwarded).split(",").at(-1) ?? "") : "";
  return readNetwork(last) ?? readNetwork(request.socket.remoteAddress ?? "") ?? "unknown";
}

/** A trusted proxy's own `X-Request-Id`, if it is short and harmless in a log. */
export function readProxyRequestId(
  { headers }: Pick<IncomingMessage, "headers">,
  trustProxy: boolean,
): string | undefined {
  const id = headers["x-request-id"];
  return trustProxy && typeof id === "string" && /^[\w.:-]{1,64}$/.test(id) ? id : undefined;
}

/**
 * Whether a program of this machine sent the request to the loopback address, and for itself: a proxy names its client,
 * and a browser that came by another site's name (DNS rebinding) sends that name. nginx does neither by default: it
 * speaks HTTP/1.0 then, or closes the connection. Nothing shows that of a later one, so that a site that others reach
 * believes it only with a `TRUST_PROXY`, which names its clients.
 */
export function isFromThisMachine(
  { socket, headers, httpVersion }: IncomingMessage,
  { local, trustProxy }: Pick<Env, "local" | "trustProxy">,
): boolean {
  const isPassedOn =
    Object.keys(headers).some((name) => /^(forwarded$|via$|x-(forwarded|real))/.test(name)) ||
    httpVersion === "1.0" ||
    /\bclose\b/i.test(headers.connection ?? "");
  if (isPassedOn || !(local || trustProxy)) return false;
  return isLoopback(socket.remoteAddress) && hasLoopbackName(headers.host);
}

function isLoopback(address = ""): boolean {
  return isIP(address) > 0 && ipaddr.process(withoutZone(address)).range() === "loopback";
}

const withoutZone = (address: string) => address.replace(/%.*/s, "");

function hasLoopbackName(host = ""): boolean {
  const name = host.replace(/:\d{0,5}$/, "").replace(/^\[(.*)\]$/, "$1");
  return name.toLowerCase() === "localhost" || isLoopback(name);
}

/** The network of an address, which may have a port or a zone; null for any other text. */
function readNetwork(text: string): string | null {
  const address = withoutZone(
    text
      .trim()
      .replace(/^\[(.*)\](:\d+)?$/, "$1")
      .replace(/^([\d.]+):\d+$/, "$1")
      .replace(/^::ffff:(?=\d+\.)/i, ""),
  );
  // Most clients, without the library, which takes longer.
  if (isIPv4(address)) return address;
  // The library also reads short and octal forms, which are no address to anyone else.
  if (!isIP(address)) return null;
  // An IPv4 address that is mapped into IPv6 becomes itself again.
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return `${parsed.toNormalizedString().split(":").slice(0, 4).join(":")}::/64`;
}

/** The /24 of an IPv4 address, the /48 of an IPv6 one: enough to recognise a place, and no more. */
export function shownNetwork(clientAddress: string): string | undefined {
  if (!isIPv4(clientAddress)) return ipv6Site(clientAddress) ?? undefined;
  return `${clientAddress.slice(0, clientAddress.lastIndexOf("."))}.0/24`;
}
