import { Readable } from "node:stream";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import type { z } from "zod";
import { platformId } from "~/db/platform-ids.server";
import {
  BusyError,
  type LimitState,
  RateLimitError,
  ServiceError,
  UncertainError,
} from "~/lib/errors.server";
import { log } from "~/lib/log.server";
import { parseInput } from "~/lib/validation.server";
import { countWrite } from "~/accounts/caller.server";
import type { CurrentUser } from "~/accounts/users.server";
import { withDeadline } from "~/server/guard/deadline.server";
import { currentUser, requireService } from "./current-user.server";
import type { Method, Operation as Described } from "./openapi/components.server";
import { refusalTexts } from "./refusals.server";
import { retryAfterOf } from "./retry-after.server";

/** A request as a route of the API gets it: making Remix's `Request` would cost more than most answers. */
export interface ApiCall {
  request: Pick<Request, "method" | "url" | "headers">;
  url: URL;
  params: Record<string, string | undefined>;
  body: Buffer | null;
}

interface ApiRequest<Query> extends Pick<ApiCall, "request" | "url"> {
  /** That of the path, of a platform's record as we store it; empty where it has none. */
  id: string;
  user: () => Promise<CurrentUser | null>;
  /** The same for a change, which is counted. Throws `ServiceError` 401 where nobody is named, and 429. */
  writer: () => Promise<CurrentUser | null>;
  /** As the operation's schema reads it. Throws `ServiceError` 400 for a wrong one. */
  query: () => Query;
  /** The tags that `If-Match` names; undefined when any state will do (docs/rules/reviews.md, If-Match). */
  ifMatch: () => string[] | undefined;
  /** The parsed body; `undefined` when there is none or it is not JSON in UTF-8. */
  body: () => unknown;
  /** The body as it was sent. */
  text: () => string;
  /** Says what is answered instead of a 500 when the deadline passes. */
  whenLate: (answer: () => ApiAnswer) => void;
}

/** JSON that is kept in memory, as it is and, where that saves something, compressed. */
export interface CachedJson {
  body: Buffer;
  gzip: Buffer | null;
}

export interface JsonParts {
  parts: () => AsyncIterable<string>;
}

export interface ApiAnswer {
  status: number;
  headers: Headers;
  /** JSON; null where the status allows no body. */
  body: string | CachedJson | JsonParts | null;
}

type AnswerInit = { status?: number; headers?: Headers | Record<string, string> };

type Operation = Pick<Described, "ofCaller" | "ofService" | "query" | "failure">;

/** Returns the answer; throws `ServiceError` for a refusal. */
type Handler<Query> = (request: ApiRequest<Query>) => Promise<ApiAnswer>;

type QueryOf<Asked> = Asked extends { query: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : never;

export type Answer = (call: ApiCall) => Promise<ApiAnswer>;

export function answerOf(body: ApiAnswer["body"], init: AnswerInit = {}): ApiAnswer {
  const headers = new Headers(init.headers);
  if (body !== null && !headers.has("Content-Type"))
    headers.set("Content-Type", "application/json; charset=utf-8");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  return { status: init.status ?? 200, headers, body };
}

export const json = (value: unknown, init?: AnswerInit): ApiAnswer =>
  answerOf(JSON.stringify(value), init);

/** The `loader` and `action` of a resource route with these operations. The guard has turned HEAD into GET. */
export function apiRoute<Operations extends Partial<Record<Method, Operation>>>(
  operations: Operations,
  handlers: { [Name in keyof Operations]: Handler<QueryOf<Operations[Name]>> },
) {
  const allow = Object.keys(operations)
    .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    .join(", ");

  const answer: Answer = async ({ request, url, params, body }) => {
    const method = request.method as Method;
    const operation = Object.hasOwn(operations, method) ? operations[method] : undefined;
    if (!operation)
      return json({ error: refusalTexts[405] }, { status: 405, headers: { Allow: allow } });
    const { failure, ofService, query } = operation;
    const handler = handlers[method] as Handler<unknown>;
    let late: (() => ApiAnswer) | undefined;
    let limit: LimitState | undefined;
    try {
      const work = async () => {
        if (ofService) limit = await requireService(request);
        return handler({
          request,
          url,
          id: idOf(params.id, url),
          user: () => currentUser(request),
          writer: async () => {
            const user = await currentUser(request);
            limit = await countWrite(user);
            return user;
          },
          query: () => query && parseInput(query, parametersOf(url)),
          ifMatch: () => ifMatchOf(request),
          body: () => parsed(body),
          text: () => textOf(body),
          whenLate: (answer) => (late = answer),
        });
      };
      return sayLimit(await withDeadline(work()), limit);
    } catch (error) {
      if (error instanceof RateLimitError) limit ??= error.limit;
      const headers = retryAfterOf(error);
      const isFailure = error instanceof BusyError || error instanceof UncertainError;
      if (error instanceof ServiceError && !isFailure)
        return sayLimit(json({ error: error.message }, { status: error.status, headers }), limit);
      log.error({ err: error }, failure);
      return sayLimit(late?.() ?? json({ error: failure }, { status: 500, headers }), limit);
    }
  };
  const isPublic = operations.GET && !operations.GET.ofCaller;
  return resourceRoute(isPublic ? forOtherSites(answer) : answer);
}

/** The four operations know only our own ids; a user, tour or booking has its platform's, too. */
function idOf(id: string | undefined, { pathname }: URL): string {
  if (id === undefined || /^\/api\/reviews\//i.test(pathname)) return id ?? "";
  // Not the parameter, in which `%2F` has become `/` even where it was a part of the id.
  return platformId(decodeURIComponent(pathname.split("/")[3]!)) ?? "";
}

/** Says what is left of the limit that the request was counted for (draft-ietf-httpapi-ratelimit-headers-10). */
function sayLimit(answer: ApiAnswer, limit: LimitState | undefined): ApiAnswer {
  if (!limit) return answer;
  const { name, points, windowSeconds, left, secondsLeft } = limit;
  answer.headers.set("RateLimit-Policy", `"${name}";q=${points};w=${windowSeconds}`);
  answer.headers.set("RateLimit", `"${name}";r=${left};t=${secondsLeft}`);
  return answer;
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

/** Lets scripts of other sites read what everybody may read, never with the visitor's cookie (Fetch, CORS protocol). */
function forOtherSites(answer: Answer): Answer {
  return async (call) => {
    // The state of the site is nobody's to read from another one.
    if (!/^\/api\//i.test(call.url.pathname)) return answer(call);
    const { method, headers } = call.request;
    if (method === "OPTIONS" && headers.has("Access-Control-Request-Method"))
      return answerOf(null, { status: 204, headers: PREFLIGHT });
    const answered = await answer(call);
    if (method === "GET")
      for (const [name, value] of Object.entries(SHARED)) answered.headers.set(name, value);
    return answered;
  };
}

/** The parameters of a query; the first of those with the same name. */
const parametersOf = ({ searchParams }: URL): Record<string, string> =>
  Object.fromEntries([...searchParams].reverse());

/** Remix can call `loader` and `action`; `answerApi` calls `answer` itself, without a `Request` and a `Response`. */
export function resourceRoute(answer: Answer) {
  const route = async ({ request, params }: LoaderFunctionArgs | ActionFunctionArgs) => {
    const body = Buffer.from(await request.arrayBuffer());
    return toResponse(await answer({ request, url: new URL(request.url), params, body }));
  };
  return { loader: Object.assign(route, { answer }), action: route };
}

function toResponse({ body, ...init }: ApiAnswer): Response {
  if (body === null || typeof body === "string") return new Response(body, init);
  if ("body" in body) return new Response(new Uint8Array(body.body), init);
  const bytes = Readable.from(body.parts()).map((part: string) => Buffer.from(part));
  return new Response(Readable.toWeb(bytes) as ReadableStream, init);
}

/** Weak tags never match (RFC 9110, 13.1.1). Behind a dot stands what is no part of a record's state. */
function ifMatchOf(request: ApiCall["request"]): string[] | undefined {
  const header = request.headers.get("If-Match");
  if (header === null || header.trim() === "*") return undefined;
  return header.split(",").flatMap((tag) => /^"([^".]*)(?:\.[^"]*)?"$/.exec(tag.trim())?.[1] ?? []);
}

function parsed(body: Buffer | null): unknown {
  try {
    return JSON.parse(textOf(body));
  } catch {
    return undefined;
  }
}

/** Empty where it is not UTF-8. */
function textOf(body: Buffer | null): string {
  try {
    // The decoder drops a byte order mark.
    return new TextDecoder("utf-8", { fatal: true }).decode(body ?? undefined);
  } catch {
    return "";
  }
}
