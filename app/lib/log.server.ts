import pino, { type LogFn } from "pino";
import { env } from "~/config/env.server";
import { failuresLogged } from "./metrics.server";
import { failureOf, writeOnceAMinute } from "./repeated-lines.server";
import { requestScope } from "./request-scope.server";

const SLASH = "(?:[/\\\\]|%(?:25)*(?:2f|5c))";

/** The links that were sent to somebody, as an error may name them; not the patterns of their routes. */
let links: RegExp | undefined;

/** From now on no line shows what follows one of these paths, such as `me/address`. */
export function maskLinksBelow(paths: string[]): void {
  const named = paths.map((path) => path.split("/").join(`${SLASH}+`));
  const open = `(${SLASH}(?:${named.join("|")})${SLASH}+)`;
  links = paths.length > 0 ? new RegExp(`${open}(?!:\\w+[/"])[^\\s"'<>()\\\\]+`, "gi") : undefined;
}

/** The parameter `token` of any address. */
const TOKEN = /((?:[?&;]|%(?:25)*(?:3f|26|3b))token(?:=|%(?:25)*3d))[^\s"'<>()\\&#]+/gi;

/** A line of the log without what lets one act for the person that a link was sent to. */
export const withoutLinks = (line: string) =>
  (links ? line.replace(links, "$1…") : line).replace(TOKEN, "$1…");

const WARN = pino.levels.values.warn!;
const ERROR = pino.levels.values.error!;

/**
 * On standard error. Call it with named fields and a sentence; never with a raw error of SendGrid, a request or a
 * form. A failure that repeats itself is one line a minute.
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
    hooks: { streamWrite: withoutLinks, logMethod },
  },
  pino.destination({ fd: 2, sync: true }),
);

function logMethod(this: pino.Logger, line: Parameters<LogFn>, method: LogFn, level: number): void {
  if (level < WARN) return method.apply(this, line);
  if (level >= ERROR) failuresLogged.inc({ level: pino.levels.labels[level] });
  const [fields, message] = line as [unknown, unknown];
  const failure = failureOf(fields, message);
  if (failure === null) return method.apply(this, line);
  writeOnceAMinute(`${level} ${failure}`, (repeated) => {
    if (repeated === undefined) method.apply(this, line);
    else if (typeof fields === "string") method.call(this, { repeated }, fields);
    else method.call(this, { ...(fields as object), repeated }, message as string);
  });
}
