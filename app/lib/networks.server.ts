import ipaddr from "ipaddr.js";

/**
 * Returns the network of an IPv6 address, such as "2001:db8:1::/48"; null for an IPv4 address, and where the address is
 * not known.
 */
export function findIpv6Network(clientAddress: string, bits: number): string | null {
  const [address = ""] = clientAddress.split("/");
  if (!ipaddr.IPv6.isValid(address)) return null;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`).toString()}/${bits}`;
}

/** The /48 that a client's IPv6 network is in: one customer may have all of it (RFC 6177). */
export const ipv6Site = (clientAddress: string) => findIpv6Network(clientAddress, 48);
