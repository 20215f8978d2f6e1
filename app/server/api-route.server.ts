import { Readable } from "node:stream";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import type { z } from "zod";
import { BusyError, RateLimitError, ServiceError, UncertainError } from "~/lib/errors.server";
import { log } from "~/lib/log.server";
import { withDeadline } from "~/server/guard/deadline.server";
import {
  type ApiAnswer,
  type ApiCall,
  type ApiRequest,
  apiRequest,
  type FoundMeanwhile,
} from "./api-request.server";
import { requireService } from "./current-user.server";
import type { Method, Operation as Described } from "./openapi/components.server";
import { refusalTexts } from "./refusals.server";
import { retryAfterHeader } from "./retry-after.server";

type AnswerInit = { status?: number; headers?: Headers | Record<string, string> };

type RouteOperation = Pick<Described, "ofCaller" | "ofService" | "query" | "failure">;
type RouteOperations = Partial<Record<Method, RouteOperation>>;

/**
 * Returns the answer; throws `ServiceError` for a refusal. A change learns its user only with its count, so that none
 * is made uncounted.
 */
type Handler<Query, Name = Method> = (
  request: Omit<ApiRequest<Query>, Name extends "GET" ? "writer" | "writerAtOnce" : "user">,
) => Promise<ApiAnswer>;

type QueryOf<Asked> = Asked extends { query: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : never;

export type Answer = (call: ApiCall) => Promise<ApiAnswer>;

export function toAnswer(body: ApiAnswer["body"], init: AnswerInit = {}): ApiAnswer {
  const headers = new Headers(init.headers);
  if (body !== null && !headers.has("Content-Type"))
    headers.set("Content-Type", "application/json; charset=utf-8");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  return { status: init.status ?? 200, headers, body };
}

export const json = (value: unknown, init?: AnswerInit): ApiAnswer =>
  toAnswer(JSON.stringify(value), init);

/**
 * The exports of a route of the API with these operations. `answerApi` calls `answer`, without a `Request` and a
 * `Response`; Remix can call `loader` and `action`. The guard has turned HEAD into GET.
 */
export function apiRoute<Described extends RouteOperations>(
  operations: Described,
  handlers: { [Name in keyof Described]: Handler<QueryOf<Described[Name]>, Name> },
) {
  return resourceRoute(async (call) => {
    const method = call.request.method as Method;
    const isShared = isForOtherSites(operations, call);
    if (isShared && isPreflight(call)) return toAnswer(null, { status: 204, headers: PREFLIGHT });
    const operation = Object.hasOwn(operations, method) ? operations[method] : undefined;
    if (!operation) return methodNotAllowed(operations);
    const answer = await answerInTime(operation, handlers[method] as Handler<unknown>, call);
    if (isShared && method === "GET")
      for (const [name, value] of Object.entries(SHARED)) answer.headers.set(name, value);
    return answer;
  });
}

/** Returns the handler's answer, or that of its failure when it throws or the deadline passes. */
async function answerInTime(
  { ofService, query, failure }: RouteOperation,
  handler: (request: ApiRequest<unknown>) => Promise<ApiAnswer>,
  call: ApiCall,
): Promise<ApiAnswer> {
  const found: FoundMeanwhile = {};
  const work = async () => {
    if (ofService) found.limit = await requireService(call.request);
    return handler(apiRequest(call, query, found));
  };
  const answer = await withDeadline(work()).catch((error: unknown) =>
    answerOfError(error, failure, found),
  );
  if (found.limit) sayLimit(answer.headers, found.limit);
  return answer;
}

function answerOfError(error: unknown, failure: string, found: FoundMeanwhile): ApiAnswer {
  if (error instanceof RateLimitError) found.limit ??= error.limit;
  const headers = retryAfterHeader(error);
  const isFailure = error instanceof BusyError || error instanceof UncertainError;
  if (error instanceof ServiceError && !isFailure)
    return json({ error: error.message }, { status: error.status, headers });
  log.error({ err: error }, failure);
  return found.late?.() ?? json({ error: failure }, { status: 500, headers });
}

/** Says what is left of the limit that the request was counted for (draft-ietf-httpapi-ratelimit-headers-10). */
function sayLimit(headers: Headers, limit: NonNullable<FoundMeanwhile["limit"]>): void {
  const { name, points, windowSeconds, left, secondsLeft } = limit;
  headers.set("RateLimit-Policy", `"${name}";q=${points};w=${windowSeconds}`);
  headers.set("RateLimit", `"${name}";r=${left};t=${secondsLeft}`);
}

function methodNotAllowed(operations: RouteOperations): ApiAnswer {
  const methods = Object.keys(operations).flatMap((name) =>
    name === "GET" ? ["GET", "HEAD"] : [name],
  );
  const headers = { Allow: methods.join(", ") };
  return json({ error: refusalTexts[405] }, { status: 405, headers });
}

const SHARED = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "ETag, Link, X-Request-Id",
};
const PREFLIGHT = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "GET, HEAD",
  "Access-Control-Allow-Headers": "If-None-Match",
  "Access-Control-Max-Age": "86400",
};

/**
 * Whether scripts of other sites may read it, as everybody may, never with the visitor's cookie (Fetch, CORS
 * protocol). /healthz and /livez send no CORS headers.
 */
const isForOtherSites = ({ GET }: RouteOperations, { url }: ApiCall) =>
  GET !== undefined && !GET.ofCaller && /^\/api\//i.test(url.pathname);

const isPreflight = ({ request: { method, headers } }: ApiCall) =>
  method === "OPTIONS" && headers.has("Access-Control-Request-Method");

/** The exports of a route of the API that answers so, whatever the method. */
export function resourceRoute(answer: Answer) {
  const route = async ({ request, params }: LoaderFunctionArgs | ActionFunctionArgs) => {
    const body = Buffer.from(await request.arrayBuffer());
    return toResponse(await answer({ request, url: new URL(request.url), params, body }));
  };
  return { loader: route, action: route, answer };
}

function toResponse({ body, ...init }: ApiAnswer): Response {
  if (body === null || typeof body === "string") return new Response(body, init);
  if ("body" in body) return new Response(new Uint8Array(body.body), init);
  const bytes = Readable.from(body.parts()).map((part: string) => Buffer.from(part));
  return new Response(Readable.toWeb(bytes) as ReadableStream, init);
}
