import { randomUUID } from "node:crypto";
import http, { IncomingMessage, ServerResponse, type RequestListener } from "node:http";
import { setImmediate as readMore, setTimeout as sleep } from "node:timers/promises";
import { RateLimitError } from "../infra/errors.server";
import { clientAddressOf } from "./client-address.server";
import { watchPatience } from "../infra/database.server";
import { env } from "../infra/env.server";
import { log, requestScope, type RequestScope } from "../infra/log.server";

/** Largest request body, in bytes (contract: 64 KiB on any route). */
export const BODY_LIMIT = 64 * 1024;
/** How long a client that was refused may go on sending before its connection is cut, in milliseconds. */
const LINGER_MS = 500;
/** How long a shutdown goes on reading what was sent before it, in milliseconds. */
const SHUTDOWN_READ_MS = 100;
/** How long requests under way may take at shutdown, and all of it, in milliseconds. */
const SHUTDOWN_REQUESTS_MS = 3_500;
const SHUTDOWN_MS = 4_500;

/** Methods that the Fetch standard's Request and Remix can carry. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

const servers = new Set<http.Server>();
let closing = false;
let onShutdown: () => Promise<void> = async () => {};

/**
 * Puts what every request passes, whatever its route, in front of the server that `remix-serve`
 * makes: request id, security headers, the methods that exist, the origin guard, the body limit,
 * the access log; and an orderly end on SIGTERM and SIGINT, with `shutdown` called when the last
 * request is answered.
 *
 * `remix-serve` has no middleware, and only what wraps its server sees every route; it builds that
 * server with `http.createServer` right after it has loaded the app.
 */
export function guardServer(shutdown: () => Promise<void>): void {
  onShutdown = shutdown;
  const createServer = http.createServer;
  http.createServer = ((...args: [RequestListener] | [http.ServerOptions, RequestListener]) => {
    const listener = args.pop() as RequestListener;
    const options = (args[0] ?? {}) as http.ServerOptions;
    const server = createServer(
      { requestTimeout: 30_000, headersTimeout: 15_000, ...options },
      (request, response) => {
        const clientAddress = clientAddressOf(request, env().trustProxy);
        const scope: RequestScope = { requestId: randomUUID(), clientAddress };
        void requestScope.run(scope, () => guard(request, response, listener));
      },
    );
    // An expectation that we do not know is no reason to answer past the guard (RFC 9110, 10.1.1).
    server.on("checkExpectation", (request, response) => server.emit("request", request, response));
    servers.add(server);
    return server;
  }) as typeof http.createServer;

  // A terminal's Ctrl-C and the parent's own signal may both arrive.
  let stopping: Promise<void> | undefined;
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, () => void (stopping ??= stop(signal)));
}

/** Stops listening, lets requests under way finish within a bound, and ends the process. */
async function stop(signal: string): Promise<void> {
  log.info({ signal }, "shutting down");
  closing = true;
  const end = setTimeout(() => process.exit(0), SHUTDOWN_MS);
  const closes = [...servers].map((server) => {
    const close = server.close.bind(server);
    // remix-serve calls it next: too early, and it would print what the second call says.
    server.close = () => server;
    return close;
  });
  // A request that has left its client is in a buffer of the system: closing now would drop it.
  await sleep(SHUTDOWN_READ_MS);
  await readMore();
  const closed = closes.map((close) => new Promise((resolve) => close(resolve)));
  const idle = setInterval(() => servers.forEach((server) => server.closeIdleConnections()), 50);
  const bound = setTimeout(() => {
    log.warn("requests are still under way, cutting them off");
    servers.forEach((server) => server.closeAllConnections());
  }, SHUTDOWN_REQUESTS_MS);
  await Promise.all(closed);
  clearInterval(idle);
  clearTimeout(bound);
  await onShutdown();
  clearTimeout(end);
  process.exit(0);
}

async function guard(
  request: IncomingMessage,
  response: ServerResponse,
  listener: RequestListener,
): Promise<void> {
  const started = performance.now();
  const { method, url = "/" } = request;
  // As Remix reads it, which resolves `..` and takes `\\` for `/`: both must speak of the same path.
  const { pathname: path, searchParams } = new URL(`http://localhost${url[0] === "/" ? url : "/"}`);
  const api = isApi(path);
  const scope = requestScope.getStore()!;
  const prepare = (answer: ServerResponse) => {
    answer.setHeader("X-Request-Id", scope.requestId);
    defaultHeaders(answer, scope);
    answer.once("close", () => {
      log.info({
        method,
        // The address that ends somebody's mails is all that it takes to do so.
        path: path.replace(/^(\/unsubscribe\/).+/i, "$1…"),
        status: answer.statusCode,
        ms: Math.round(performance.now() - started),
        ...(!answer.writableFinished && { aborted: true }),
      });
    });
  };
  prepare(response);

  const pass = (passed: IncomingMessage) => {
    listener(passed, response);
    if (api) return;
    // The API itself answers in time, in each operation's words.
    const end = watchPatience(() => {
      if (response.headersSent || response.destroyed) return;
      const instead = replace(request, response);
      prepare(instead);
      listener(errorPage(request, path), instead);
    });
    response.once("finish", end);
    response.once("close", end);
  };
  const refuse = (status: Refusal, request_: IncomingMessage = request) => {
    if (api) refuseJson(response, status);
    else {
      // Remix answers with the page of that error, in the site's look.
      request_.method = "GET";
      request_.url = `/errors/${status}`;
      pass(request_);
    }
  };

  // What stands behind the guard sees one host, ours: a client's own idea of it decides nothing.
  for (const name of ["x-forwarded-host", "x-forwarded-proto"]) delete request.headers[name];
  warnOfProxy(request);
  const foreign = isForeign(request);
  request.headers.host = new URL(env().appUrl).host;
  delete request.headers.origin;

  // Remix drops headers that are empty; without one of these a request does more than it asks for.
  for (const name of ["idempotency-key", "if-match"])
    if (request.headers[name] === "") request.headers[name] = " ";

  if (url[0] !== "/") return refuse(400);
  request.url = forRemix(path, searchParams, api);
  if (!METHODS.has(method ?? "")) {
    // A resource route answers OPTIONS as any method that it does not have: 405 with its `Allow`.
    request.method = "OPTIONS";
    return api ? pass(request) : refuse(405);
  }

  const body = await readBody(request);
  if (body === "too large") {
    closeWithoutReading(request, response);
    return refuse(413);
  }
  if (body === "aborted") return;

  if (foreign) {
    // A foreign site's request never acts as the visitor.
    if (api) delete request.headers.cookie;
    else if (method !== "GET" && method !== "HEAD") return refuse(403);
  }
  if (method === "OPTIONS" && !api) return refuse(405);
  if (!api && method !== "GET" && method !== "HEAD") {
    // A post without any body, as scripts send it, is an empty form.
    const type = (request.headers["content-type"] ??= "application/x-www-form-urlencoded");
    if (!(await isForm(type, body))) return refuse(400);
  }
  pass(body ? replay(request, body) : request);
}

let warnedOfProxy = false;

/** Says once that limits take all clients of a proxy for one, because the settings do not name it. */
function warnOfProxy(request: IncomingMessage): void {
  if (warnedOfProxy || env().trustProxy || !("x-forwarded-for" in request.headers)) return;
  warnedOfProxy = true;
  log.warn(
    "a request came with X-Forwarded-For: behind a proxy that sets it, TRUST_PROXY must be true",
  );
}

type Refusal = 400 | 403 | 405 | 413;

const REFUSALS: Record<Refusal, string> = {
  400: "Bad request",
  403: "Forbidden",
  405: "Method not allowed",
  413: "Request body too large",
};

function refuseJson(response: ServerResponse, status: Refusal): void {
  const body = JSON.stringify({ error: REFUSALS[status] });
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
  });
  response.end(body);
}

/**
 * Resource routes answer in JSON whatever they are asked. Remix finds them by the decoded path,
 * without regard to case and to a slash at the end.
 */
function isApi(path: string): boolean {
  return /^\/(api(\/|$)|healthz\/?$)/i.test(decoded(path) ?? path);
}

/** The address as it goes on to Remix, which has addresses of its own beside the routes'. */
function forRemix(path: string, parameters: URLSearchParams, api: boolean): string {
  // A name that cannot be decoded, or is more than a line, is unknown like any other; Express or Remix
  // would answer it in their own words.
  const name = decoded(path);
  let plain = name === null || /[\r\n\u2028\u2029]/.test(name) ? path.replaceAll("%", "%25") : path;
  // What scripts ask pages for is nothing that the API has.
  if (api) plain = plain.replace(/\.data$/, "%2Edata");
  // Older scripts named any route to answer in place of the path's own. No page of ours sends it.
  parameters.delete("_data");
  return parameters.size > 0 ? `${plain}?${parameters.toString()}` : plain;
}

/** The path with its escapes decoded, or null when they are malformed. */
function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/**
 * Whether another site sent the request, by what browsers say and scripts cannot forge: `Origin`
 * (`null` and nonsense are foreign too) or, where there is none, `Sec-Fetch-Site`. A client that
 * sends neither is no browser.
 */
function isForeign(request: IncomingMessage): boolean {
  const { origin } = request.headers;
  if (origin !== undefined) return !ownOrigins().has(origin);
  return request.headers["sec-fetch-site"] === "cross-site";
}

let own: Set<string> | undefined;

/** The public origin; for a site on the loopback address all names of that address. */
function ownOrigins(): Set<string> {
  if (own) return own;
  const { appUrl, local } = env();
  const { protocol, port } = new URL(appUrl);
  const aliases = local
    ? LOOPBACK.map((host) => new URL(`${protocol}//${host}:${port}`).origin)
    : [];
  return (own = new Set([appUrl, ...aliases]));
}

/**
 * The whole body, null when there is none, or "too large" as soon as that is certain. Small bodies
 * are read here completely, so that no route can be made to wait or to fill the memory.
 */
function readBody(
  request: IncomingMessage,
): Promise<Buffer<ArrayBuffer> | null | "too large" | "aborted"> {
  const length = request.headers["content-length"];
  if (Number(length) > BODY_LIMIT) return Promise.resolve("too large");
  if (!Number(length) && request.headers["transfer-encoding"] === undefined)
    return Promise.resolve(null);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > BODY_LIMIT) {
        request.removeAllListeners("data");
        request.pause();
        resolve("too large");
      } else chunks.push(chunk);
    });
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("close", () => resolve("aborted"));
    request.once("error", () => resolve("aborted"));
  });
}

/**
 * Has the connection closed after the answer, with the rest of the request unread, and only a
 * moment later: what a client goes on sending to a closed connection would cost it the answer
 * (RFC 9112, 9.6).
 */
function closeWithoutReading(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  response.setHeader("Connection", "close");
  // Node reads on after the answer unless somebody has begun to; nobody goes on.
  request.pause();
  request.read(0);
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

/** Whether a page's action can read the body: pages are sent forms and nothing else. */
function isForm(type: string, body: Buffer | null): Promise<boolean> {
  return new Response(body && new Uint8Array(body), { headers: { "Content-Type": type } })
    .formData()
    .then(
      () => true,
      () => false,
    );
}

/** Another response to the same request, which makes the first one talk to nobody. */
function replace(request: IncomingMessage, response: ServerResponse): ServerResponse {
  const { socket } = request;
  response.detachSocket(socket);
  const instead = new ServerResponse(request);
  instead.assignSocket(socket);
  // Node waits for the first one before it would read another request.
  instead.shouldKeepAlive = false;
  instead.once("finish", () => socket.end());
  return instead;
}

/** A request for the page that says that the site cannot answer, which looks nothing up. */
function errorPage({ socket, headers }: IncomingMessage, path: string): IncomingMessage {
  const request = new IncomingMessage(socket);
  request.method = "GET";
  // Scripts of pages ask for the data of a page alone.
  request.url = `/errors/503${path.endsWith(".data") ? ".data" : ""}`;
  request.headers = { host: headers.host };
  request.complete = true;
  request.push(null);
  return request;
}

/** The same request with its body still to be read. */
function replay(request: IncomingMessage, body: Buffer): IncomingMessage {
  const copy = new IncomingMessage(request.socket);
  copy.method = request.method;
  copy.url = request.url;
  copy.httpVersion = request.httpVersion;
  copy.httpVersionMajor = request.httpVersionMajor;
  copy.httpVersionMinor = request.httpVersionMinor;
  copy.headers = request.headers;
  copy.rawHeaders = request.rawHeaders;
  copy.complete = true;
  copy.push(body);
  copy.push(null);
  return copy;
}

/** Headers of every answer that does not set its own: API, pages, static files, errors. */
function defaultHeaders(response: ServerResponse, scope: RequestScope): void {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  // At the last moment, because Remix appends to a header that is already there.
  response.writeHead = (...args: unknown[]) => {
    for (const [name, value] of Object.entries(DEFAULT_HEADERS))
      if (!response.hasHeader(name) || response.getHeader(name) === EXPRESS_POLICY)
        response.setHeader(name, value);
    if (closing) response.setHeader("Connection", "close");
    if (scope.retryAfter) response.setHeader("Retry-After", scope.retryAfter);
    if (env().secure)
      response.setHeader("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
    return writeHead(...args);
  };
}

/** Of the answers that Express makes by itself; it lets other sites frame them. */
const EXPRESS_POLICY = "default-src 'none'";

/** Has the present request's answer say when to come again, if the refusal is one that time heals. */
export function noteRetryAfter(refusal: unknown): void {
  const scope = requestScope.getStore();
  if (scope && refusal instanceof RateLimitError) scope.retryAfter = refusal.retryAfter;
}

const DEFAULT_HEADERS = {
  "Content-Security-Policy":
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  // Data of pages, as Remix sends it to its own scripts, depends on who is logged in.
  "Cache-Control": "private, no-store",
  "Cross-Origin-Opener-Policy": "same-origin",
  // Not `no-referrer`: browsers then send `Origin: null` with the site's own forms.
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "X-Content-Type-Options": "nosniff",
};
