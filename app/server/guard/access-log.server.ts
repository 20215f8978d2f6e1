import type { ServerResponse } from "node:http";
import { Histogram } from "prom-client";
import { keyedHash } from "~/lib/digest.server";
import { log } from "~/lib/log.server";
import { processRegistry } from "~/lib/metrics.server";
import { requestScope } from "~/lib/request-scope.server";
import { browserName } from "~/accounts/log-in/browser.server";
import { shownNetwork } from "./client-address.server";
import { METHODS, getRoutePattern } from "./page-methods.server";

const requestDuration = new Histogram({
  name: "tour_reviews_http_request_duration_seconds",
  help: "Requests, from the end of their head to the end of their answer, by the pattern of their route.",
  labelNames: ["method", "route", "status"] as const,
  buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers: [processRegistry],
});

/** Nobody knows what escapes and other characters hide. */
const PLAIN = /^[\w./~-]+$/;

/**
 * The path, where it cannot have a secret: that of a route without a token, or, as `isServed` says, of a file that is
 * there. An address that leads nowhere may be a mistyped one of a secret.
 */
export function loggedPath(path: string, { isServed = false } = {}): string | undefined {
  const route = getRoutePattern(path);
  const isOpen = !route.includes(":token") && (isServed || !route.endsWith("/*"));
  return isOpen && PLAIN.test(path) ? path : undefined;
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
    const route = getRoutePattern(path);
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
      network: scope && shownNetwork(scope.clientAddress),
      agent: browserName(scope?.userAgent) ?? undefined,
      user: scope?.userId && hashedUser(scope.userId),
      serviceToken: scope?.serviceToken,
      ...(aborted && { aborted }),
    });
  });
}

/** The same for all requests of a user, and of no use to find out whose they are without the session secret. */
const hashedUser = (id: string) => keyedHash("user in the log", id).slice(0, 16);
