import { randomBytes } from "node:crypto";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import manifest from "@remix-run/dev/assets-manifest";
import * as build from "@remix-run/dev/server-build";
import type { EntryContext } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import type { ReactElement } from "react";
import { type PipeableStream, renderToPipeableStream } from "react-dom/server";
import { PageRequest } from "./components/page-request";
import { log } from "./infra/log.server";
import { requestScope } from "./infra/request-scope.server";
import { setApiRoutes } from "./http/api.server";
import { setRoutes } from "./http/page-methods.server";
import { startServer } from "./http/start.server";

// remix-serve listens once this module is loaded, so the guard, the indexes and the workers come first.
setRoutes(manifest.routes);
setApiRoutes(() => build.routes);
await startServer();

const RENDER_TIMEOUT_MS = 5_000;

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  const nonce = randomBytes(16).toString("base64");
  const { requestId = "", allow = "GET, HEAD" } = requestScope.getStore() ?? {};
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Content-Security-Policy", contentSecurityPolicy(nonce));
  // A page depends on who is logged in.
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
  if (status === 405) headers.set("Allow", allow);

  const html = await render(
    <PageRequest.Provider value={{ nonce, requestId }}>
      <RemixServer
        context={context}
        url={request.url}
        abortDelay={RENDER_TIMEOUT_MS}
        nonce={nonce}
      />
    </PageRequest.Provider>,
    nonce,
  );
  const body = Buffer.from(withScriptsInBody(html));
  headers.set("Content-Length", String(body.byteLength));
  return new Response(body, { status, headers });
}

/** Renders a page as a whole. No loader defers anything, so there is nothing to send earlier. */
async function render(page: ReactElement, nonce: string): Promise<string> {
  const pipe = await new Promise<PipeableStream["pipe"]>((resolve, reject) => {
    const stream = renderToPipeableStream(page, {
      nonce,
      // Larger parts would come after the others, for a script to put into their places.
      progressiveChunkSize: Infinity,
      onAllReady() {
        clearTimeout(timer);
        resolve(stream.pipe);
      },
      // Comes first where the page fails, and then nothing must be read from the stream.
      onShellError: reject,
      onError(error: unknown) {
        log.error({ err: error }, "a page failed to render");
      },
    });
    const timer = setTimeout(stream.abort, RENDER_TIMEOUT_MS);
  });
  const html = await text(pipe(new PassThrough()));
  // React 18 leaves zero bytes at the end of a block that a character of several bytes does not fit into.
  return html.replaceAll("\0", "");
}

const END = "</body></html>";

/**
 * Remix writes the scripts with the loaders' data behind the end of the document, where HTML allows
 * none: moves them to the end of the body, without the comments of React around them.
 */
function withScriptsInBody(html: string): string {
  // What users have written is escaped, on the page as in the scripts.
  const end = html.lastIndexOf(END);
  const behind = html.slice(end + END.length);
  return html.slice(0, end) + behind.replace(/<!--\/?\$-->/g, "") + END;
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
