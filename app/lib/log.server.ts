import pino from "pino";
import { env } from "~/config/env.server";
import { failuresLogged } from "./metrics.server";
import { requestScope } from "./request-scope.server";

const ERROR = pino.levels.values.error!;

/**
 * On standard error. Call it with named fields and a sentence; never with a raw error of SendGrid, a request or a
 * form.
 */
export const log = pino(
  {
    level: env().logLevel,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: () => {
      const { requestId, proxyRequestId } = requestScope.getStore() ?? {};
      return { requestId, proxyRequestId };
    },
    redact: { paths: ["*.authorization", "*.cookie", "*.password", "*.token"], remove: true },
    hooks: {
      logMethod(line, method, level) {
        if (level >= ERROR) failuresLogged.inc({ level: pino.levels.labels[level] });
        method.apply(this, line);
      },
    },
  },
  pino.destination({ fd: 2, sync: true }),
);
