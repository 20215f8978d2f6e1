import pino from "pino";
import { env } from "./env.server";
import { requestScope } from "./request-scope.server";

const SLASH = "(?:[/\\\\]|%(?:25)*(?:2f|5c))";

/** The links that were sent to somebody, as an error may name them. */
const LINK = new RegExp(
  `(${SLASH}(?:unsubscribe|signup|reset|me${SLASH}+address)${SLASH}+)[^\\s"'<>()\\\\]+`,
  "gi",
);

/** A line of the log without what lets one act for the person that a link was sent to. */
export const withoutLinks = (line: string) => line.replace(LINK, "$1…");

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
    hooks: { streamWrite: withoutLinks },
  },
  pino.destination({ fd: 2, sync: true }),
);
