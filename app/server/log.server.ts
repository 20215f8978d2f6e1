import { AsyncLocalStorage } from "node:async_hooks";
import pino from "pino";
import { env } from "./env.server";

/** What every log line and page of one HTTP request shares. */
export interface RequestScope {
  requestId: string;
}

export const requestScope = new AsyncLocalStorage<RequestScope>();

/**
 * Structured logs on standard error (standard output belongs to the commands' own answers).
 * Call it with named fields and a sentence; never with a raw error of SendGrid, a request or a form.
 */
export const log = pino(
  {
    level: env().logLevel,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: () => requestScope.getStore() ?? {},
    redact: { paths: ["*.authorization", "*.cookie", "*.password", "*.token"], remove: true },
  },
  pino.destination({ fd: 2, sync: true }),
);
