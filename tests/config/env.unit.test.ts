import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { OWN_TONES, toTones } from "~/config/accent.server";
import { EnvError, parseEnv } from "~/config/env.server";

const SECRET = "0123456789abcdef0123456789abcdef";

/** The message of the refusal, which must be one line and of the expected kind. */
function refusal(source: Record<string, string | undefined>): string {
  try {
    parseEnv(source);
  } catch (error) {
    expect(error).toBeInstanceOf(EnvError);
    const { message } = error as EnvError;
    expect(message).not.toMatch(/[\r\n]/);
    return message;
  }
  throw new Error(`Accepted: ${JSON.stringify(source)}`);
}

const BOOKING_URL = "https://tours.example.com/{slug}?from=reviews#{slug}";

const folder = mkdtempSync(join(tmpdir(), "tour-reviews-env-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The path of a file with that text. */
function fileWith(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** A file of keys. */
const KEYS = fileWith("keys.json", '{ "keys": [] }');

/** A secret of webhooks with that many bytes. */
const hookSecret = (length: number) => `whsec_${Buffer.alloc(length, 7).toString("base64")}`;

type Setting = [name: string | null, unset: unknown, given: string, read?: unknown];

/** Each variable: its name in `Env`, its default, a value, and what is read from that. */
const SETTINGS: Record<string, Setting> = {
  NODE_ENV: ["production", false, "production", true],
  PORT: ["port", 3000, "8080", 8080],
  HOST: ["hosts", ["127.0.0.1", "::1"], "192.0.2.7", ["192.0.2.7"]],
  APP_URL: ["appUrl", "http://localhost:3000", "https://reviews.example.com"],
  DATA_DIR: ["dataDir", ".data", "/var/lib/reviews"],
  EMBEDDED_DATABASE: [null, null, "false"],
  MONGODB_URI: ["mongodbUri", undefined, "mongodb://db.example.com/platform?replicaSet=rs0"],
  SESSION_SECRET: ["sessionSecret", undefined, SECRET],
  LOGIN_URL: ["loginUrl", undefined, "https://platform.example.com/log-in?from=reviews"],
  LOGIN_SECRET: ["loginSecrets", [], `${SECRET},new ${SECRET}`, [SECRET, `new ${SECRET}`]],
  LOGIN_JWKS_URL: ["loginKeys", undefined, KEYS, pathToFileURL(KEYS)],
  SENDGRID_API_KEY: ["sendgridApiKey", undefined, "SG.key"],
  SENDGRID_BASE_URL: ["sendgridBaseUrl", "https://api.sendgrid.com", "https://api.eu.sendgrid.com"],
  MAIL_FROM: [
    "mailFrom",
    { name: "Tour Reviews", email: "reviews@localhost" },
    "Reviews <reviews@example.com>",
    { name: "Reviews", email: "reviews@example.com" },
  ],
  WEBHOOK_URLS: [
    "webhookUrls",
    [],
    "https://a.example/hooks?token=7, http://localhost:4000/,https://a.example/hooks?token=7",
    ["https://a.example/hooks?token=7", "http://localhost:4000/"],
  ],
  WEBHOOK_SECRET: [
    "webhookSecrets",
    [],
    `${hookSecret(24)}  ${hookSecret(64)}`,
    [Buffer.alloc(24, 7), Buffer.alloc(64, 7)],
  ],
  LOG_LEVEL: ["logLevel", "info", "debug"],
  TRUST_PROXY: ["trustProxy", false, "true", true],
  BOOKING_COMPLETION: ["bookingCompletion", "automatic", "automatic"],
  REVIEW_REQUESTS: ["reviewRequests", true, "off", false],
  REVIEW_REQUEST_HOURS: ["reviewRequestHours", 20, "0", 0],
  REVIEW_REMINDER_DAYS: ["reviewReminderDays", undefined, "7", 7],
  SHOW_PARTICIPATION: ["showParticipation", false, "true", true],
  TIME_ZONE: ["timeZone", "UTC", "Europe/Rome"],
  HSTS_INCLUDE_SUBDOMAINS: ["hstsIncludeSubdomains", false, "true", true],
  WEB_CONCURRENCY: ["webConcurrency", 1, "3", 3],
  MAX_CONNECTIONS: ["maxConnections", 2_000, "500", 500],
  KEEP_ALIVE_SECONDS: ["keepAliveSeconds", 920, "75", 75],
  METRICS_PORT: ["metricsPort", undefined, "9464", 9464],
  SLOW_COMMAND_MS: ["slowCommandMs", 0, "250", 250],
  BOOKING_URL: ["bookingUrl", undefined, BOOKING_URL],
  SITE_NAME: ["siteName", "Tour Reviews", " Höhenwege & Söhne\n", "Höhenwege & Söhne"],
  SITE_LOGO: ["siteLogo", null, "https://example.com/logo.svg"],
  SITE_ACCENT: ["siteAccent", undefined, "#0a66c2"],
  EMBED_ORIGINS: [
    "embedOrigins",
    [],
    "https://a.example, https://b.example/",
    ["https://a.example", "https://b.example"],
  ],
  CONTACT_URL: ["contactUrl", undefined, "mailto:hello@example.com"],
  PRIVACY_URL: ["privacyUrl", undefined, "https://example.com/privacy"],
  TOUR_LANGUAGE: ["tourLanguage", "english", "german"],
  RELATED_WORDS: [
    "relatedWords",
    undefined,
    fileWith("good.txt", "# Ours\r\ngig  boat > löffel # rowed\n\n"),
    ["gig boat > löffel"],
  ],
};
const all = (value: (setting: Setting) => unknown) =>
  Object.fromEntries(
    Object.values(SETTINGS).flatMap((setting) =>
      setting[0] ? [[setting[0], value(setting)]] : [],
    ),
  );
const given = (value: (setting: Setting) => string) =>
  Object.fromEntries(Object.entries(SETTINGS).map(([name, setting]) => [name, value(setting)]));

/** A production on the embedded database. */
const EMBEDDED = { NODE_ENV: "production", EMBEDDED_DATABASE: "true" };

test("has a default for everything, also for what is empty", () => {
  const derived = { local: true, secure: false, emailsArrive: true, contactIsNamed: false };
  const defaults = {
    ...all(([, unset]) => unset),
    ...derived,
    tones: OWN_TONES,
    contact: "reviews@localhost",
  };
  expect(parseEnv({})).toEqual(defaults);
  expect(parseEnv(given(() => ""))).toEqual(defaults);
});

test("reads every variable", () => {
  expect(parseEnv({ ...given(([, , value]) => value), PATH: "/usr/bin" })).toEqual({
    ...all(([, , value, read = value]) => read),
    ...{ local: false, secure: true, emailsArrive: true, contactIsNamed: true },
    tones: toTones("#0a66c2"),
    contact: "hello@example.com",
  });
});

const MONGODB_URI = "mongodb://h/platform";
const APP_URL = "https://reviews.example.com";
const MAIL_FROM = "Reviews <reviews@example.com>";
/** A production of one's own database, which is refused without any of these. */
const OWN = { NODE_ENV: "production", MONGODB_URI, APP_URL, SESSION_SECRET: SECRET };
const LOCAL = ["127.0.0.1", "::1"];

type Source = Record<string, string>;
const address = "must be an http(s) address";
const host = "must have a host of letters, digits, hyphens and dots";
const origin = "must be an origin without a path, such as https://reviews.example.com";

/** Values of one variable, each refused with that reason. */
test.each<[string, string[], string]>([
  ["PORT", ["0", "65536", "3000.5"], number(65_535)],
  ["WEB_CONCURRENCY", ["65"], number(64)],
  ["MAX_CONNECTIONS", ["100001"], number(100_000)],
  ["KEEP_ALIVE_SECONDS", ["86401"], number(86_400)],
  ["METRICS_PORT", ["3000"], "must not be the PORT of the site"],
  [
    "HOST",
    ["0.0.0.0:3000", "http://localhost"],
    "must be an address or a host name without a port, such as 0.0.0.0, :: or localhost",
  ],
  ["APP_URL", ["reviews.example.com", "ftp://example.com"], address],
  ["APP_URL", [`${APP_URL}/reviews`, "https://user:password@example.com"], origin],
  // In a policy of a header, each of these would be more than an origin.
  ["APP_URL", ["https://a.example;sandbox", "https://*.example.com"], host],
  ["LOGIN_URL", ["https://a.example;sandbox/log-in", "https://'self'"], host],
  ["PRIVACY_URL", ["https://a.example,b.example/"], host],
  ["MONGODB_URI", ["localhost:27017"], "must start with mongodb:// or mongodb+srv://"],
  [
    "CONTACT_URL",
    ["a@example.com", "javascript:alert(1)"],
    "must be an http(s) or mailto: address",
  ],
  ["PRIVACY_URL", ["/privacy", "mailto:hello@example.com"], address],
  ["SENDGRID_BASE_URL", ["api.sendgrid.com", "ftp://api.sendgrid.com"], address],
  [
    "BOOKING_URL",
    [
      "http://tours.example.com/{slug}",
      "https://{slug}.example.com/",
      "https://me:secret@tours.example.com/{slug}",
    ],
    "must be an https address with {slug} behind its host, such as https://tours.example.com/{slug}",
  ],
  ["SITE_NAME", [" ", "x".repeat(41)], "must have 1 to 40 characters"],
  [
    "SITE_LOGO",
    ["http://example.com/logo.svg", "logo.svg"],
    "must be the https address of a picture",
  ],
  ["SITE_ACCENT", ["green", "#0d5a48;"], "must be a colour such as #0d5a48"],
  ["SITE_ACCENT", ["#777777"], "must be darker: white words on it need a contrast of 4.5 to 1"],
  ["RELATED_WORDS", [join(folder, "missing.txt")], "cannot be read: ENOENT"],
  [
    "RELATED_WORDS",
    [fileWith("large.txt", "a ".repeat(131_073))],
    "must be a file of at most 256 KiB",
  ],
  [
    "RELATED_WORDS",
    ["gig, boat", "gig >"].map((line, n) => fileWith(`bad-${n}.txt`, `one two\n${line}\n`)),
    "line 2 must be words between spaces, such as: boat sail > ferry",
  ],
  ["BOOKING_COMPLETION", ["guide"], "must be automatic or platform"],
  ["REVIEW_REQUESTS", ["true"], "must be on or off"],
  [
    "TIME_ZONE",
    ["Mars/Base", "+01:00"],
    "must be a time zone of the IANA database, such as Europe/Rome",
  ],
  [
    "MAIL_FROM",
    ["reviews", "Reviews reviews@example.com"],
    "must be an address such as reviews@example.com or Reviews <reviews@example.com>",
  ],
  ["SESSION_SECRET", [SECRET.slice(1)], "must have at least 32 characters"],
  ["LOGIN_URL", ["/log-in", "platform.example.com"], address],
  [
    "LOGIN_URL",
    ["http://localhost.example.com"],
    "must be an https address, or one of this machine",
  ],
  [
    "LOGIN_SECRET",
    [SECRET.slice(1), `${SECRET},`],
    "must have at least 32 characters, or be two such secrets with a comma between them",
  ],
  [
    "LOGIN_JWKS_URL",
    ["http://id.example.com/jwks", "ftp://id.example.com/jwks", "https://"],
    "must be an https address, one of this machine, or a file",
  ],
  ["LOGIN_JWKS_URL", [join(folder, "missing.json")], "cannot be read: ENOENT"],
  [
    "LOGIN_JWKS_URL",
    ["[]", "{", "null"].map((text, n) => fileWith(`keys-${n}.json`, text)),
    "must be a JSON Web Key Set, which has a list of keys",
  ],
  [
    "WEBHOOK_URLS",
    [
      "http://hooks.example.com/",
      "https://me@hooks.example.com/",
      Array.from({ length: 11 }, (_, n) => `https://a.example/${n}`).join(),
    ],
    "must be at most 10 https addresses, or some of this machine, with commas between them and without a user name",
  ],
  [
    "WEBHOOK_SECRET",
    [hookSecret(32).replace("whsec_", ""), `${hookSecret(32)} ${hookSecret(23)}`],
    "must be whsec_ and 24 to 64 bytes in base64, or several such secrets with spaces between them",
  ],
  ["LOG_LEVEL", ["INFO"], "must be one of fatal, error, warn, info, debug, trace, silent"],
  ["EMBEDDED_DATABASE", ["yes"], "must be true or false"],
  ["TRUST_PROXY", ["127.0.0.1"], "must be true or false"],
])("refuses for %s %j", (name, values, reason) => {
  for (const value of values) expect(refusal({ [name]: value })).toBe(`${name} ${reason}`);
});

test.each([
  ["https://a.example;sandbox", host],
  ["https://a.example;script-src:", host],
  ["https://*.a.example", host],
  ["'self'", address],
  ["*", address],
  ["https://a.example/frames", origin],
])("refuses %j among the sites of EMBED_ORIGINS, and says which one", (value, reason) => {
  const given = `https://tours.example.com ${value}`;
  expect(refusal({ EMBED_ORIGINS: given })).toBe(`EMBED_ORIGINS (value 2) ${reason}`);
});

test("takes every host that a site can have", () => {
  const origins = [
    ...["https://tours.example.com", "http://localhost:4000", "https://127.0.0.1:8443"],
    ...[
      "https://[::1]:4000",
      "https://xn--bcher-kva.example",
      "http://site_1",
      "https://a.example.",
    ],
  ];
  expect(parseEnv({ EMBED_ORIGINS: origins.join(", ") }).embedOrigins).toEqual(origins);
  expect(parseEnv({ EMBED_ORIGINS: "https://bücher.example" }).embedOrigins).toEqual([
    "https://xn--bcher-kva.example",
  ]);
});

function number(most: number) {
  return `must be a whole number from 1 to ${most}`;
}

test.each<[Source, object]>([
  [
    {
      LOGIN_URL: "https://a.example",
      LOGIN_JWKS_URL: "https://id.example.com/.well-known/jwks.json",
    },
    { loginSecrets: [], loginKeys: new URL("https://id.example.com/.well-known/jwks.json") },
  ],
  [
    { LOGIN_URL: "https://a.example", LOGIN_JWKS_URL: pathToFileURL(KEYS).href },
    { loginKeys: pathToFileURL(KEYS) },
  ],
  [{ PORT: "8080" }, { appUrl: "http://localhost:8080" }],
  [{ PORT: "8080", APP_URL: "http://localhost:5000" }, { appUrl: "http://localhost:5000" }],
  [{ MONGODB_URI }, { webConcurrency: Math.min(availableParallelism(), 8) }],

  [{ APP_URL: "https://127.0.0.1" }, { hosts: LOCAL, local: true, secure: true }],
  [{ APP_URL }, { hosts: [], local: false, secure: true }],
  [{ HOST: "[::1]", APP_URL }, { hosts: ["::1"] }],
  [{ HOST: "LocalHost", APP_URL }, { hosts: LOCAL }],
  [{ APP_URL: "HTTPS://Reviews.Example.COM:443" }, { appUrl: APP_URL }],

  [{ MAIL_FROM }, { contact: "reviews@example.com", contactIsNamed: false }],
  [
    { CONTACT_URL: "mailto:hello@example.com?subject=Reviews" },
    { contact: "hello@example.com", contactIsNamed: true },
  ],
  [
    { MAIL_FROM: '"Reviews, Tours & more" <reviews@example.com>' },
    { mailFrom: { name: "Reviews, Tours & more", email: "reviews@example.com" } },
  ],
  // Where nobody reads the captured ones, they do not arrive.
  [{ APP_URL }, { emailsArrive: false }],

  [{ MONGODB_URI }, { bookingCompletion: "platform" }],
  [{ TIME_ZONE: " america/new_york " }, { timeZone: "America/New_York" }],
  [{ TRUST_PROXY: "1" }, { trustProxy: true }],
  [EMBEDDED, { production: true, mongodbUri: undefined, appUrl: "http://localhost:3000" }],
  [OWN, { production: true, sessionSecret: SECRET }],
])("reads %o as %o", (source, expected) => {
  expect(parseEnv(source)).toMatchObject(expected);
});

test.each<[string, Source, string]>([
  ["APP_URL", OWN, "APP_URL is required with NODE_ENV=production and MONGODB_URI"],
  ["SESSION_SECRET", OWN, "SESSION_SECRET is required with NODE_ENV=production and MONGODB_URI"],
  [
    "MONGODB_URI",
    { ...OWN, EMBEDDED_DATABASE: "false" },
    "MONGODB_URI is required with NODE_ENV=production; set EMBEDDED_DATABASE=true for the embedded database",
  ],
  [
    "LOGIN_SECRET",
    { LOGIN_URL: "https://platform.example.com", LOGIN_SECRET: SECRET },
    "LOGIN_SECRET or LOGIN_JWKS_URL is required with LOGIN_URL",
  ],
  [
    "LOGIN_URL",
    { LOGIN_URL: "http://localhost:4000", LOGIN_SECRET: SECRET },
    "LOGIN_URL is required with LOGIN_SECRET and LOGIN_JWKS_URL",
  ],
  [
    "LOGIN_URL",
    { LOGIN_URL: "http://localhost:4000", LOGIN_JWKS_URL: "https://id.example.com/jwks" },
    "LOGIN_URL is required with LOGIN_SECRET and LOGIN_JWKS_URL",
  ],
  [
    "WEBHOOK_SECRET",
    { WEBHOOK_URLS: "https://a.example", WEBHOOK_SECRET: hookSecret(32) },
    "WEBHOOK_SECRET is required with WEBHOOK_URLS",
  ],
  [
    "MAIL_FROM",
    { SENDGRID_API_KEY: "key", MAIL_FROM },
    "MAIL_FROM is required with SENDGRID_API_KEY",
  ],
])("misses %s in %o", (name, { [name]: _, ...others }, reason) => {
  expect(refusal(others)).toBe(reason);
  expect(refusal({ ...others, [name]: "" })).toBe(reason);
});

test("TOUR_LANGUAGE is a language whose words the search knows, or none", () => {
  expect(refusal({ TOUR_LANGUAGE: "de" })).toMatch(
    /^TOUR_LANGUAGE must be one of arabic, .*, none$/,
  );
});

/** The driver checks a password against the database that the URI names: a name added must not send it elsewhere. */
test.each([
  ["mongodb://localhost:27017", "mongodb://localhost:27017/tour_reviews"],
  [
    "mongodb://a:27017,b:27018,c/?replicaSet=rs0",
    "mongodb://a:27017,b:27018,c/tour_reviews?replicaSet=rs0",
  ],
  [
    "mongodb+srv://cluster0.example.net/?retryWrites=true&w=majority",
    "mongodb+srv://cluster0.example.net/tour_reviews?retryWrites=true&w=majority",
  ],
  ["mongodb://u:p@h/", "mongodb://u:p@h/tour_reviews?authSource=admin"],
  ["mongodb://u:p@h/?authSource=staff", "mongodb://u:p@h/tour_reviews?authSource=staff"],
  [
    "mongodb://u@h/?authMechanism=MONGODB-X509",
    "mongodb://u@h/tour_reviews?authMechanism=MONGODB-X509",
  ],
])("MONGODB_URI %s gets a database name, and logs in where it did", (uri, named) => {
  expect(parseEnv({ MONGODB_URI: uri }).mongodbUri).toBe(named);
  const own = "mongodb://user:p%40ss@a,b/platform?authSource=admin";
  expect(parseEnv({ MONGODB_URI: own }).mongodbUri).toBe(own);
});

test("MONGODB_URI is refused with the reason when it cannot be used", () => {
  for (const uri of ["mongodb://user:pass/word@h", "mongodb+srv://cluster0.example.net:27017"])
    expect(refusal({ MONGODB_URI: uri })).toMatch(/^MONGODB_URI cannot be parsed: /);
  expect(refusal({ MONGODB_URI: "mongodb://h/platform?LOADBALANCED=true&tls=true" })).toMatch(
    /^MONGODB_URI must not have loadBalanced=true, .*: name/,
  );
});

test("a secret is never shown", () => {
  expect(refusal({ SESSION_SECRET: "short secret", PORT: "x" })).not.toContain("short secret");
  const WEBHOOK_URLS = "http://hooks.example.com/sesame,";
  expect(refusal({ WEBHOOK_URLS, WEBHOOK_SECRET: "whsec_sesame" })).not.toContain("sesame");
  expect(refusal({ MONGODB_URI: "mongodb://ann/e:sesame/open@h/platform" })).toMatch(
    /^MONGODB_URI cannot be parsed: (?!.*(ann|sesame|platform)).+$/,
  );
});

test("names every bad variable in one line", () => {
  expect(refusal({ PORT: "x", LOG_LEVEL: "y", MONGODB_URI: "mysql://h" })).toBe(
    "PORT must be a whole number from 1 to 65535; " +
      "MONGODB_URI must start with mongodb:// or mongodb+srv://; " +
      "LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent",
  );
});
