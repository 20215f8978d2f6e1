import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import {
  readClientAddress,
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
    ["::ffff:c000:207", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    [undefined, "unknown"],
  ])("%s is counted as %s", (address, counted) => {
    expect(readClientAddress(request(address), false)).toBe(counted);
    expect(readClientAddress(request(address, "198.51.100.1"), false)).toBe(counted);
  });

  test.each([
    ["198.51.100.1", "198.51.100.1"],
    ["6.6.6.6, 198.51.100.1", "198.51.100.1"],
    ["[2001:db8::1]:4711", "2001:db8:0:0::/64"],
    ["198.51.100.1, unknown", "127.0.0.1"],
    ["198.51.100.010", "127.0.0.1"],
  ])("behind a trusted proxy that says %j it is %s", (forwarded, counted) => {
    expect(readClientAddress(request("127.0.0.1", forwarded), true)).toBe(counted);
  });

  test.each([
    ["192.0.2.7", "192.0.2.0/24"],
    ["2001:db8:1:2::/64", "2001:db8:1::/48"],
    ["0:0:0:0::/64", "::/48"],
  ])("people are shown %s as %s", (counted, shown) => {
    expect(shownNetwork(counted)).toBe(shown);
  });
});

describe("a program of this machine", () => {
  const isOurs = (
    remoteAddress: string | undefined,
    headers: Record<string, string> = {},
    { httpVersion = "1.1", local = true, trustProxy = false } = {},
  ) =>
    isFromThisMachine(
      {
        socket: { remoteAddress },
        headers: { host: "localhost:3000", ...headers },
        httpVersion,
      } as unknown as IncomingMessage,
      { local, trustProxy },
    );

  test("asks from this machine, by one of its names", () => {
    for (const address of ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
      expect([address, isOurs(address)]).toEqual([address, true]);
    for (const address of ["192.0.2.7", "172.17.0.1", "::", undefined])
      expect([address, isOurs(address)]).toEqual([address, false]);
    for (const host of ["LOCALHOST:3000", "127.0.0.1:3000", "[::1]"])
      expect([host, isOurs("127.0.0.1", { host })]).toEqual([host, true]);
  });

  // A page of that name whose address was changed to ours (DNS rebinding).
  test.each(["rebound.example.com", "localhost.example.com:3000", ""])(
    "does not call the site %j",
    (host) => {
      expect(isOurs("127.0.0.1", { host })).toBe(false);
    },
  );

  test.each(["forwarded", "via", "x-forwarded-for", "x-forwarded-anything", "x-real-ip"])(
    "sends no %s",
    (name) => {
      expect(isOurs("127.0.0.1", { [name]: "127.0.0.1" })).toBe(false);
      expect(isOurs("127.0.0.1", { [name]: "" })).toBe(false);
    },
  );

  test("does not ask as nginx passes requests on by default", () => {
    const host = "127.0.0.1:3000";
    expect(isOurs("127.0.0.1", { host, connection: "close" }, { httpVersion: "1.0" })).toBe(false);
    expect(isOurs("127.0.0.1", { host, connection: "Close" })).toBe(false);
    expect(isOurs("127.0.0.1", { host }, { httpVersion: "1.0" })).toBe(false);
    expect(isOurs("127.0.0.1", { host, connection: "keep-alive" })).toBe(true);
  });

  test("is believed by a site that others reach only where a proxy names its clients", () => {
    const site = { local: false, trustProxy: false };
    expect(isOurs("127.0.0.1", {}, site)).toBe(false);
    expect(isOurs("127.0.0.1", {}, { ...site, trustProxy: true })).toBe(true);
    const forwarded = { "x-forwarded-for": "192.0.2.7" };
    expect(isOurs("127.0.0.1", forwarded, { ...site, trustProxy: true })).toBe(false);
  });
});
