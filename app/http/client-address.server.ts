import type { IncomingMessage } from "node:http";
import { isIPv4, isIPv6 } from "node:net";

/**
 * What limits know a client by: its IPv4 address, or the /64 of its IPv6 address, which one customer
 * has to itself. That is the connection's address; behind a proxy that is trusted, the last one of
 * `X-Forwarded-For`, which the proxy has put there. Those before it are whatever the client sent.
 */
export function clientAddressOf(request: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy && request.headers["x-forwarded-for"];
  const last = forwarded ? String(forwarded).split(",").at(-1)! : "";
  return networkOf(last) ?? networkOf(request.socket.remoteAddress ?? "") ?? "unknown";
}

/** The address, or the network of an IPv6 address; null when it is none. Some proxies add a port. */
function networkOf(text: string): string | null {
  const address = text
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, "$1")
    .replace(/^([\d.]+):\d+$/, "$1")
    .replace(/%.*$/, "");
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return null;
  // As URL writes it: hexadecimal groups in lower case, `::` for the zeros.
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const [before, after] = [head, tail ?? ""].map((part) => part.split(":").filter(Boolean));
  const zeros = Array.from({ length: 8 - before!.length - after!.length }, () => "0");
  const groups = [...before!, ...zeros, ...after!];
  const isMapped = groups.slice(0, 6).join(":") === "0:0:0:0:0:ffff";
  if (!isMapped) return `${groups.slice(0, 4).join(":")}::/64`;
  const bytes = groups.slice(6).flatMap((group) => {
    const value = parseInt(group, 16);
    return [value >> 8, value & 255];
  });
  return bytes.join(".");
}
