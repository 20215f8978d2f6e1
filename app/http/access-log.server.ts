import type { ServerResponse } from "node:http";
import { log } from "../infra/log.server";

/** Whoever knows an address below one of these acts for the person that it was sent to. */
const SECRET_PATHS = ["/unsubscribe/", "/signup/", "/reset/", "/me/address/"];

const secret = new RegExp(`^(.*?(?:${SECRET_PATHS.join("|")})).`, "is");

/**
 * The path as the log shows it: without the secret that follows one of `SECRET_PATHS`, however the
 * path is written, and also where the address was mangled and leads nowhere.
 */
export function loggedPath(path: string): string {
  let plain = path;
  // An escape may be escaped in turn. The paths above are ASCII, so the others can stay.
  for (let level = 0; level < 5; level++)
    plain = plain.replace(/%(?:25)*([0-7][0-9a-f])/gi, (_, code: string) =>
      String.fromCharCode(parseInt(code, 16)),
    );
  const [, open] = secret.exec(plain.replace(/[/\\]+/g, "/")) ?? [];
  return open ? `${open}…` : path;
}

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
      path: loggedPath(path),
      status: response.statusCode,
      ms: Math.round(performance.now() - started),
      ...(!response.writableFinished && { aborted: true }),
    });
  });
}
