import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { clientAddressOf, shownNetwork } from "~/http/client-address.server";

describe("the address of a client", () => {
  const request = (remoteAddress: string | undefined, forwarded?: string) =>
    ({
      socket: { remoteAddress },
      headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
    }) as unknown as IncomingMessage;

  test.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["::1", "0:0:0:0::/64"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:db8::", "2001:db8:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["fe80::1%eth0.1", "fe80:0:0:0::/64"],
    ["::192.0.2.7", "192.0.2.7"],
    ["::ffff:c000:207", "192.0.2.7"],
    ["64:ff9b::192.0.2.7", "64:ff9b:0:0::/64"],
    [undefined, "unknown"],
  ])("%s is counted as %s", (address, counted) => {
    expect(clientAddressOf(request(address), false)).toBe(counted);
    expect(clientAddressOf(request(address), true)).toBe(counted);
    expect(clientAddressOf(request(address, "198.51.100.1"), false)).toBe(counted);
  });

  test.each([
    ["198.51.100.1", "198.51.100.1"],
    ["6.6.6.6, 198.51.100.1", "198.51.100.1"],
    ["6.6.6.6,2001:db8::1", "2001:db8:0:0::/64"],
    ["198.51.100.1:4711", "198.51.100.1"],
    ["[2001:db8::1]:4711", "2001:db8:0:0::/64"],
    ["[2001:db8::1]", "2001:db8:0:0::/64"],
    ["[::ffff:198.51.100.1]:4711", "198.51.100.1"],
    ["198.51.100.1, unknown", "127.0.0.1"],
    ["127.1", "127.0.0.1"],
    ["0x7f000002", "127.0.0.1"],
    ["198.51.100.010", "127.0.0.1"],
    ["2001:db8::1::", "127.0.0.1"],
    ["2001:db8::1, ", "127.0.0.1"],
    ["", "127.0.0.1"],
  ])("behind a trusted proxy that says %j it is %s", (forwarded, counted) => {
    expect(clientAddressOf(request("127.0.0.1", forwarded), true)).toBe(counted);
  });

  test.each([
    ["192.0.2.7", "192.0.2.0/24"],
    ["2001:db8:1:2::/64", "2001:db8:1::/48"],
    ["2001:db8:0:0::/64", "2001:db8::/48"],
    ["0:0:0:0::/64", "::/48"],
    ["unknown", undefined],
  ])("people are shown %s as %s", (counted, shown) => {
    expect(shownNetwork(counted)).toBe(shown);
  });
});
