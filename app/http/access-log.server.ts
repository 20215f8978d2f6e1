import type { ServerResponse } from "node:http";
import { log } from "../infra/log.server";

/** Writes the request's line of the access log when its response is over. */
export function logWhenClosed(
  response: ServerResponse,
  method: string | undefined,
  path: string,
): void {
  const started = performance.now();
  response.once("close", () => {
    log.info({
      method,
      // Whoever knows the address of an unsubscribe page can end that guide's mails.
      path: path.replace(/^(\/unsubscribe\/).+/i, "$1…"),
      status: response.statusCode,
      ms: Math.round(performance.now() - started),
      ...(!response.writableFinished && { aborted: true }),
    });
  });
}
