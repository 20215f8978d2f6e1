import { IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import { env } from "../infra/env.server";
import { RateLimitError } from "../infra/errors.server";
import { log } from "../infra/log.server";
import { requestScope } from "../infra/request-scope.server";
import { closeWithoutReading, isForm, readBody, replay } from "./body.server";
import { watchPatience } from "./deadline.server";
import { isForeign } from "./origin.server";
import { forRemix, isApi } from "./remix-path.server";
import { defaultHeaders } from "./response-headers.server";

/** Methods that the Fetch standard's Request and Remix can carry. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

export async function guard(
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

/** Has the present request's answer say when to come again, if the refusal is one that time heals. */
export function noteRetryAfter(refusal: unknown): void {
  const scope = requestScope.getStore();
  if (scope && refusal instanceof RateLimitError) scope.retryAfter = refusal.retryAfter;
}
