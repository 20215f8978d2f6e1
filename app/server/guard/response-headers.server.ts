import type { ServerResponse } from "node:http";
import { env } from "~/config/env.server";
import { isBuilt } from "./built-files.server";

let closing = false;

/** From now on every answer tells its client that the connection closes. */
export function closeConnections(): void {
  closing = true;
}

/** Sets the headers of every answer that does not set its own: API, pages, static files, errors. */
export function setDefaultHeaders(
  response: ServerResponse,
  requestId: string,
  { path, searchParams }: { path: string; searchParams: URLSearchParams },
): void {
  response.setHeader("X-Request-Id", requestId);
  // A secret of an address is in no Referer, not even to ourselves.
  if (searchParams.has("token")) response.setHeader("Referrer-Policy", "strict-origin");
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  // At the last moment, because Remix appends to a header that is already there.
  response.writeHead = (...args: unknown[]) => {
    const status = typeof args[0] === "number" ? args[0] : response.statusCode;
    // Dozens of scripts come with a page: nothing that only a document needs.
    const isPart = isBuilt(path) && status < 400;
    if (isPart) for (const name of NOT_OF_PARTS) response.removeHeader(name);
    for (const [name, value] of isPart ? HEADERS_OF_PARTS : DEFAULT_HEADERS)
      if (!response.hasHeader(name) || response.getHeader(name) === EXPRESS_POLICY)
        response.setHeader(name, value);
    if (!response.hasHeader(SHARING))
      response.setHeader(SHARING, PICTURES.test(path) ? "cross-origin" : "same-origin");
    if (closing) response.setHeader("Connection", "close");
    if (env().secure) response.setHeader("Strict-Transport-Security", strictTransport());
    return writeHead(...args);
  };
}

const SHARING = "Cross-Origin-Resource-Policy";

/** Other sites show these beside a link to a page of ours: covers, the pictures of previews, icons. */
const PICTURES = /^\/(covers|pictures|share)\/[^/]+$|^\/(favicon|apple-touch-icon)\.\w+$/;

/** Only the domain's operator knows whether all its subdomains have HTTPS. */
const strictTransport = () =>
  `max-age=31536000${env().hstsIncludeSubdomains ? "; includeSubDomains" : ""}`;

/** The policy of the answers that Express makes by itself, which lets other sites frame them. */
const EXPRESS_POLICY = "default-src 'none'";

const HEADERS_OF_PARTS = [["X-Content-Type-Options", "nosniff"]] as const;

const DEFAULT_HEADERS = Object.entries({
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy":
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  // A page's data, which Remix sends to its own scripts, depends on who is logged in.
  "Cache-Control": "private, no-store",
  "Cross-Origin-Opener-Policy": "same-origin",
  // Features that no page of ours uses. Pages do use the clipboard and the system's sharing.
  "Permissions-Policy":
    "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()",
  // Not `no-referrer`: browsers then send `Origin: null` with the site's own forms.
  "Referrer-Policy": "strict-origin-when-cross-origin",
});

/**
 * Its name says which file it is, which no browser asks for anew; the log says less of it than of pages; and HTTP/1.1
 * keeps a connection without being told.
 */
const NOT_OF_PARTS = ["Accept-Ranges", "Connection", "ETag", "Last-Modified", "X-Request-Id"];
