import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, expect, onTestFinished, test } from "vitest";
import { parseEnv } from "~/infra/env.server";
import { checkPort, freePort } from "../../../scripts/lib/ports";

const hasIPv6 = Object.values(networkInterfaces())
  .flat()
  .some((one) => one?.address === "::1");

/** Listens there until the end of the test; gives the port. */
async function listen(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const settings = (port: number, HOST = "") => parseEnv({ PORT: String(port), HOST });

describe("checkPort", () => {
  test("accepts a free port", async () => {
    for (const host of ["", "localhost", "127.0.0.1", "0.0.0.0"])
      await checkPort(settings(await freePort(), host));
    const everywhere = parseEnv({ PORT: String(await freePort()), APP_URL: "https://example.com" });
    await checkPort(everywhere);
  });

  test.each(["127.0.0.1", "0.0.0.0"])("says that a port is in use at %s", async (host) => {
    const port = await listen(host);
    const inUse = `PORT ${port} is in use by another program`;
    await expect(checkPort(settings(port))).rejects.toThrow(inUse);
    await expect(checkPort(settings(port, "0.0.0.0"))).rejects.toThrow(inUse);
  });

  // `localhost` would lead a browser to that other program.
  test.runIf(hasIPv6)("says that a port is in use at the other loopback address", async () => {
    const port = await listen("::1");
    await expect(checkPort(settings(port))).rejects.toThrow(`PORT ${port} is in use`);
    await checkPort(settings(port, "127.0.0.1"));
  });

  test.each(["192.0.2.1", "nowhere.invalid"])(
    "names a HOST that is not this machine's: %s",
    async (host) => {
      const port = await freePort();
      await expect(checkPort(settings(port, host))).rejects.toThrow(
        `HOST ${host} is no address of this machine: `,
      );
    },
  );
});

test("a free port is not one that the system gives to others meanwhile", async () => {
  // Linux gives ports from 32768 by default, other systems from 49152.
  const ports = await Promise.all(Array.from({ length: 20 }, freePort));
  expect(Math.max(...ports)).toBeLessThan(32_768);
});
