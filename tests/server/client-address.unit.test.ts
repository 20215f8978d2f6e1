import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import {
  clientAddressOf,
  isFromThisMachine,
  shownNetwork,
} from "~/server/guard/client-address.server";

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
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::192.0.2.7", "192.0.2.7"],
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
    ["198.51.100.1:4711", "198.51.100.1"],
    ["[2001:db8::1]:4711", "2001:db8:0:0::/64"],
    ["198.51.100.1, unknown", "127.0.0.1"],
    ["127.1", "127.0.0.1"],
    ["198.51.100.010", "127.0.0.1"],
    ["", "127.0.0.1"],
  ])("behind a trusted proxy that says %j it is %s", (forwarded, counted) => {
    expect(clientAddressOf(request("127.0.0.1", forwarded), true)).toBe(counted);
  });

  test.each([
    ["192.0.2.7", "192.0.2.0/24"],
    ["2001:db8:1:2::/64", "2001:db8:1::/48"],
    ["0:0:0:0::/64", "::/48"],
    ["unknown", undefined],
  ])("people are shown %s as %s", (counted, shown) => {
    expect(shownNetwork(counted)).toBe(shown);
  });
});

describe("a program of this machine", () => {
  const isOurs = (remoteAddress: string | undefined, headers: Record<string, string> = {}) =>
    isFromThisMachine({
      socket: { remoteAddress },
      headers: { host: "localhost:3000", ...headers },
    } as unknown as IncomingMessage);

  test.each(["127.0.0.1", "::1", "::ffff:127.0.0.1"])("asks from %s", (address) => {
    expect(isOurs(address)).toBe(true);
  });

  test.each(["192.0.2.7", "172.17.0.1", "::", "2001:db8::1", undefined])(
    "does not ask from %s",
    (address) => {
      expect(isOurs(address)).toBe(false);
    },
  );

  test.each(["LOCALHOST:3000", "127.0.0.1:3000", "[::1]"])("calls the site %s", (host) => {
    expect(isOurs("127.0.0.1", { host })).toBe(true);
  });

  // A page of that name whose address was changed to ours (DNS rebinding).
  test.each(["rebound.example.com", "localhost.example.com:3000", "192.0.2.7:3000", ""])(
    "does not call the site %j",
    (host) => {
      expect(isOurs("127.0.0.1", { host })).toBe(false);
    },
  );

  test.each(
    "forwarded via x-forwarded-for x-forwarded-host x-forwarded-proto x-forwarded-anything x-real-ip".split(
      " ",
    ),
  )("sends no %s", (name) => {
    expect(isOurs("127.0.0.1", { [name]: "127.0.0.1" })).toBe(false);
    expect(isOurs("127.0.0.1", { [name]: "" })).toBe(false);
  });
});
