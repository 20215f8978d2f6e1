import { randomBytes } from "node:crypto";
import { PassThrough } from "node:stream";
import { createReadableStreamFromReadable, type EntryContext } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { isbot } from "isbot";
import { renderToPipeableStream } from "react-dom/server";
import { PageRequest } from "./components/page-request";
import { log } from "./infra/log.server";
import { requestScope } from "./infra/request-scope.server";
import { startServer } from "./http/start.server";

// remix-serve listens once this module is loaded, so the guard, the indexes and the workers come first.
await startServer();

const RENDER_TIMEOUT_MS = 5_000;

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  const nonce = randomBytes(16).toString("base64");
  const { requestId = "" } = requestScope.getStore() ?? {};
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Content-Security-Policy", contentSecurityPolicy(nonce));
  // A page depends on who is logged in.
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
  if (status === 405) headers.set("Allow", "GET, HEAD");

  return new Promise((resolve, reject) => {
    const ready = isbot(request.headers.get("User-Agent")) ? "onAllReady" : "onShellReady";
    const { pipe, abort } = renderToPipeableStream(
      <PageRequest.Provider value={{ nonce, requestId }}>
        <RemixServer
          context={context}
          url={request.url}
          abortDelay={RENDER_TIMEOUT_MS}
          nonce={nonce}
        />
      </PageRequest.Provider>,
      {
        nonce,
        [ready]() {
          clearTimeout(timer);
          const body = new PassThrough();
          resolve(new Response(createReadableStreamFromReadable(body), { status, headers }));
          pipe(body);
        },
        onShellError: reject,
        onError(error: unknown) {
          log.error({ err: error }, "a page failed to render");
        },
      },
    );
    const timer = setTimeout(abort, RENDER_TIMEOUT_MS);
  });
}

/** Errors that loaders and actions did not expect: neither refusals nor clients that went away. */
export function handleError(error: unknown, { request }: { request: Request }): void {
  if (isRouteErrorResponse(error) && error.status < 500) return;
  if (!request.signal.aborted) log.error({ err: error }, "a page failed");
}

function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    "style-src 'self'",
    "font-src 'self'",
    // Users' pictures may be anywhere on the web.
    "img-src 'self' data: https:",
    // The development server tells pages over a socket of its own to load again.
    `connect-src 'self'${process.env.NODE_ENV === "development" ? " ws:" : ""}`,
    "manifest-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join("; ");
}
