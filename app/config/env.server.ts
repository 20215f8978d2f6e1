import { availableParallelism } from "node:os";
import { ExpectedError } from "./expected-error";
import { OWN_TONES, toTones } from "./accent.server";
import { LOOPBACK } from "./loopback";
import { settings } from "./settings.server";

/** A setting that stops the start; its message is one line that names the variable. */
export class EnvError extends ExpectedError {}

const DEFAULT_PROCESSES = 8;

/** Both addresses of this machine: `localhost` is the one or the other, as the system likes. */
const LOOPBACK_ADDRESSES = ["127.0.0.1", "::1"];

export type Env = Readonly<ReturnType<typeof parseEnv>>;

/** The name of a setting in a message, with the number of the value where it has several. */
const settingName = ([name, index]: readonly PropertyKey[]) =>
  typeof index === "number" ? `${String(name)} (value ${index + 1})` : String(name);

/**
 * Reads the settings that `.env.example` explains. Empty values count as unset. Throws `EnvError` that names every bad
 * or missing variable.
 */
export function parseEnv(source: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const result = settings.safeParse(given);
  if (!result.success)
    throw new EnvError(
      result.error.issues.map(({ path, message }) => `${settingName(path)} ${message}`).join("; "),
    );
  const values = result.data;
  // Through URL, because browsers leave a default port out of the origin that they send.
  const appUrl = values.APP_URL ?? new URL(`http://localhost:${values.PORT}`).origin;
  const local = LOOPBACK.has(new URL(appUrl).hostname);
  const mailFrom = values.MAIL_FROM ?? { name: values.SITE_NAME, email: "reviews@localhost" };
  const contact = contactIn(values.CONTACT_URL);
  const emailsArrive = Boolean(values.SENDGRID_API_KEY) || local;
  return {
    production: values.NODE_ENV === "production",
    port: values.PORT,
    /** The addresses to listen on; none for every address of the machine. */
    hosts: listenHosts(values.HOST, local),
    appUrl,
    /** The site is reached over the loopback address only, as in development and in tests. */
    local,
    secure: appUrl.startsWith("https:"),
    dataDir: values.DATA_DIR,
    mongodbUri: values.MONGODB_URI,
    webConcurrency:
      values.WEB_CONCURRENCY ??
      (values.MONGODB_URI ? Math.min(availableParallelism(), DEFAULT_PROCESSES) : 1),
    maxConnections: values.MAX_CONNECTIONS,
    keepAliveSeconds: values.KEEP_ALIVE_SECONDS,
    metricsPort: values.METRICS_PORT,
    slowCommandMs: values.SLOW_COMMAND_MS,
    sessionSecret: values.SESSION_SECRET,
    /** Where the platform logs users in; without it they log in here, with passwords. */
    loginUrl: values.LOGIN_URL,
    loginSecrets: values.LOGIN_SECRET,
    /** The address of the platform's public keys, or of their file. */
    loginKeys: values.LOGIN_JWKS_URL,
    sendgridApiKey: values.SENDGRID_API_KEY,
    /** Whether e-mails reach anybody: by SendGrid, or captured for a site that only this machine reaches. */
    emailsArrive,
    sendgridBaseUrl: values.SENDGRID_BASE_URL,
    mailFrom,
    /** Where anybody reaches the people who run the site: an e-mail address, or the address of a page. */
    contact: contact ?? mailFrom.email,
    contactIsNamed: contact !== undefined,
    /** Which addresses are told of changes of reviews, and the keys that sign these events. */
    webhookUrls: values.WEBHOOK_URLS,
    webhookSecrets: values.WEBHOOK_SECRET,
    logLevel: values.LOG_LEVEL,
    trustProxy: values.TRUST_PROXY,
    bookingCompletion: values.BOOKING_COMPLETION ?? (values.MONGODB_URI ? "platform" : "automatic"),
    /** Whether guests are asked for reviews. */
    reviewRequests:
      emailsArrive && (values.REVIEW_REQUESTS ?? (values.MONGODB_URI ? "off" : "on")) === "on",
    reviewRequestHours: values.REVIEW_REQUEST_HOURS,
    /** Undefined where nobody is asked a second time. */
    reviewReminderDays: values.REVIEW_REMINDER_DAYS,
    showParticipation: values.SHOW_PARTICIPATION,
    bookingUrl: values.BOOKING_URL,
    timeZone: values.TIME_ZONE,
    tourLanguage: values.TOUR_LANGUAGE,
    /** Lines of words that mean much the same; undefined for those of the language. */
    relatedWords: values.RELATED_WORDS,
    siteName: values.SITE_NAME,
    siteLogo: values.SITE_LOGO ?? null,
    siteAccent: values.SITE_ACCENT,
    tones: values.SITE_ACCENT ? toTones(values.SITE_ACCENT) : OWN_TONES,
    /** The sites that may show reviews in a frame. */
    embedOrigins: values.EMBED_ORIGINS,
    contactUrl: values.CONTACT_URL,
    privacyUrl: values.PRIVACY_URL,
    hstsIncludeSubdomains: values.HSTS_INCLUDE_SUBDOMAINS,
  };
}

let parsed: Env | undefined;

/** Read at the first call, while the app is loaded: a bad setting ends the process with its one line. */
export function env(): Env {
  return (parsed ??= Object.freeze(orExit(() => parseEnv(process.env))));
}

/** The secret that is stored for the site, where the settings have none. */
export function setSessionSecret(sessionSecret: string): void {
  parsed = Object.freeze({ ...env(), sessionSecret });
}

/** Returns a setting that only the serving process needs; ends that process when it is missing. */
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

/** The address of a `mailto:`, or of a page, as people read it. */
function contactIn(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const { protocol, pathname } = new URL(url);
  return protocol === "mailto:" ? pathname || undefined : url;
}

/** The addresses of `HOST`. Without it, a site that only this machine can name is for this machine alone. */
function listenHosts(host: string | undefined, local: boolean): readonly string[] {
  if (host === undefined) return local ? LOOPBACK_ADDRESSES : [];
  return host.toLowerCase() === "localhost" ? LOOPBACK_ADDRESSES : [host];
}
