import pino from "pino";
import { env } from "./env.server";
import { requestScope } from "./request-scope.server";

/**
 * Structured logs on standard error (standard output belongs to the commands' own answers).
 * Call it with named fields and a sentence; never with a raw error of SendGrid, a request or a form.
 */
export const log = pino(
  {
    level: env().logLevel,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: () => ({ requestId: requestScope.getStore()?.requestId }),
    redact: { paths: ["*.authorization", "*.cookie", "*.password", "*.token"], remove: true },
  },
  pino.destination({ fd: 2, sync: true }),
);
