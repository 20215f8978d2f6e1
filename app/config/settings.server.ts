import { isIP } from "node:net";
import { z } from "zod";
import type { Mailbox } from "#models/notification";
import { asHttpsAddress } from "#models/https-address";
import { oneLine } from "#models/visible";
import { webhookSecrets, webhookUrls } from "~/reviews/webhooks/settings.server";
import { embedOrigins } from "~/tours/embeds/settings.server";
import { isReadable } from "./accent.server";
import { httpAddress, origin } from "./address-settings.server";
import { isPrivate } from "./loopback";
import {
  readDatabaseName,
  isLoadBalanced,
  isMongodbUri,
  LOAD_BALANCED,
  withDatabaseName,
} from "./mongodb-uri";
import { loginKeys, loginSecrets } from "./login-settings.server";
import { readRelatedWords } from "./related-words.server";
import { timeZoneNamed } from "./zones";

const DATABASE_NAME = "tour_reviews";
const MOST_PROCESSES = 64;

const DEFAULT_CONNECTIONS = 2_000;

/**
 * Longer than the proxies that are in use keep theirs by default, Cloudflare's 900 being the longest
 * (docs/decisions/006-guard-around-remix-serve.md).
 */
const DEFAULT_KEEP_ALIVE_SECONDS = 920;

export const SESSION_SECRET_LENGTH = 32;

/** In characters; a header of a phone shows it in two lines. */
const LONGEST_SITE_NAME = 40;

const yesOrNo = z
  .enum(["true", "false", "1", "0"], { error: "must be true or false" })
  .default("false")
  .transform((value) => value === "true" || value === "1");

function wholeNumber(from: number, to: number) {
  const error = `must be a whole number from ${from} to ${to}`;
  return z.coerce.number({ error }).int(error).min(from, error).max(to, error);
}

/** Languages of tours of which the search knows how words change (`@orama/stemmers`); none for all others. */
export const TOUR_LANGUAGES = [
  "arabic",
  "armenian",
  "bulgarian",
  "danish",
  "dutch",
  "english",
  "finnish",
  "french",
  "german",
  "greek",
  "hungarian",
  "indonesian",
  "irish",
  "italian",
  "lithuanian",
  "nepali",
  "norwegian",
  "portuguese",
  "romanian",
  "russian",
  "serbian",
  "spanish",
  "swedish",
  "tamil",
  "turkish",
  "ukrainian",
  "none",
] as const;

/** With their defaults (`.env.example`). */
export const settings = z
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
      .refine((uri) => !isLoadBalanced(uri), { error: LOAD_BALANCED, abort: true })
      .transform((uri) => (readDatabaseName(uri) ? uri : withDatabaseName(uri, DATABASE_NAME)))
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
    LOGIN_URL: httpAddress
      .refine((value) => isPrivate(new URL(value)), {
        error: "must be an https address, or one of this machine",
        abort: true,
      })
      .optional(),
    LOGIN_SECRET: loginSecrets.default([]),
    LOGIN_JWKS_URL: loginKeys.optional(),
    SENDGRID_API_KEY: z.string().optional(),
    SENDGRID_BASE_URL: httpAddress.default("https://api.sendgrid.com"),
    MAIL_FROM: z
      .string()
      .transform(parseMailbox)
      .refine((from) => z.email().safeParse(from.email).success, {
        error: "must be an address such as reviews@example.com or Reviews <reviews@example.com>",
      })
      .optional(),
    WEBHOOK_URLS: webhookUrls.default([]),
    WEBHOOK_SECRET: webhookSecrets.default([]),
    LOG_LEVEL: z
      .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], {
        error: "must be one of fatal, error, warn, info, debug, trace, silent",
      })
      .default("info"),
    TRUST_PROXY: yesOrNo,
    HSTS_INCLUDE_SUBDOMAINS: yesOrNo,
    TOUR_LANGUAGE: z
      .enum(TOUR_LANGUAGES, { error: `must be one of ${TOUR_LANGUAGES.join(", ")}` })
      .default("english"),
    SITE_NAME: z
      .string()
      .transform((value) => oneLine(value).trim())
      .refine((name) => name.length >= 1 && name.length <= LONGEST_SITE_NAME, {
        error: `must have 1 to ${LONGEST_SITE_NAME} characters`,
      })
      .default("Tour Reviews"),
    SITE_LOGO: z
      .string()
      .refine(asHttpsAddress, { error: "must be the https address of a picture" })
      .optional(),
    SITE_ACCENT: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, { error: "must be a colour such as #0d5a48", abort: true })
      .refine(isReadable, {
        error: "must be darker: white words on it need a contrast of 4.5 to 1",
      })
      .optional(),
    EMBED_ORIGINS: embedOrigins.default([]),
    RELATED_WORDS: z.string().transform(readRelatedWords).optional(),
    CONTACT_URL: z
      .url({ protocol: /^(https?|mailto)$/, error: "must be an http(s) or mailto: address" })
      .optional(),
    PRIVACY_URL: httpAddress.optional(),
    BOOKING_URL: z
      .string()
      .refine(isBookingTemplate, {
        error:
          "must be an https address with {slug} behind its host, such as https://tours.example.com/{slug}",
      })
      .optional(),
    TIME_ZONE: z
      .string()
      .default("UTC")
      .transform((value) => timeZoneNamed(value.trim()))
      .refine((zone) => zone !== undefined, {
        error: "must be a time zone of the IANA database, such as Europe/Rome",
      }),
    BOOKING_COMPLETION: z
      .enum(["automatic", "platform"], { error: "must be automatic or platform" })
      .optional(),
    REVIEW_REQUESTS: z.enum(["on", "off"], { error: "must be on or off" }).optional(),
    REVIEW_REQUEST_HOURS: wholeNumber(0, 336).default(20),
    REVIEW_REMINDER_DAYS: wholeNumber(1, 21).optional(),
    SHOW_PARTICIPATION: yesOrNo,
  })
  .superRefine((values, context) => {
    const addIssue = (name: string, why: string) =>
      context.addIssue({ code: "custom", path: [name], message: why });
    for (const name of ["APP_URL", "SESSION_SECRET"] as const)
      if (values.NODE_ENV === "production" && values.MONGODB_URI && !values[name])
        addIssue(name, "is required with NODE_ENV=production and MONGODB_URI");
    // A misspelt MONGODB_URI must not begin a site with an empty database.
    if (values.NODE_ENV === "production" && !values.MONGODB_URI && !values.EMBEDDED_DATABASE)
      addIssue(
        "MONGODB_URI",
        "is required with NODE_ENV=production; set EMBEDDED_DATABASE=true for the embedded database",
      );
    if (values.METRICS_PORT === values.PORT)
      addIssue("METRICS_PORT", "must not be the PORT of the site");
    const isSigned = values.LOGIN_SECRET.length > 0 || values.LOGIN_JWKS_URL !== undefined;
    if (values.LOGIN_URL && !isSigned)
      addIssue("LOGIN_SECRET", "or LOGIN_JWKS_URL is required with LOGIN_URL");
    if (isSigned && !values.LOGIN_URL)
      addIssue("LOGIN_URL", "is required with LOGIN_SECRET and LOGIN_JWKS_URL");
    if (values.WEBHOOK_URLS.length > 0 && values.WEBHOOK_SECRET.length === 0)
      addIssue("WEBHOOK_SECRET", "is required with WEBHOOK_URLS");
    if (values.SENDGRID_API_KEY && !values.MAIL_FROM)
      addIssue("MAIL_FROM", "is required with SENDGRID_API_KEY");
  });

/** An https address of one host, whichever tour's slug stands in it. */
function isBookingTemplate(value: string): boolean {
  const addresses = ["a", "b"].map((slug) => value.replaceAll("{slug}", slug));
  const [one, other] = addresses.map((address) =>
    asHttpsAddress(address) ? new URL(address) : null,
  );
  return Boolean(one && other && one.href !== other.href && one.origin === other.origin);
}

function parseMailbox(value: string): Mailbox {
  const [, quoted, plain = "", email] =
    /^(?:"([^"<]*)"\s*|([^"<]*))<([^<>]+)>$/.exec(value.trim()) ?? [];
  return email === undefined
    ? { email: value.trim() }
    : { name: oneLine(quoted ?? plain).trim() || undefined, email };
}
