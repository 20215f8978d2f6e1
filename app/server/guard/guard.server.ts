import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { requestScope } from "~/lib/request-scope.server";
import { answerApi } from "~/server/api.server";
import { isServiceToken } from "~/server/current-user.server";
import { answerFromCache } from "~/server/cached-pages.server";
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
  isForm,
  mayBeLarge,
  readBody,
  RECORDS_LIMIT,
  replay,
} from "./body.server";
import { isBuilt, takeCompressed } from "./built-files.server";
import { startDeadline, withDeadline } from "./deadline.server";
import { isForeign } from "./origin.server";
import { METHODS, methodsOfPage } from "./page-methods.server";
import { isApi, isForRecords, queryOf, remixPathOf } from "./remix-path.server";
import { normalizeHeaders } from "./request-headers.server";
import { setDefaultHeaders } from "./response-headers.server";

interface Target {
  /** "/" where the request names none. */
  path: string;
  searchParams: URLSearchParams;
  api: boolean;
  /** Whether it is a form that this server knows. */
  known: boolean;
}

/**
 * Every request passes the guard on its way to the API or to `listener`, which is Remix
 * (docs/decisions/006-guard-around-remix-serve.md). A refusal is JSON under /api and the page of that error elsewhere.
 */
export async function guard(
  request: IncomingMessage,
  response: ServerResponse,
  listener: RequestListener,
): Promise<void> {
  const { method = "", url = "/" } = request;
  const { requestId } = requestScope.getStore()!;
  const target = targetOf(url);
  requestScope.getStore()!.address = target.path + queryOf(target.searchParams);
  const prepare = (answer: ServerResponse) => {
    setDefaultHeaders(answer, requestId, target);
    logWhenClosed(answer, method, target.path);
  };
  prepare(response);
  if (isRead(method) && isOpenedData(request, target)) {
    const page = target.path.replace(/\.data$/, "%2Edata") + queryOf(target.searchParams);
    return void response.writeHead(302, { Location: page }).end();
  }

  const checked = await check(request, target);
  if (checked === "aborted") return;
  if (checked === 413 || checked === 500) closeWithoutReading(request, response);
  if (target.api || checked === 500) {
    // The API has its own deadline, with the text of each operation (api-route.server.ts).
    if (typeof checked === "number") refuseInJson(response, checked);
    else if (!answerApi(request, response, { ...checked, head: method === "HEAD" }))
      listener(withBody(request, checked), response);
    return;
  }

  const endDeadline = startDeadline(() => {
    if (response.headersSent || response.destroyed) return;
    // The new response answers the method that the client sent, HEAD included.
    request.method = method;
    const replacement = replaceResponse(request, response);
    prepare(replacement);
    listener(unavailablePage(request, target.path), replacement);
  });
  response.once("finish", endDeadline);
  response.once("close", endDeadline);

  if (isBuilt(target.path)) takeCompressed(request, response, target.path);
  if (checked === 405)
    response.setHeader("Allow", methodsOfPage(remixPathOf(target.path, false)).join(", "));
  if (typeof checked === "number") listener(toErrorPage(request, checked), response);
  else if (!isRead(method) || !(await answerFromCache(request, response)))
    listener(withBody(request, checked), response);
}

const isRead = (method: string) => method === "GET" || method === "HEAD";

/**
 * A browser opens an address that ends in `.data`: the page whose name that is. The scripts of pages mean a page's
 * data, and do not ask for HTML.
 */
const isOpenedData = ({ headers }: IncomingMessage, { path, api }: Target) =>
  !api && /^\/(?!\/).*\.data$/.test(path) && Boolean(headers.accept?.includes("text/html"));

/**
 * The target as Remix reads it, which resolves `..` and takes `\` for `/`. Of the absolute form (RFC 9112, 3.2.2) only
 * the path counts: the site's host is that of `APP_URL`.
 */
function targetOf(url: string): Target {
  const path = url[0] === "/" ? url : /^https?:\/\/[^/?#\\]+([/?#\\].*|)$/i.exec(url)?.[1];
  const { pathname, searchParams } = new URL(`http://localhost${path ?? "/"}`);
  return { path: pathname, searchParams, api: isApi(pathname), known: path !== undefined };
}

const withBody = (request: IncomingMessage, { body }: { body: Buffer | null }) =>
  body ? replay(request, body) : request;

/** Returns null where the database does not say whose token it is, which is asked before anything is read. */
async function bodyLimitOf(request: IncomingMessage, path: string): Promise<number | null> {
  const { method, headers } = request;
  if (method !== "POST" || !isForRecords(path) || !mayBeLarge(request)) return BODY_LIMIT;
  try {
    const isService = await withDeadline(isServiceToken(headers.authorization));
    return isService ? RECORDS_LIMIT : BODY_LIMIT;
  } catch {
    return null;
  }
}

/** Returns the body, or the status that refuses the request. The order is part of the rules. */
async function check(
  request: IncomingMessage,
  { path, searchParams, api, known }: Target,
): Promise<{ body: Buffer<ArrayBuffer> | null } | Refusal | 500 | "aborted"> {
  const { method = "" } = request;
  const foreign = isForeign(request);
  normalizeHeaders(request);

  // First, so that no more than the limit is read of any request.
  const limit = await bodyLimitOf(request, path);
  if (limit === null) return 500;
  const body = await readBody(request, limit);
  if (body === "too large") return 413;
  if (body === "aborted") return "aborted";

  if (!known) return 400;
  const remixPath = remixPathOf(path, api);
  request.url = remixPath + queryOf(searchParams);
  // HEAD gets the head of the answer to GET; Node leaves out the body.
  if (method === "HEAD") request.method = "GET";
  if (api && !METHODS.has(method)) {
    // A resource route answers OPTIONS like any method that it does not have: 405 with its `Allow`.
    request.method = "OPTIONS";
    return { body: null };
  }

  // Another site's request never acts as the visitor (docs/rules/requests.md, Other sites).
  if (foreign && api) delete request.headers.cookie;
  if (foreign && !api && !isRead(method)) return 403;

  if (!api && !isRead(method)) {
    if (!methodsOfPage(remixPath).includes(method)) return 405;
    // A post without any body, as scripts send it, is an empty form.
    const type = (request.headers["content-type"] ??= "application/x-www-form-urlencoded");
    if (!(await isForm(type, body))) return 400;
  }
  return { body };
}
