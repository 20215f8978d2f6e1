import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { z } from "zod";
import { oneLine } from "../../models/reading";
import {
  databaseNameOf,
  isLoadBalanced,
  isMongodbUri,
  LOAD_BALANCED,
  withDatabaseName,
} from "./mongodb-uri";

/** A setting that stops the start; its message is one line that names the variable. */
export class EnvError extends Error {}

/** The database of a `MONGODB_URI` that names none. */
const DATABASE_NAME = "tour_reviews";

/** So many server processes without a word of the operator at most. */
const DEFAULT_PROCESSES = 8;

/** So many server processes at all. */
const MOST_PROCESSES = 64;

/** So many connections of one process without a word of the operator. */
const DEFAULT_CONNECTIONS = 2_000;

/**
 * So long an idle connection stays open without a word of the operator, in seconds: longer than the proxies
 * that are in use keep theirs by default, Cloudflare's 900 being the longest (docs/decisions/023-connections.md).
 */
const DEFAULT_KEEP_ALIVE_SECONDS = 920;

/** The least number of characters of a session secret. */
export const SESSION_SECRET_LENGTH = 32;

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Both addresses of this machine: `localhost` is the one or the other, as the system likes. */
const LOOPBACK_ADDRESSES = ["127.0.0.1", "::1"];

const origin = z
  .url({ protocol: /^https?$/, error: "must be an http(s) address", abort: true })
  .refine((value) => new URL(value).href === `${new URL(value).origin}/`, {
    error: "must be an origin without a path, such as https://reviews.example.com",
  })
  .transform((value) => new URL(value).origin);

const yesOrNo = z
  .enum(["true", "false", "1", "0"], { error: "must be true or false" })
  .default("false")
  .transform((value) => value === "true" || value === "1");

function wholeNumber(from: number, to: number) {
  const error = `must be a whole number from ${from} to ${to}`;
  return z.coerce.number({ error }).int(error).min(from, error).max(to, error);
}

const schema = z
  .object({
    NODE_ENV: z.string().optional(),
    PORT: wholeNumber(1, 65535).default(3000),
    HOST: z
      .string()
      .trim()
      .transform((value) => value.replace(/^\[(.*)\]$/, "$1"))
      .refine((value) => isIP(value) || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value), {
        error: "must be an address or a host name without a port, such as 0.0.0.0, :: or localhost",
      })
      .optional(),
    APP_URL: origin.optional(),
    DATA_DIR: z.string().default(".data"),
    MONGODB_URI: z
      .string()
      .regex(/^mongodb(\+srv)?:\/\/[^/?]/, {
        error: "must start with mongodb:// or mongodb+srv://",
        abort: true,
      })
      .refine(isMongodbUri, {
        error:
          "cannot be parsed: percent-encode the user name and password, and name one host without a port after mongodb+srv://",
        abort: true,
      })
      .refine((uri) => !isLoadBalanced(uri), {
        error: LOAD_BALANCED,
        abort: true,
      })
      .transform((uri) => (databaseNameOf(uri) ? uri : withDatabaseName(uri, DATABASE_NAME)))
      .optional(),
    EMBEDDED_DATABASE: yesOrNo,
    WEB_CONCURRENCY: wholeNumber(1, MOST_PROCESSES).optional(),
    MAX_CONNECTIONS: wholeNumber(1, 100_000).default(DEFAULT_CONNECTIONS),
    KEEP_ALIVE_SECONDS: wholeNumber(1, 86_400).default(DEFAULT_KEEP_ALIVE_SECONDS),
    METRICS_PORT: wholeNumber(1, 65535).optional(),
    SLOW_COMMAND_MS: wholeNumber(0, 3_600_000).default(0),
    SESSION_SECRET: z
      .string()
      .min(SESSION_SECRET_LENGTH, `must have at least ${SESSION_SECRET_LENGTH} characters`)
      .optional(),
    SENDGRID_API_KEY: z.string().optional(),
    SENDGRID_BASE_URL: z
      .url({ protocol: /^https?$/, error: "must be an http(s) address" })
      .default("https://api.sendgrid.com"),
    MAIL_FROM: z
      .string()
      .transform(parseMailbox)
      .refine((from) => z.email().safeParse(from.email).success, {
        error: "must be an address such as reviews@example.com or Reviews <reviews@example.com>",
      })
      .optional(),
    LOG_LEVEL: z
      .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], {
        error: "must be one of fatal, error, warn, info, debug, trace, silent",
      })
      .default("info"),
    TRUST_PROXY: yesOrNo,
    HSTS_INCLUDE_SUBDOMAINS: yesOrNo,
    CONTACT_URL: z
      .url({ protocol: /^(https?|mailto)$/, error: "must be an http(s) or mailto: address" })
      .optional(),
    PRIVACY_URL: z.url({ protocol: /^https?$/, error: "must be an http(s) address" }).optional(),
    BOOKING_COMPLETION: z
      .enum(["automatic", "platform"], { error: "must be automatic or platform" })
      .optional(),
  })
  .superRefine((values, context) => {
    const missing = (name: string, why: string) =>
      context.addIssue({ code: "custom", path: [name], message: why });
    for (const name of ["APP_URL", "SESSION_SECRET"] as const)
      if (values.NODE_ENV === "production" && values.MONGODB_URI && !values[name])
        missing(name, "is required with NODE_ENV=production and MONGODB_URI");
    // A misspelt MONGODB_URI must not begin a site with an empty database.
    if (values.NODE_ENV === "production" && !values.MONGODB_URI && !values.EMBEDDED_DATABASE)
      missing(
        "MONGODB_URI",
        "is required with NODE_ENV=production; set EMBEDDED_DATABASE=true for the embedded database",
      );
    if (values.METRICS_PORT === values.PORT)
      missing("METRICS_PORT", "must not be the PORT of the site");
    if (values.SENDGRID_API_KEY && !values.MAIL_FROM)
      missing("MAIL_FROM", "is required with SENDGRID_API_KEY");
  });

export type Env = Readonly<ReturnType<typeof parseEnv>>;

/**
 * Reads the settings that `.env.example` describes. Empty values count as unset.
 * Throws `EnvError` with one line that names every bad or missing variable.
 */
export function parseEnv(source: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const result = schema.safeParse(given);
  if (!result.success)
    throw new EnvError(
      result.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`).join("; "),
    );
  const values = result.data;
  // Through URL, because browsers leave a default port out of the origin that they send.
  const appUrl = values.APP_URL ?? new URL(`http://localhost:${values.PORT}`).origin;
  const local = LOOPBACK.has(new URL(appUrl).hostname);
  return {
    production: values.NODE_ENV === "production",
    port: values.PORT,
    /** Where the site listens; none is every address of the machine. */
    hosts: hostsOf(values.HOST, local),
    appUrl,
    /** The site is reached over the loopback address only, as in development and in tests. */
    local,
    secure: appUrl.startsWith("https:"),
    dataDir: values.DATA_DIR,
    mongodbUri: values.MONGODB_URI,
    /** How many server processes `npm start` runs. */
    webConcurrency:
      values.WEB_CONCURRENCY ??
      (values.MONGODB_URI ? Math.min(availableParallelism(), DEFAULT_PROCESSES) : 1),
    /** How many connections one server process has at most. */
    maxConnections: values.MAX_CONNECTIONS,
    /** How long a connection may be idle. */
    keepAliveSeconds: values.KEEP_ALIVE_SECONDS,
    /** Where Prometheus asks; without it, on the site's port. */
    metricsPort: values.METRICS_PORT,
    /** How long a command to the database takes to be logged, 0 for none. */
    slowCommandMs: values.SLOW_COMMAND_MS,
    sessionSecret: values.SESSION_SECRET,
    sendgridApiKey: values.SENDGRID_API_KEY,
    /** Whether e-mails reach anybody: by SendGrid, or captured for a site that only this machine reaches. */
    emailsArrive: Boolean(values.SENDGRID_API_KEY) || local,
    sendgridBaseUrl: values.SENDGRID_BASE_URL,
    mailFrom: values.MAIL_FROM ?? { name: "Tour Reviews", email: "reviews@localhost" },
    logLevel: values.LOG_LEVEL,
    trustProxy: values.TRUST_PROXY,
    /** Who turns bookings into completed ones: this service, or the platform whose database it is. */
    bookingCompletion: values.BOOKING_COMPLETION ?? (values.MONGODB_URI ? "platform" : "automatic"),
    /** Where the operator is reached, and what is done with visitors' data. */
    contactUrl: values.CONTACT_URL,
    privacyUrl: values.PRIVACY_URL,
    hstsIncludeSubdomains: values.HSTS_INCLUDE_SUBDOMAINS,
  };
}

let parsed: Env | undefined;

/**
 * The settings of this process, read at the first call, which is made while the app is loaded: a bad
 * one ends the process with its one line.
 */
export function env(): Env {
  return (parsed ??= Object.freeze(orExit(() => parseEnv(process.env))));
}

/** Gives this process the session secret that the settings leave out, as it is stored for the site. */
export function setSessionSecret(sessionSecret: string): void {
  parsed = Object.freeze({ ...env(), sessionSecret });
}

/** A setting that only the serving process cannot do without; ends that process when it is missing. */
export function required<Value>(value: Value | undefined, name: string): Value {
  return orExit(() => {
    if (value === undefined) throw new EnvError(`${name} is not set: start the app with npm start`);
    return value;
  });
}

function orExit<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** Whether listening failed because the machine has no such address, as one without IPv6 has no `::1`. */
export const isMissingAddress = ({ code }: NodeJS.ErrnoException) =>
  code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT";

/** The addresses of `HOST`. Without it, a site that only this machine can name is for this machine alone. */
function hostsOf(host: string | undefined, local: boolean): readonly string[] {
  if (host === undefined) return local ? LOOPBACK_ADDRESSES : [];
  return host.toLowerCase() === "localhost" ? LOOPBACK_ADDRESSES : [host];
}

function parseMailbox(value: string): { name?: string; email: string } {
  const [, quoted, plain, email] =
    /^(?:"([^"<]*)"\s*|([^"<]*))<([^<>]+)>$/.exec(value.trim()) ?? [];
  return email === undefined
    ? { email: value.trim() }
    : { name: oneLine((quoted ?? plain)!).trim() || undefined, email };
}
