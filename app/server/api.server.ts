import type { IncomingMessage, ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ServerBuild } from "@remix-run/node";
import { matchRoutes } from "@remix-run/react";
import { env } from "~/config/env.server";
import { log } from "~/lib/log.server";
import { isApi } from "~/server/guard/remix-path.server";
import type { ApiAnswer, CachedJson } from "./api-request.server";
import type { Answer } from "./api-route.server";
import { type FindApiRoute, shared } from "./reloads.server";

/** Gives `answerApi` the routes of the build, which exist once the app is loaded. */
export function setApiRoutes(routes: () => ServerBuild["routes"]): void {
  let found: FindApiRoute | undefined;
  shared.findApiRoute = (path) => (found ??= routesByPath(routes()))(path);
}

function routesByPath(routes: ServerBuild["routes"]): FindApiRoute {
  const api = Object.values(routes).flatMap(({ id, path = "", caseSensitive, module }) => {
    const { answer } = module as unknown as { answer: Answer };
    return isApi(`/${path}`) ? { id, path, caseSensitive, answer } : [];
  });
  // Those without parameters are found at once, as `matchRoutes` compares with all routes.
  const plain = api.filter(({ path }) => !/[:*]/.test(path));
  const byPath = new Map(plain.map(({ path, answer }) => [`/${path}`, { answer, params: {} }]));
  return (remixPath) => {
    const found = byPath.get(remixPath);
    if (found) return found;
    const match = matchRoutes(api, remixPath)?.at(-1);
    return match && { answer: match.route.answer, params: match.params };
  };
}

/** A request to the API as it was sent, but for its method and headers. */
interface SentRequest {
  address: string;
  body: Buffer | null;
  /** Whether only the head of the answer is asked for. */
  head: boolean;
}

/**
 * Answers a request to the API that has passed the guard, without what `remix-serve` does for pages and files
 * (docs/decisions/006-guard-around-remix-serve.md). Returns whether `remixPath` has a route.
 */
export function answerApi(
  incoming: IncomingMessage,
  response: ServerResponse,
  remixPath: string,
  { address, body, head }: SentRequest,
): boolean {
  const route = shared.findApiRoute?.(remixPath);
  if (!route) return false;
  const url = new URL(address, env().appUrl);
  const request = { method: incoming.method ?? "", url: url.href, headers: toHeaders(incoming) };
  route
    .answer({ request, url, params: route.params, body })
    .then((answered) => sendAnswer(incoming, response, answered, head))
    .catch((error: unknown) => {
      if (!isGone(error)) log.error({ err: error }, "an answer was cut off");
      response.destroy();
    });
  return true;
}

/** Whether an answer ended because the client went away: meanwhile, or, as later versions of Node.js call it, before. */
const isGone = (error: unknown) =>
  /^ERR_STREAM_(PREMATURE_CLOSE|UNABLE_TO_PIPE)$/.test((error as NodeJS.ErrnoException).code ?? "");

/** The request's headers as Remix has them: without those that are empty. */
function toHeaders({ headers }: IncomingMessage): Headers {
  const copy = new Headers();
  for (const [name, value] of Object.entries(headers)) if (value) copy.set(name, String(value));
  return copy;
}

async function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: ApiAnswer,
  head: boolean,
): Promise<void> {
  response.statusCode = status;
  for (const [name, value] of headers) response.setHeader(name, value);
  if (body === null || (head && typeof body === "object" && "parts" in body)) {
    response.end();
    return;
  }
  if (typeof body === "string") return whole(response, body);
  if ("parts" in body) return sendParts(body.parts(), response);
  sendCached(request, response, body);
}

/** Sends what is kept in memory, compressed to who takes that. */
export function sendCached(
  request: IncomingMessage,
  response: ServerResponse,
  { body, gzip }: CachedJson,
): void {
  if (!response.hasHeader("Vary")) response.setHeader("Vary", "Accept-Encoding");
  const compressed = accepts(request, "gzip") ? gzip : null;
  if (compressed) response.setHeader("Content-Encoding", "gzip");
  whole(response, compressed ?? body);
}

/** Makes a part when the client has taken the one before, so that a slow client costs no memory. */
export const sendParts = (parts: AsyncIterable<string>, response: Writable) =>
  pipeline(parts, response);

function whole(response: ServerResponse, body: Buffer | string): void {
  response.setHeader("Content-Length", Buffer.byteLength(body));
  response.end(body);
}

/** Whether the client names that coding as one that it takes (RFC 9110, 12.5.3). */
export function accepts({ headers }: IncomingMessage, coding: "br" | "gzip"): boolean {
  const accepted = String(headers["accept-encoding"] ?? "").split(",");
  return accepted.some((one) => {
    const [name, quality = "q=1"] = one.split(";").map((part) => part.trim().toLowerCase());
    return name === coding && /^q=(1|0\.0*[1-9])/.test(quality);
  });
}
