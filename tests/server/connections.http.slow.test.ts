import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from "vitest";
import { answeringProcesses, call, imported, startApp, startSite, type App } from "../support/app";
import { until } from "../support/commands";
import { databaseUri, useDatabase } from "../support/database";
import { startDatabaseProxy } from "../support/outages";
import { makeTour } from "../support/factories";
import { chunk, exchange, head, speak } from "../support/sockets";

// No request ends a process, whatever its connection does (docs/decisions/006-guard-around-remix-serve.md). The answers of
// one connection, their order and its end are in tests/server/connections.unit.test.ts; clients that read nothing of real
// answers are in the part `connections` of the long proofs.

useDatabase();

const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});

/** Sends that over a connection of its own, and reads nothing. */
function send(to: App, text: string | Buffer): Socket {
  const socket = connect(Number(new URL(to.url).port), "localhost");
  sockets.add(socket.on("error", () => {}));
  socket.pause();
  socket.write(text);
  return socket;
}

/** Resolves when the connection has ended, properly or not. */
const closeOf = (socket: Socket) =>
  socket.closed ? undefined : new Promise((resolve) => socket.once("close", resolve));

/** Waits until the connection ends, but at most 300 ms. */
const endOf = (socket: Socket) => Promise.race([closeOf(socket.resume()), sleep(300)]);

const PAGE = head("GET", "/");
const POST = (...fields: string[]) => head("POST", "/api/reviews", ...fields);
const UPGRADE = ["Connection: Upgrade", "Upgrade: websocket"];

/** Requests of a client, and its behaviour afterwards. */
const CLIENTS: [string, string | Buffer, ((socket: Socket) => unknown)?][] = [
  ["pages one behind another", PAGE.repeat(20)],
  ["2,000 pages at once, unread", PAGE.repeat(2_000)],
  ["no Host behind a page", `${PAGE}GET / HTTP/1.1\r\n\r\n`],
  ["garbage behind a page", `${PAGE}hello\r\n\r\n`],
  ["a request behind its last one", head("GET", "/", "Connection: close") + PAGE],
  ["pages behind a body that is too large", POST("Content-Length: 70000") + PAGE.repeat(20)],
  ["20 pages, half-closed", PAGE.repeat(20), (socket) => socket.end()],
  ["a page, and is reset", PAGE, (socket) => socket.resetAndDestroy()],
  ["a part of a head", "GET / HT", (socket) => socket.end()],
  ["a part of a body, and is reset", POST("Content-Length: 9") + "{", (s) => s.resetAndDestroy()],
  ["a part of a chunk", POST("Transfer-Encoding: chunked") + "9\r\n{", (socket) => socket.end()],
  ["an upload without end", POST("Content-Length: 999999999") + "x".repeat(300_000)],
  [
    "tiny chunks",
    Buffer.concat([
      Buffer.from(POST("Transfer-Encoding: chunked")),
      ...Array.from({ length: 30_000 }, () => chunk(1)),
      Buffer.from("0\r\n\r\n"),
    ]),
  ],
  ["trailers", POST("Transfer-Encoding: chunked", "Trailer: X") + "2\r\n{}\r\n0\r\nX: y\r\n\r\n"],
  ["an expectation", POST("Expect: 100-continue", "Content-Length: 2"), (s) => s.write("{}")],
  [
    "an expectation, and is reset",
    POST("Expect: 100-continue", "Content-Length: 2"),
    (s) => s.resetAndDestroy(),
  ],
  ["an unknown expectation", POST("Expect: the best", "Content-Length: 0")],
  ["an upgrade behind a page", PAGE + head("GET", "/", ...UPGRADE) + "frames"],
  ["CONNECT behind a page", `${PAGE}CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n`],
  ["HTTP/2 behind a page", `${PAGE}PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`],
  ["TLS", Buffer.from("160301020001000001fc0303", "hex")],
  ["nothing", ""],
];

describe("a site of two processes survives a client that sends", () => {
  let app: App;
  let pids: number[];
  const processes = async () => (await answeringProcesses(app)).sort();
  beforeAll(async () => {
    app = await startSite(databaseUri());
    pids = await processes();
  });
  afterAll(async () => {
    expect(await app.stop()).toBe(0);
    // `npm start` first says, for a person to read, that it upgrades a database that has no layout number.
    const log = app.log().replace(/^Upgrading the database: .*\n/gm, "");
    for (const line of log.trim().split("\n"))
      expect(() => void JSON.parse(line), line).not.toThrow();
  });

  test.each(CLIENTS)("%s", async (_, text, then) => {
    // Enough connections that both processes get some of them.
    const clients = Array.from({ length: 4 }, () => send(app, text));
    await Promise.all(
      clients.map(async (socket) => {
        await Promise.race([once(socket, "connect"), closeOf(socket)]);
        await sleep(20);
        then?.(socket);
        await endOf(socket);
      }),
    );
    await expect.poll(async () => (await call(app, "GET", "/healthz")).status).toBe(200);
    expect(app.process.exitCode).toBeNull();
  });

  it("still has the same processes, which keep idle connections for longer than the usual proxies do", async () => {
    expect(await processes()).toEqual(pids);
    const { headers } = await call(app, "GET", "/healthz");
    expect(headers.get("keep-alive")).toBe("timeout=920");
    const lines = app.log().split("\n");
    expect(lines.filter((line) => /"level":60|process has ended/.test(line))).toEqual([]);
  });
});

test("pages that wait behind another one are not begun while the database does not answer, and the process lives on", async () => {
  const proxy = await startDatabaseProxy(databaseUri());
  const app = await startApp(proxy.uri);
  const { slug } = await makeTour();
  proxy.hang();
  const page = head("GET", `/tours/${slug}`);
  const answers = await Promise.all([2, 20, 100].map((count) => exchange(app, page.repeat(count))));
  for (const { status, headers } of answers) {
    expect([500, 503]).toContain(status);
    // The request behind it was not begun, and the client is told so.
    if (status === 503) expect(headers.get("connection")).toBe("close");
  }
  await Promise.all(Array.from({ length: 20 }, () => endOf(send(app, page.repeat(1_000)))));
  await sleep(3_000);
  expect((await call(app, "GET", "/healthz")).status).toBe(503);
  expect(app.log()).not.toMatch(/"level":60/);
  await proxy.restore();
  expect(await app.stop()).toBe(0);
  await proxy.close();
});

describe("settings of connections", () => {
  it("KEEP_ALIVE_SECONDS ends idle connections, and only those", async () => {
    const app = await startApp(databaseUri(), { KEEP_ALIVE_SECONDS: "1" });
    const { socket, answer } = speak(app, head("GET", "/healthz"));
    expect((await answer).headers.get("keep-alive")).toBe("timeout=1");
    await once(socket, "close");
    await app.stop();
  });

  it("MAX_CONNECTIONS is kept for all addresses together; idle connections make room, and do not delay the end", async () => {
    const app = await startApp(databaseUri(), { MAX_CONNECTIONS: "5" });
    const port = Number(new URL(app.url).port);
    const many = Array.from({ length: 30 }, (_, index) => {
      const socket = connect(port, index % 2 ? "127.0.0.1" : "::1").on("error", () => {});
      sockets.add(socket.resume());
      return socket;
    });
    await until(() => many.filter(({ destroyed }) => !destroyed).length <= 5);
    const { socket, answer } = speak(app, head("GET", "/healthz"));
    expect((await answer).status).toBe(200);
    const closed = once(socket, "close");
    expect(await app.stop()).toBe(0);
    await closed;
  });
});

describe("a failure of our own", () => {
  it("in the guard is answered with 500, says nothing about its cause, and ends nothing", async () => {
    const app = await startApp(
      databaseUri(),
      imported(`
        const { URL } = globalThis;
        globalThis.URL = class extends URL {
          constructor(url, base) {
            if (String(url).includes("/break-it")) throw new Error("a secret cause");
            super(url, base);
          }
        };`),
    );
    for (const path of ["/break-it", "/api/break-it"]) {
      const { status, json, text } = await call(app, "GET", path);
      expect([status, json]).toEqual([500, { error: "The request failed" }]);
      expect(text).not.toContain("secret");
    }
    expect((await call(app, "GET", "/healthz")).status).toBe(200);
    await until(() => app.log().includes("a secret cause"));
    expect(await app.stop()).toBe(0);
  });

  it("that nothing catches is logged before the process ends", async () => {
    const app = await startApp(
      databaseUri(),
      imported(`process.on("SIGUSR2", () => { throw new Error("nobody caught this"); });`),
    );
    const exited = once(app.process, "exit");
    app.process.kill("SIGUSR2");
    expect((await exited)[0]).toBe(1);
    const line = app.log().trim().split("\n").at(-1)!;
    expect(JSON.parse(line)).toMatchObject({ level: 60, err: { message: "nobody caught this" } });
  });
});
