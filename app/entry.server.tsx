import manifest from "@remix-run/dev/assets-manifest";
import * as build from "@remix-run/dev/server-build";
import type { EntryContext, HandleDataRequestFunction, HandleErrorFunction } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToStaticMarkup, renderToString } from "react-dom/server";
import { withErrorTitle } from "~/ui/browser/error-title";
import { PageRequest } from "~/ui/browser/page-request";
import { accentStyles } from "~/config/accent.server";
import { env } from "~/config/env.server";
import { log } from "~/lib/log.server";
import { requestScope } from "~/lib/request-scope.server";
import { withoutControls } from "~/lib/text";
import { setApiRoutes } from "~/server/api.server";
import { setRoutes } from "~/server/guard/page-methods.server";
import { cacheRendered } from "~/server/cached-pages.server";
import { ownScripts, pagePolicy } from "~/server/page-policy.server";
import { readerScripts } from "~/server/reader-page.server";
import { storeTaken } from "~/server/session.server";
import { startServer } from "~/server/guard/start.server";
import { Sign } from "~/ui/sign";
import { site } from "~/ui/site";

// remix-serve listens once this module is loaded, so the guard, the indexes and the workers come first.
setRoutes(manifest.routes);
setApiRoutes(() => build.routes);
await startServer();
const { siteName, siteLogo, siteAccent, tones } = env();
const STYLES = siteAccent ? accentStyles(tones) : "";

const signInAccent = () =>
  renderToStaticMarkup(<Sign xmlns="http://www.w3.org/2000/svg" colour={tones.light.accent} />);
const ownIcon = siteAccent ? `data:image/svg+xml,${encodeURIComponent(signInAccent())}` : null;
Object.assign(site, { name: siteName, logo: siteLogo, icon: siteLogo ?? ownIcon });

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  const { requestId = "" } = requestScope.getStore() ?? {};
  headers.set("Content-Type", "text/html; charset=utf-8");
  // A page depends on who is logged in.
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
  await storeTaken(request, headers);

  const { serverHandoffStream, ...page } = context;
  const readers = readerScripts(context);
  const render = readers ? renderToStaticMarkup : renderToString;
  // As a whole: no loader defers anything, so there is nothing to send earlier.
  const rendered = render(
    <PageRequest.Provider value={{ requestId, styles: STYLES, scripts: readers }}>
      <RemixServer context={page} url={request.url} />
    </PageRequest.Provider>,
  );
  const named = status < 400 ? rendered : withErrorTitle(rendered);
  const html = withoutControls(named.replaceAll(PRELOADS, ""));
  const data = readers ? "" : dataScripts(await new Response(serverHandoffStream).text());
  const whole = `<!DOCTYPE html>${html.slice(0, -END.length)}${data}${END}`;
  const scripts = readers?.map(({ text }) => text) ?? ownScripts(whole);
  headers.set("Content-Security-Policy", pagePolicy(scripts, STYLES));
  const body = Buffer.from(whole);
  if (status === 200 && cacheRendered(request, headers, body))
    return new Response(null, { status: 304, headers });
  headers.set("Content-Length", String(body.byteLength));
  return new Response(body, { status, headers });
}

export const handleDataRequest: HandleDataRequestFunction = async (response, { request }) => {
  await storeTaken(request, response.headers);
  return response;
};

const END = "</body></html>";

/** With them all scripts would load beside the fonts and pictures, which are to be seen first. */
const PRELOADS = /<link rel="modulepreload"[^>]*>/g;

/**
 * The scripts that give the loaders' data to the page's own. Remix would write them behind the end of the document,
 * where HTML allows none, and would have React render as a stream.
 */
function dataScripts(data: string): string {
  const start = "<script>window.__remixContext.streamController";
  const quoted = JSON.stringify(data).replace(
    /[&<>\u007F-\u009F\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${start}.enqueue(${quoted});</script>${start}.close();</script>`;
}

/** Errors that loaders and actions did not expect: neither refusals nor clients that went away. */
export const handleError: HandleErrorFunction = (error, { request }) => {
  if (isRouteErrorResponse(error) && error.status < 500) return;
  if (!request.signal.aborted) log.error({ err: error }, "a page failed");
};
