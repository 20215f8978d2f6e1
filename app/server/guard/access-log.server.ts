import type { ServerResponse } from "node:http";
import { keyedHash } from "~/lib/digest.server";
import { log } from "~/lib/log.server";
import { requestDuration } from "~/lib/metrics.server";
import { requestScope } from "~/lib/request-scope.server";
import { browserName } from "~/accounts/log-in/browser.server";
import { METHODS, routeOf, secretPattern } from "./page-methods.server";

/** How many times an escape may be escaped in turn, in ways that are not told apart at once. */
const MOST_LEVELS = 5;

/** The parameter `token` of a query that was mangled into a path. */
const TOKEN = /^([^]*?[?&;]token=)([^]+)$/i;

/** The first segment of a path, where it is no longer than names are: a longer one may be a secret itself. */
const FIRST_SEGMENT = /^\/*([\p{L}\p{N}._~-]{1,32})(?![\p{L}\p{N}._~-])/u;

/**
 * The path without its secret, however the path is written. Of one that leads nowhere only the beginning is shown: its
 * secret may stand behind a name that was mistyped. `isServed` says that there is a file of that name.
 */
export function loggedPath(path: string, { isServed = false } = {}): string {
  let plain = path;
  for (let level = 0; ; level++) {
    const before = plain;
    plain = before.replace(/(?:%(?:25)*[0-9a-f]{2})+/gi, (escapes) =>
      Buffer.from(escapes.replace(/%(?:25)*([0-9a-f]{2})/gi, "$1"), "hex").toString(),
    );
    if (plain === before) break;
    if (level === MOST_LEVELS) return "/…";
  }
  const readable = plain
    .normalize("NFKC")
    .replace(/[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replace(/[/\\]+/g, "/");
  const [, open, rest = ""] = secretPattern().exec(readable) ?? TOKEN.exec(readable) ?? [];
  const isSecret = open !== undefined && !/^\/?(\.data)?$/.test(rest);
  if (isServed || !routeOf(path).endsWith("/*")) return isSecret ? `${open}…` : path;
  const shown = isSecret ? open : readable;
  const [whole = "", first = ""] = FIRST_SEGMENT.exec(shown) ?? [];
  if (whole !== shown) return `/${first && `${first}/`}…`;
  return isSecret ? `/${first}…` : path;
}

const PROBES = new Set(["/healthz", "/livez", "/metrics"]);

/** Writes the request's line of the access log, and counts it, when its response is over. */
export function logWhenClosed(response: ServerResponse, method: string, path: string): void {
  const started = performance.now();
  const { socket } = response.req;
  const bytesBefore = socket.bytesWritten;
  const scope = requestScope.getStore();
  // Without a listener, a write after the end would end the process.
  response.on("error", (error) => log.error({ err: error }, "an answer failed"));
  response.once("close", () => {
    const ms = performance.now() - started;
    const status = response.statusCode;
    const route = routeOf(path);
    const isServed = response.headersSent && (status < 300 || status === 304);
    // Strangers make up further methods.
    const known = METHODS.has(method) ? method : "other";
    const kind = `${Math.floor(status / 100)}xx`;
    requestDuration.observe({ method: known, route, status: kind }, ms / 1_000);
    // 501 answers who asks for what this version of oEmbed does not have.
    const isFault = status >= 500 && status !== 501;
    const level = isFault ? "error" : PROBES.has(route) ? "debug" : "info";
    if (!log.isLevelEnabled(level)) return;
    // Node calls an answer finished, too, that was cut off on its way to the client.
    const aborted = !response.writableFinished || socket.destroyed;
    log[level]({
      method,
      path: loggedPath(path, { isServed }),
      route,
      status,
      ms: Math.round(ms),
      bytes: socket.bytesWritten - bytesBefore,
      network: scope?.network,
      agent: browserName(scope?.userAgent) ?? undefined,
      user: scope?.userId && hashedUser(scope.userId),
      serviceToken: scope?.serviceToken,
      ...(aborted && { aborted }),
    });
  });
}

/** The same for all requests of a user, and of no use to find out whose they are without the session secret. */
const hashedUser = (id: string) => keyedHash("user in the log", id).slice(0, 16);
