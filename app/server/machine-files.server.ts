import { env } from "~/infra/env.server";
import { secretPaths } from "~/server/guard/page-methods.server";

const KEPT_SECONDS = 3_600;

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
const SITEMAPS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

function file(body: string, type: string): Response {
  return new Response(body, {
    headers: {
      "Content-Type": `${type}; charset=utf-8`,
      "Cache-Control": `public, max-age=${KEPT_SECONDS}`,
    },
  });
}

/** Of a path in which `&`, `<` and `>` are percent-encoded. */
const locationOf = (path: string) => `<loc>${env().appUrl}${path}</loc>`;

/** The pages at these paths, as https://www.sitemaps.org/protocol.html has them. */
export const sitemapOf = (paths: string[]): Response =>
  file(
    `${XML}<urlset ${SITEMAPS}>\n${paths.map((path) => `<url>${locationOf(path)}</url>\n`).join("")}</urlset>\n`,
    "application/xml",
  );

export function sitemapIndex(parts: number): Response {
  const sitemaps = Array.from(
    { length: parts },
    (_, index) => `<sitemap>${locationOf(`/sitemap/${index + 1}.xml`)}</sitemap>\n`,
  );
  return file(
    `${XML}<sitemapindex ${SITEMAPS}>\n${sitemaps.join("")}</sitemapindex>\n`,
    "application/xml",
  );
}

/** Personal pages are not for search engines, and neither are those behind a personal link (`secretPaths`). */
const OWN = ["/api/", "/dev/", "/guide$", "/guide?", "/guide/", "/me", "/operator"];
const FORMS = ["/report", "/reviews/*/edit", "/reviews/*/delete", "/reviews/*/reply"];

/** RFC 9309 */
export function robots(): Response {
  const closed = [...OWN, ...FORMS, ...secretPaths().map((path) => `/${path}/`)];
  return file(
    `User-agent: *\n${closed.map((path) => `Disallow: ${path}\n`).join("")}\nSitemap: ${env().appUrl}/sitemap.xml\n`,
    "text/plain",
  );
}

/** While this process does not know the tours yet. */
export const notYet = (): Response =>
  new Response(null, { status: 503, headers: { "Retry-After": "10" } });
