import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { boundConnections } from "~/server/guard/connections.server";
import { head } from "../support/sockets";

/** Waits for it far longer than it takes: a busy machine must not look like a fault. */
const reached = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 60_000 });

// Each test is the client and the server. `begun` is what the server has begun to answer, and not more.

interface Begun {
  request: IncomingMessage;
  response: ServerResponse;
}

const MOST = 3;
let server: Server;
let begun: Begun[];
let clients: Client[];
/** The server's ends of the connections, in the order in which they came. */
let ends: Socket[];

/** A connection of a client, and all that it has read. */
interface Client {
  socket: Socket;
  read: () => string;
  closed: Promise<unknown>;
}

beforeEach(async () => {
  [begun, clients, ends] = [[], [], []];
  server = createServer((request, response) =>
    inTurn(request, response, () => begun.push({ request, response })),
  );
  const inTurn = boundConnections(server, MOST);
  server.on("connection", (socket: Socket) => ends.push(socket));
  await once(server.listen(0, "127.0.0.1"), "listening");
});

async function open(text = ""): Promise<Client> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const closed = new Promise((resolve) => socket.once("close", resolve));
  let received = "";
  socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
  socket.on("error", () => {});
  const client = { socket, read: () => received, closed };
  clients.push(client);
  const count = ends.length;
  await once(socket, "connect");
  await reached(() => ends.length > count);
  socket.write(text);
  return client;
}

/** The same, until the first request is begun. */
async function begin(text: string): Promise<Client> {
  const count = begun.length;
  const client = await open(text);
  await reached(() => begun.length > count);
  return client;
}

/** Asks and is answered, so that the connection is idle afterwards. */
async function exchange(client: Client): Promise<void> {
  const count = begun.length;
  client.socket.write(head("GET", "/"));
  await reached(() => begun.length > count);
  begun.at(-1)!.response.end("an answer");
  await reached(() => client.read().endsWith("an answer"));
}

/** Lets all happen that is on its way between the two ends. */
async function settle(): Promise<void> {
  for (let times = 0; times < 50; times++) await turn();
}

afterEach(async () => {
  for (const { socket } of clients) socket.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const paths = () => begun.map(({ request }) => request.url);

describe("requests of one connection", () => {
  test("are begun one after another, each when the answer before it is sent", async () => {
    const asked = Array.from({ length: 20 }, (_, index) => `/${index}`);
    const { socket, read } = await open(asked.map((path) => head("GET", path)).join(""));
    for (const [index, path] of asked.entries()) {
      await reached(() => begun.length > index);
      await settle();
      expect(paths()).toEqual(asked.slice(0, index + 1));
      begun[index]!.response.end(`(answer to ${path})`);
    }
    await reached(() => read().endsWith("(answer to /19)"));
    expect(read().match(/\(answer to \/\d+\)/g)).toEqual(
      asked.map((path) => `(answer to ${path})`),
    );
    // The connection goes on as any other.
    socket.write(head("GET", "/next"));
    await reached(() => paths().includes("/next"));
  });

  test("are read to their end, also where one has a body and others stand before it", async () => {
    const client = await begin(
      head("GET", "/first") + head("POST", "/b", "Content-Length: 200000"),
    );
    client.socket.write("x".repeat(200_000) + head("GET", "/last"));
    begun[0]!.response.end();
    await reached(() => begun.length === 2);
    let size = 0;
    for await (const chunk of begun[1]!.request) size += (chunk as Buffer).length;
    expect(size).toBe(200_000);
    begun[1]!.response.end();
    await reached(() => paths().includes("/last"));
  });

  test("are not begun behind an answer with which the connection ends", async () => {
    const { closed } = await begin(head("POST", "/first") + head("POST", "/second"));
    begun[0]!.response.setHeader("Connection", "close");
    begun[0]!.response.end();
    await closed;
    await settle();
    expect(paths()).toEqual(["/first"]);
  });

  test("are not begun for a client that is gone", async () => {
    const { socket } = await begin(head("POST", "/first") + head("POST", "/second"));
    socket.destroy();
    begun[0]!.response.end("x".repeat(10_000_000));
    await reached(() => ends[0]!.closed);
    await settle();
    expect(paths()).toEqual(["/first"]);
  });

  test("may wait, up to 100 of them: whoever sends more ahead is closed", async () => {
    const many = await begin(head("GET", "/").repeat(101));
    await settle();
    expect(ends[0]!.destroyed).toBe(false);
    many.socket.destroy();

    const { closed } = await open(head("GET", "/more").repeat(2_000));
    await closed;
    await settle();
    expect(paths()).toEqual(["/", "/more"]);
  });
});

describe("past the bound of connections", () => {
  test("the one that is idle for longest makes room, and none that is answered", async () => {
    const [busy, first, second] = [await open(head("GET", "/busy")), await open(), await open()];
    await reached(() => begun.length === 1);
    // It was opened later, and is idle for longer.
    await exchange(second);
    await exchange(first);
    await exchange(await open());
    await second.closed;
    await exchange(await open());
    await first.closed;
    expect(busy.socket.destroyed).toBe(false);
    expect(clients.map(({ read }) => read()).join()).not.toContain("503");
    begun[0]!.response.end("kept");
    await reached(() => busy.read().endsWith("kept"));
  });

  test.each([
    ["nothing", ""],
    ["a part of a request's body", head("POST", "/slow", "Content-Length: 10") + "12345"],
  ])("those make room that have sent %s", async (_, text) => {
    for (let count = 0; count < MOST; count++) await open(text);
    await settle();
    await exchange(await open());
    await clients[0]!.closed;
    expect(clients.map(({ socket }) => socket.destroyed)).toEqual([true, false, false, false]);
  });

  test("a new one is told to come again while all others are answered, with none of its request begun", async () => {
    for (let count = 0; count < MOST; count++) await begin(head("GET", "/busy"));
    const { read, closed } = await open(head("POST", "/refused", "Content-Length: 5"));
    await closed;
    expect(read()).toMatch(/^HTTP\/1\.1 503 [^]*\r\nRetry-After: 1\r\n/);
    begun[0]!.response.end();
    await reached(() => clients[0]!.read() !== "");
    await exchange(await open());
    expect(paths()).not.toContain("/refused");
  });

  test("those that are told so are bounded, too", async () => {
    for (let count = 0; count < MOST; count++) await begin(head("GET", "/busy"));
    for (let count = 0; count < 150; count++) await open();
    await reached(() => ends.filter(({ destroyed }) => !destroyed).length <= MOST + 100);
    expect(ends[0]!.destroyed).toBe(false);
  });
});

describe("when nothing has come or gone for 30 seconds", () => {
  /** Node's event after that time. */
  const pass = () => ends[0]!.emit("timeout");

  test("a client that does not take its answer is closed", async () => {
    const { socket } = await open(head("GET", "/"));
    socket.pause();
    await reached(() => begun.length === 1);
    begun[0]!.response.write(Buffer.alloc(50_000_000));
    await settle();
    pass();
    await reached(() => begun[0]!.response.destroyed);
    expect(ends[0]!.destroyed).toBe(true);
  });

  test("one that waits for its answer is not", async () => {
    const { read } = await begin(head("GET", "/"));
    pass();
    begun[0]!.response.write("late, ");
    await reached(() => read().includes("late, "));
    pass();
    begun[0]!.response.end("but there");
    await reached(() => read().includes("but there"));
  });

  test("one that was answered is closed", async () => {
    const client = await open();
    expect(ends[0]!.timeout).toBe(30_000);
    await exchange(client);
    pass();
    await client.closed;
  });

  test("one that leaves its side open after an answer with which the connection ends is closed", async () => {
    const { socket } = await begin(head("GET", "/"));
    // As the answer does that takes the place of a late one (refusals.server.ts).
    ends[0]!.end("an answer");
    await once(socket, "end");
    pass();
    expect(ends[0]!.destroyed).toBe(true);
  });
});
