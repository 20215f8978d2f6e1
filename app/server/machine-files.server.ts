import { weakETag } from "~/lib/digest.server";
import { env } from "~/config/env.server";
import { secretPaths } from "~/server/guard/page-methods.server";
import { matchesETag } from "./review-form.server";

const KEPT_SECONDS = 3_600;

function file(body: string, type: string): Response {
  return new Response(body, {
    headers: {
      "Content-Type": `${type}; charset=utf-8`,
      "Cache-Control": `public, max-age=${KEPT_SECONDS}`,
    },
  });
}

/** A list as https://www.sitemaps.org/protocol.html has it, of paths in which `&`, `<` and `>` are percent-encoded. */
function xml(list: string, item: string, paths: string[]): Response {
  const items = paths.map((path) => `<${item}><loc>${env().appUrl}${path}</loc></${item}>\n`);
  const open = `${list} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`;
  return file(
    `<?xml version="1.0" encoding="UTF-8"?>\n<${open}>\n${items.join("")}</${list}>\n`,
    "application/xml",
  );
}

export const toSitemap = (paths: string[]) => xml("urlset", "url", paths);

export const sitemapIndex = (parts: number) =>
  xml(
    "sitemapindex",
    "sitemap",
    Array.from({ length: parts }, (_, index) => `/sitemap/${index + 1}.xml`),
  );

// Personal pages are not for search engines, and neither are those behind a personal link (RFC 9309).
const OWN = ["/api/", "/dev/", "/guide$", "/guide?", "/guide/", "/me", "/operator"];
const OF_AUTHORS = [
  "/report",
  ...["edit", "delete", "reply", "receipt"].map((page) => `/reviews/*/${page}`),
];

export function robots(): Response {
  const closed = [...OWN, ...OF_AUTHORS, ...secretPaths().map((path) => `/${path}/`)];
  return file(
    `User-agent: *\n${closed.map((path) => `Disallow: ${path}\n`).join("")}\nSitemap: ${env().appUrl}/sitemap.xml\n`,
    "text/plain",
  );
}

/** The policy of a picture: a browser that shows it alone has styles of its own for that. No site frames it. */
export const PICTURE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Answers with a text that any site may show, or 304 to a client that has it already. It is always revalidated, so that
 * authors see their review at once.
 */
export function sharedFile(
  request: Request,
  body: string,
  type: string,
  headers: Record<string, string> = {},
): Response {
  const etag = weakETag(body);
  const unchanged = matchesETag(request.headers.get("If-None-Match"), etag);
  return new Response(unchanged ? null : body, {
    status: unchanged ? 304 : 200,
    headers: {
      "Content-Type": `${type}; charset=utf-8`,
      "Cache-Control": "public, no-cache",
      "Access-Control-Allow-Origin": "*",
      "Cross-Origin-Resource-Policy": "cross-origin",
      ETag: etag,
      ...headers,
    },
  });
}

/** Answers while this process does not know the tours yet. */
export const notYet = (): Response =>
  new Response(null, { status: 503, headers: { "Retry-After": "10" } });
