import { expect, test } from "vitest";
import { findIpv6Network, ipv6Site } from "~/lib/networks.server";

test.each([
  ["2001:db8:1:2f00::/64", "2001:db8:1:2000::/52", "2001:db8:1::/48"],
  ["2001:db8:0:0::/64", "2001:db8::/52", "2001:db8::/48"],
  ["0:0:0:0::/64", "::/52", "::/48"],
])("%s is in %s and in %s", (counted, wider, site) => {
  expect(findIpv6Network(counted, 52)).toBe(wider);
  expect(ipv6Site(counted)).toBe(site);
});

test.each(["192.0.2.7", "unknown", ""])("%s is in no network of IPv6", (counted) => {
  expect(ipv6Site(counted)).toBeNull();
});
