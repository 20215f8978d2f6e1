import { AsyncLocalStorage } from "node:async_hooks";
import pino from "pino";
import { env } from "./env.server";

/** What belongs to one HTTP request, wherever it is looked at. */
export interface RequestScope {
  /** Stands in every log line and on pages of failures. */
  requestId: string;
  /** Who the client is to limits; see client-address.server.ts. */
  clientAddress: string;
  /** The answer was a failure, given before the work was done. */
  abandoned?: boolean;
  /** Seconds for the answer's `Retry-After`, when there is to be one. */
  retryAfter?: number;
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
    mixin: () => ({ requestId: requestScope.getStore()?.requestId }),
    redact: { paths: ["*.authorization", "*.cookie", "*.password", "*.token"], remove: true },
  },
  pino.destination({ fd: 2, sync: true }),
);
