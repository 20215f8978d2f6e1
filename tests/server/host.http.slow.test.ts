import { Agent, request } from "node:http";
import { networkInterfaces } from "node:os";
import { afterEach, describe, expect, test } from "vitest";
import { type App, mailsCookie, startApp } from "../support/app";
import { databaseUri, useDatabase } from "../support/database";

useDatabase();

const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
/** Another address of this machine, by which others in its network can reach it. */
const outer = addresses.find(({ family, internal }) => family === "IPv4" && !internal)?.address;
const hasIPv6 = addresses.some(({ address }) => address === "::1");

/** The headers that the developer's browser sends for the captured e-mails. */
const mine = () => ({ cookie: mailsCookie() });

let app: App | undefined;
afterEach(async () => {
  expect(await app?.stop()).toBe(0);
  app = undefined;
});

/** The status of a GET to that address of the app, or the error if there is none. */
function get(
  host: string,
  path = "/healthz",
  headers: Record<string, string> = {},
): Promise<number | string> {
  const { port } = new URL(app!.url);
  return new Promise((resolve) => {
    // Without an agent, Node closes the connection after each answer, as a proxy does.
    const agent = new Agent({ keepAlive: true });
    request({ host, port, path, headers, agent }, (response) => {
      response.resume();
      response.on("close", () => agent.destroy());
      resolve(response.statusCode!);
    })
      .on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      .end();
  });
}

describe("a site that only this machine can reach", () => {
  test("listens only for this machine, under each of its names", async () => {
    app = await startApp(databaseUri());
    expect(await get("127.0.0.1")).toBe(200);
    expect(await get("localhost")).toBe(200);
    if (hasIPv6) expect(await get("::1")).toBe(200);
    if (outer) expect(await get(outer)).toBe("ECONNREFUSED");
    if (!hasIPv6) return;
    await app.stop();
    app = await startApp(databaseUri(), { HOST: "::" });
    expect(await get("::1", "/dev/mail", mine())).toBe(200);
    expect(await get("127.0.0.1", "/dev/mail", mine())).toBe(200);
  });

  test("listens where HOST says, as in a container, and shows its e-mails only to this machine", async () => {
    app = await startApp(databaseUri(), { HOST: "0.0.0.0" });
    expect(await get("127.0.0.1", "/dev/mail", mine())).toBe(200);
    if (!outer) return;
    expect(await get(outer)).toBe(200);
    expect(await get(outer, "/dev/mail", mine())).toBe(404);
    expect(await get(outer, "/dev/mail", { ...mine(), host: "localhost" })).toBe(404);
  });
});

test("a site with a public name listens at all addresses, or at HOST if that is set", async () => {
  app = await startApp(databaseUri(), { APP_URL: "https://reviews.example.com" });
  expect(await get("127.0.0.1")).toBe(200);
  if (hasIPv6) expect(await get("::1")).toBe(200);
  if (outer) expect(await get(outer)).toBe(200);
  await app.stop();

  const HOST = "127.0.0.1";
  app = await startApp(databaseUri(), { APP_URL: "https://reviews.example.com", HOST });
  expect(await get("127.0.0.1")).toBe(200);
  if (outer) expect(await get(outer)).toBe("ECONNREFUSED");
});
