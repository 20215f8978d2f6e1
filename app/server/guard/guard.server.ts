import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { requestScope } from "~/lib/request-scope.server";
import { answerApi } from "~/server/api.server";
import { answerFromCache } from "~/server/cached-pages.server";
import { isServiceToken } from "~/server/current-user.server";
import {
  type Refusal,
  refuseInJson,
  replaceResponse,
  toErrorPage,
  unavailablePage,
} from "~/server/refusals.server";
import { logWhenClosed } from "./access-log.server";
import {
  BODY_LIMIT,
  closeWithoutReading,
  hasBody,
  isForm,
  mayBeLarge,
  readBody,
  RECORDS_LIMIT,
  withBody,
} from "./body.server";
import { takeCompressed } from "./built-files.server";
import { startDeadline, withDeadline } from "./deadline.server";
import { isForeignOrigin } from "./origin.server";
import { METHODS, methodsOfPage } from "./page-methods.server";
import { isApi, isForRecords, toRemixQuery, toRemixPath } from "./remix-path.server";
import { normalizeHeaders } from "./request-headers.server";
import { setDefaultHeaders } from "./response-headers.server";

/** A request, its answer, and what the middleware before has found. */
interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  remix: RequestListener;
  /** As the client sent it. */
  method: string;
  isRead: boolean;
  /** As the client sent it but for `..`, "/" where the request names none. */
  path: string;
  /** By which a route is found. */
  remixPath: string;
  searchParams: URLSearchParams;
  isForApi: boolean;
  /** Whether the request names its address in a form that this server knows. */
  isAddressKnown: boolean;
  isFromOtherSite: boolean;
  body: Buffer<ArrayBuffer> | null;
}

/** The request is answered, or its client has gone away; or it is refused with that status. */
type Outcome = "ended" | Refusal | 500;

type Middleware = (exchange: Exchange) => Outcome | void | Promise<Outcome | void>;

/** Every request passes these in their order, which is part of the rules (docs/rules/requests.md), until one ends it. */
const MIDDLEWARE: Middleware[] = [
  setHeadersAndLog,
  redirectOpenedData,
  ({ request }) => normalizeHeaders(request),
  // Before all refusals, so that no more than the limit is read of any request.
  readWholeBody,
  refuseUnknownAddress,
  toRemixRequest,
  restrictOtherSites,
  refuseUnknownMethods,
  refuseUnreadableForms,
  answerByApi,
  giveUpAtDeadline,
  answerFromMemory,
  answerByRemix,
];

/**
 * Answers a request, by the API, or by `remix` for pages and files (docs/decisions/006-guard-around-remix-serve.md). A
 * refusal is JSON under /api, and the page of that error elsewhere.
 */
export async function guard(
  request: IncomingMessage,
  response: ServerResponse,
  remix: RequestListener,
): Promise<void> {
  const exchange = toExchange(request, response, remix);
  for (const middleware of MIDDLEWARE) {
    const begun = middleware(exchange);
    // Most need no wait, and each wait of every request costs the process a microsecond.
    const outcome = begun instanceof Promise ? await begun : begun;
    if (typeof outcome === "number") sendRefusal(exchange, outcome);
    if (outcome !== undefined) return;
  }
}

/**
 * The address as Remix reads it, which resolves `..` and takes `\` for `/`. Of the absolute form (RFC 9112, 3.2.2) only
 * the path counts: the site's host is that of `APP_URL`.
 */
function toExchange(
  request: IncomingMessage,
  response: ServerResponse,
  remix: RequestListener,
): Exchange {
  const { method = "", url = "/" } = request;
  const target = url[0] === "/" ? url : /^https?:\/\/[^/?#\\]+([/?#\\].*|)$/i.exec(url)?.[1];
  const { pathname, searchParams } = new URL(`http://localhost${target ?? "/"}`);
  const isForApi = isApi(pathname);
  return {
    request,
    response,
    remix,
    method,
    isRead: method === "GET" || method === "HEAD",
    path: pathname,
    remixPath: toRemixPath(pathname, isForApi),
    searchParams,
    isForApi,
    isAddressKnown: target !== undefined,
    isFromOtherSite: isForeignOrigin(request),
    body: null,
  };
}

function setHeadersAndLog({ response, method, path, searchParams }: Exchange): void {
  const { requestId = "" } = requestScope.getStore() ?? {};
  setDefaultHeaders(response, requestId, { path, searchParams });
  logWhenClosed(response, method, path);
}

/**
 * A browser opens an address that ends in `.data`: the page whose name that is. The scripts of pages mean a page's
 * data, and do not ask for HTML.
 */
function redirectOpenedData(exchange: Exchange): Outcome | void {
  const { request, response, path, searchParams, isForApi, isRead } = exchange;
  if (!isRead || isForApi || !/^\/(?!\/).*\.data$/.test(path)) return;
  if (!request.headers.accept?.includes("text/html")) return;
  const page = path.replace(/\.data$/, "%2Edata") + toRemixQuery(searchParams);
  response.writeHead(302, { Location: page }).end();
  return "ended";
}

function readWholeBody(exchange: Exchange): Promise<Outcome | void> | void {
  if (hasBody(exchange.request)) return readSentBody(exchange);
}

async function readSentBody(exchange: Exchange): Promise<Outcome | void> {
  const { request, path } = exchange;
  const limit = await findBodyLimit(request, path);
  if (limit === null) return 500;
  const body = await readBody(request, limit);
  if (body === "too large") return 413;
  if (body === "aborted") return "ended";
  exchange.body = body;
}

/** Returns null where the database does not say whose token it is, which is asked before anything is read. */
async function findBodyLimit(request: IncomingMessage, path: string): Promise<number | null> {
  const { method, headers } = request;
  if (method !== "POST" || !isForRecords(path) || !mayBeLarge(request)) return BODY_LIMIT;
  try {
    const isService = await withDeadline(isServiceToken(headers.authorization));
    return isService ? RECORDS_LIMIT : BODY_LIMIT;
  } catch {
    return null;
  }
}

function refuseUnknownAddress({ isAddressKnown }: Exchange): Outcome | void {
  if (!isAddressKnown) return 400;
}

/** HEAD gets the head of the answer to GET; Node leaves out the body. */
function toRemixRequest({ request, method, remixPath, searchParams }: Exchange): void {
  request.url = remixPath + toRemixQuery(searchParams);
  if (method === "HEAD") request.method = "GET";
}

/** Another site's request never acts as the visitor (docs/rules/requests.md, Other sites). */
function restrictOtherSites(exchange: Exchange): Outcome | void {
  const { request, isFromOtherSite, isForApi, isRead } = exchange;
  if (!isFromOtherSite) return;
  if (isForApi) delete request.headers.cookie;
  else if (!isRead) return 403;
}

function refuseUnknownMethods(exchange: Exchange): Outcome | void {
  const { request, response, method, remixPath, isForApi, isRead } = exchange;
  if (isForApi && !METHODS.has(method)) {
    // A resource route answers OPTIONS like any method that it does not have: 405 with its `Allow`.
    request.method = "OPTIONS";
    exchange.body = null;
  }
  if (isForApi || isRead) return;
  const methods = methodsOfPage(remixPath);
  if (methods.includes(method)) return;
  response.setHeader("Allow", methods.join(", "));
  return 405;
}

async function refuseUnreadableForms(exchange: Exchange): Promise<Outcome | void> {
  const { request, isForApi, isRead, body } = exchange;
  if (isForApi || isRead) return;
  // A post without any body, as scripts send it, is an empty form.
  const type = (request.headers["content-type"] ??= "application/x-www-form-urlencoded");
  if (!(await isForm(type, body))) return 400;
}

/** The API has its own deadline, with the text of each operation (app/server/api-route.server.ts). */
function answerByApi(exchange: Exchange): Outcome | void {
  const { request, response, method, path, remixPath, searchParams, isForApi, body } = exchange;
  if (!isForApi) return;
  const sent = { address: path + toRemixQuery(searchParams), body, head: method === "HEAD" };
  if (!answerApi(request, response, remixPath, sent)) answerByRemix(exchange);
  return "ended";
}

function giveUpAtDeadline(exchange: Exchange): void {
  const { request, response, method, path, remix } = exchange;
  const endDeadline = startDeadline(() => {
    if (response.headersSent || response.destroyed) return;
    // The new response answers the method that the client sent, HEAD included.
    request.method = method;
    const replacement = replaceResponse(request, response);
    setHeadersAndLog({ ...exchange, response: replacement });
    remix(unavailablePage(request, path), replacement);
  });
  response.once("finish", endDeadline);
  response.once("close", endDeadline);
}

async function answerFromMemory(exchange: Exchange): Promise<Outcome | void> {
  const { request, response, isRead } = exchange;
  if (isRead && (await answerFromCache(request, response))) return "ended";
}

function answerByRemix({ request, response, path, body, remix }: Exchange): Outcome {
  takeCompressed(request, response, path);
  remix(body ? withBody(request, body) : request, response);
  return "ended";
}

function sendRefusal(exchange: Exchange, status: Refusal | 500): void {
  const { request, response, isForApi, remix } = exchange;
  if (status === 413 || status === 500) closeWithoutReading(request, response);
  if (isForApi || status === 500) return refuseInJson(response, status);
  giveUpAtDeadline(exchange);
  remix(toErrorPage(request, status), response);
}
