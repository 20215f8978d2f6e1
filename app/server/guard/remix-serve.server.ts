import cluster from "node:cluster";
import { randomUUID } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import http, {
  type IncomingMessage,
  type RequestListener,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { setImmediate as readMore, setTimeout as sleep } from "node:timers/promises";
import { env, isMissingAddress } from "~/config/env.server";
import { log } from "~/lib/log.server";
import { requestScope, type RequestScope } from "~/lib/request-scope.server";
import { refuseInJson } from "~/server/refusals.server";
import { readClientAddress, isFromThisMachine, readProxyRequestId } from "./client-address.server";
import { boundConnections } from "./connections.server";
import { guard } from "./guard.server";
import { closeConnections } from "./response-headers.server";

/** A shutdown reads so long, and so often while new connections come, what was sent before it. */
const SHUTDOWN_READ_MS = 100;
const SHUTDOWN_READS = 10;

/** It cuts off what is under way after so long, and ends the process whatever still runs. */
const SHUTDOWN_REQUESTS_MS = 3_500;
const SHUTDOWN_MS = 4_500;

const OPTIONS = {
  requestTimeout: 30_000,
  headersTimeout: 15_000,
  connectionsCheckingInterval: 5_000,
};

const servers = new Set<http.Server>();

/** Listeners at further addresses, which pass their connections to these servers. */
const listeners = new Set<Server>();

let connections = 0;

let onShutdown: () => Promise<void> = async () => {};

/**
 * Puts the guard in front of the server that `remix-serve` makes, and calls `shutdown` after the last answer when
 * SIGTERM or SIGINT ends it. `remix-serve` has no middleware, and makes its server with `http.createServer` after it
 * has loaded the app, so this patches that function (docs/decisions/006-guard-around-remix-serve.md).
 */
export function wrapRemixServe(shutdown: () => Promise<void>): void {
  onShutdown = shutdown;
  // remix-serve reads it when the app has loaded.
  const [host = "", ...others] = env().hosts;
  process.env.HOST = host;
  const createServer = http.createServer;
  http.createServer = ((...args: [RequestListener] | [ServerOptions, RequestListener]) => {
    const listener = args.pop() as RequestListener;
    const options = { ...OPTIONS, keepAliveTimeout: env().keepAliveSeconds * 1_000, ...args[0] };
    const server = createServer(options, (request, response) =>
      inTurn(request, response, () => void serve(request, response, listener)),
    );
    const inTurn = boundConnections(server, env().maxConnections);
    // An `Expect` header that we do not know must not lead past the guard (RFC 9110, 10.1.1).
    server.on("checkExpectation", (request, response) => server.emit("request", request, response));
    server.on("connection", () => connections++);
    servers.add(server);
    server.once("error", endUnlistened);
    server.once("listening", () => others.forEach((other) => listenAlso(server, other)));
    return server;
  }) as typeof http.createServer;
  refuseToServeUnguarded();

  // A terminal's Ctrl-C and the parent's own signal may both arrive.
  let stopping: Promise<void> | undefined;
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, () => void (stopping ??= stopServing(signal)));
  // Without this flag, Node would end a process of a cluster at once when the command that started it is gone.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
  process.once("disconnect", () => void (stopping ??= stopServing("the end of its command")));
}

/** Answers a request, whatever happens: a failure here must not end the process. */
async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  listener: RequestListener,
): Promise<void> {
  const scope: RequestScope = {
    requestId: randomUUID(),
    abort: new AbortController(),
    proxyRequestId: readProxyRequestId(request, env().trustProxy),
    clientAddress: readClientAddress(request, env().trustProxy),
    userAgent: request.headers["user-agent"],
    fromThisMachine: isFromThisMachine(request, env()),
  };
  await requestScope.run(scope, async () => {
    try {
      await guard(request, response, listener);
    } catch (error) {
      log.error({ err: error }, "a request failed");
      if (response.headersSent) response.destroy();
      else refuseInJson(response, 500);
    }
  });
}

/** Lets `server` take connections at that address, too, unless this machine does not have it. */
function listenAlso(server: http.Server, host: string): void {
  const { port } = server.address() as AddressInfo;
  const options = { allowHalfOpen: true, noDelay: true };
  const tcpServer = createTcpServer(options, (socket) => server.emit("connection", socket));
  tcpServer.on("error", (error: NodeJS.ErrnoException) => {
    listeners.delete(tcpServer);
    if (!isMissingAddress(error)) endUnlistened(error);
  });
  listeners.add(tcpServer.listen(port, host));
}

function endUnlistened({ message }: Error): void {
  process.stderr.write(`PORT ${env().port} cannot be used: ${message}\n`);
  process.exit(1);
}

/** Ends the process before a request is answered without the guard. */
function refuseToServeUnguarded(): void {
  subscribe("http.server.request.start", (message) => {
    const { server } = message as { server: http.Server };
    if (servers.has(server)) return;
    log.fatal(
      "remix-serve made its server past the guard (app/server/guard/remix-serve.server.ts): nothing is served",
    );
    process.exit(1);
  });
}

async function stopServing(reason: string): Promise<void> {
  log.info({ signal: reason }, "shutting down");
  closeConnections();
  const end = setTimeout(() => process.exit(0), SHUTDOWN_MS);
  const closes = [...servers].map((server) => {
    const close = server.close.bind(server);
    // remix-serve calls it next: too early, and it would print the second call's error.
    server.close = () => server;
    return close;
  });
  const bound = setTimeout(() => {
    log.warn("requests are still under way, cutting them off");
    servers.forEach((server) => server.closeAllConnections());
  }, SHUTDOWN_REQUESTS_MS);
  await readWhatWasSent();
  const closed = [
    ...closes.map((close) => new Promise((resolve) => close(resolve))),
    ...[...listeners].map((tcpServer) => new Promise((resolve) => tcpServer.close(resolve))),
  ];
  const idle = setInterval(() => servers.forEach((server) => server.closeIdleConnections()), 50);
  await Promise.all(closed);
  clearInterval(idle);
  clearTimeout(bound);
  await onShutdown();
  clearTimeout(end);
  process.exit(0);
}

/** Reads requests that clients have sent and that wait in a buffer of the system; closing would drop them. */
async function readWhatWasSent(): Promise<void> {
  let seen = -1;
  for (let reads = 0; reads < SHUTDOWN_READS && seen < connections; reads++) {
    seen = connections;
    await sleep(SHUTDOWN_READ_MS);
    // Node takes one connection between two timers, and a busy process may have taken none in all that time.
    await readMore();
  }
}
