import { availableParallelism } from "node:os";
import { describe, expect, test } from "vitest";
import { EnvError, parseEnv } from "~/infra/env.server";

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

const mongodbUri = (uri: string) => parseEnv({ MONGODB_URI: uri }).mongodbUri;

const DEFAULTS = {
  production: false,
  port: 3000,
  hosts: ["127.0.0.1", "::1"],
  appUrl: "http://localhost:3000",
  local: true,
  secure: false,
  dataDir: ".data",
  mongodbUri: undefined,
  webConcurrency: 1,
  maxConnections: 2_000,
  keepAliveSeconds: 920,
  metricsPort: undefined,
  slowCommandMs: 0,
  sessionSecret: undefined,
  sendgridApiKey: undefined,
  emailsArrive: true,
  sendgridBaseUrl: "https://api.sendgrid.com",
  mailFrom: { name: "Tour Reviews", email: "reviews@localhost" },
  contact: "reviews@localhost",
  contactIsNamed: false,
  logLevel: "info",
  trustProxy: false,
  bookingCompletion: "automatic",
  timeZone: "UTC",
  hstsIncludeSubdomains: false,
  bookingUrl: undefined,
  contactUrl: undefined,
  privacyUrl: undefined,
  tourLanguage: "english",
};

/** A production on the embedded database. */
const EMBEDDED = { NODE_ENV: "production", EMBEDDED_DATABASE: "true" };

test("has a default for everything", () => {
  expect(parseEnv({})).toEqual(DEFAULTS);
});

test("takes empty values for unset ones", () => {
  const names = [
    "NODE_ENV",
    "PORT",
    "HOST",
    "APP_URL",
    "DATA_DIR",
    "MONGODB_URI",
    "EMBEDDED_DATABASE",
    "WEB_CONCURRENCY",
    "MAX_CONNECTIONS",
    "KEEP_ALIVE_SECONDS",
    "METRICS_PORT",
    "SLOW_COMMAND_MS",
    "SESSION_SECRET",
    "SENDGRID_API_KEY",
    "SENDGRID_BASE_URL",
    "MAIL_FROM",
    "LOG_LEVEL",
    "TRUST_PROXY",
    "BOOKING_COMPLETION",
    "TIME_ZONE",
    "HSTS_INCLUDE_SUBDOMAINS",
    "BOOKING_URL",
    "CONTACT_URL",
    "PRIVACY_URL",
    "TOUR_LANGUAGE",
  ];
  expect(parseEnv(Object.fromEntries(names.map((name) => [name, ""])))).toEqual(DEFAULTS);
});

test("reads every variable", () => {
  expect(
    parseEnv({
      NODE_ENV: "production",
      PORT: "8080",
      HOST: "192.0.2.7",
      APP_URL: "https://reviews.example.com",
      DATA_DIR: "/var/lib/reviews",
      EMBEDDED_DATABASE: "false",
      MONGODB_URI: "mongodb://db.example.com/platform?replicaSet=rs0",
      SESSION_SECRET: SECRET,
      SENDGRID_API_KEY: "SG.key",
      SENDGRID_BASE_URL: "https://api.eu.sendgrid.com",
      MAIL_FROM: "Reviews <reviews@example.com>",
      LOG_LEVEL: "debug",
      TRUST_PROXY: "true",
      BOOKING_COMPLETION: "automatic",
      TIME_ZONE: "Europe/Rome",
      HSTS_INCLUDE_SUBDOMAINS: "true",
      WEB_CONCURRENCY: "3",
      MAX_CONNECTIONS: "500",
      KEEP_ALIVE_SECONDS: "75",
      METRICS_PORT: "9464",
      SLOW_COMMAND_MS: "250",
      BOOKING_URL: "https://tours.example.com/{slug}?from=reviews#{slug}",
      CONTACT_URL: "mailto:hello@example.com",
      PRIVACY_URL: "https://example.com/privacy",
      TOUR_LANGUAGE: "german",
      PATH: "/usr/bin",
    }),
  ).toEqual({
    production: true,
    port: 8080,
    hosts: ["192.0.2.7"],
    appUrl: "https://reviews.example.com",
    local: false,
    secure: true,
    dataDir: "/var/lib/reviews",
    mongodbUri: "mongodb://db.example.com/platform?replicaSet=rs0",
    webConcurrency: 3,
    maxConnections: 500,
    keepAliveSeconds: 75,
    metricsPort: 9464,
    slowCommandMs: 250,
    sessionSecret: SECRET,
    sendgridApiKey: "SG.key",
    emailsArrive: true,
    sendgridBaseUrl: "https://api.eu.sendgrid.com",
    mailFrom: { name: "Reviews", email: "reviews@example.com" },
    contact: "hello@example.com",
    contactIsNamed: true,
    logLevel: "debug",
    trustProxy: true,
    hstsIncludeSubdomains: true,
    bookingUrl: "https://tours.example.com/{slug}?from=reviews#{slug}",
    contactUrl: "mailto:hello@example.com",
    privacyUrl: "https://example.com/privacy",
    tourLanguage: "german",
    bookingCompletion: "automatic",
    timeZone: "Europe/Rome",
  });
});

test.each([
  ["CONTACT_URL", "hello@example.com", "must be an http(s) or mailto: address"],
  ["CONTACT_URL", "javascript:alert(1)", "must be an http(s) or mailto: address"],
  ["PRIVACY_URL", "/privacy", "must be an http(s) address"],
  ["PRIVACY_URL", "mailto:hello@example.com", "must be an http(s) address"],
])("refuses %s=%s", (name, value, why) => {
  expect(refusal({ [name]: value })).toBe(`${name} ${why}`);
});

const MAIL_FROM = "Reviews <reviews@example.com>";

test.each([
  [{ MAIL_FROM }, "reviews@example.com", false],
  [{ MAIL_FROM, CONTACT_URL: "http://example.com/contact" }, "http://example.com/contact", true],
  [{ CONTACT_URL: "mailto:hello@example.com?subject=Reviews" }, "hello@example.com", true],
  [{ MAIL_FROM, CONTACT_URL: "mailto:" }, "reviews@example.com", false],
])("with %o the contact is %s", (source, contact, contactIsNamed) => {
  expect(parseEnv(source)).toMatchObject({ contact, contactIsNamed });
});

test.each([
  "https://tours.example.com/",
  "http://tours.example.com/{slug}",
  "javascript:alert('{slug}')",
  "https://{slug}.example.com/",
  "https://me:secret@tours.example.com/{slug}",
  "//tours.example.com/{slug}",
  "/{slug}",
])("refuses BOOKING_URL=%s", (value) => {
  expect(refusal({ BOOKING_URL: value })).toBe(
    "BOOKING_URL must be an https address with {slug} behind its host, such as https://tours.example.com/{slug}",
  );
});

test("TOUR_LANGUAGE is a language whose words the search knows, or none", () => {
  expect(refusal({ TOUR_LANGUAGE: "de" })).toMatch(
    /^TOUR_LANGUAGE must be one of arabic, .*english, .*ukrainian, none$/,
  );
  expect(parseEnv({ TOUR_LANGUAGE: "none" }).tourLanguage).toBe("none");
});

test("METRICS_PORT is another one than PORT", () => {
  expect(refusal({ METRICS_PORT: "3000" })).toBe("METRICS_PORT must not be the PORT of the site");
});

describe("BOOKING_COMPLETION", () => {
  const MONGODB_URI = "mongodb://db.example.com/platform";

  test("is the platform's in the platform's database, unless asked for", () => {
    expect(parseEnv({ MONGODB_URI }).bookingCompletion).toBe("platform");
    expect(parseEnv({ BOOKING_COMPLETION: "platform" }).bookingCompletion).toBe("platform");
    const asked = parseEnv({ MONGODB_URI, BOOKING_COMPLETION: "automatic" });
    expect(asked.bookingCompletion).toBe("automatic");
  });

  test("may be nothing else", () => {
    expect(refusal({ BOOKING_COMPLETION: "guide" })).toBe(
      "BOOKING_COMPLETION must be automatic or platform",
    );
  });
});

describe("TIME_ZONE", () => {
  test.each([
    ["Asia/Tokyo", "Asia/Tokyo"],
    [" america/new_york ", "America/New_York"],
    ["Etc/UTC", "UTC"],
  ])("%j is %s", (given, timeZone) => {
    expect(parseEnv({ TIME_ZONE: given }).timeZone).toBe(timeZone);
  });

  test.each(["Mars/Base", "+01:00", "Rome", " "])("%j is refused", (given) => {
    expect(refusal({ TIME_ZONE: given })).toBe(
      "TIME_ZONE must be a time zone of the IANA database, such as Europe/Rome",
    );
  });
});

describe("PORT", () => {
  test.each(["1", "80", "65535"])("may be %s", (PORT) => {
    expect(parseEnv({ PORT }).port).toBe(Number(PORT));
  });

  test.each(["0", "-1", "65536", "3000.5", "abc", "3000 4000", "Infinity", "NaN"])(
    "may not be %s",
    (PORT) => {
      expect(refusal({ PORT })).toBe("PORT must be a whole number from 1 to 65535");
    },
  );

  test("is part of the default address, as browsers write it", () => {
    expect(parseEnv({ PORT: "8080" }).appUrl).toBe("http://localhost:8080");
    expect(parseEnv({ PORT: "80" }).appUrl).toBe("http://localhost");
    expect(parseEnv({ PORT: "8080", APP_URL: "http://localhost:5000" }).appUrl).toBe(
      "http://localhost:5000",
    );
  });
});

describe("HOST", () => {
  const hosts = (HOST: string, APP_URL = "") => parseEnv({ HOST, APP_URL }).hosts;

  test("is this machine's own for a site that only this machine can name, and any otherwise", () => {
    for (const APP_URL of ["http://localhost:3000", "https://127.0.0.1", "http://[::1]:3000"])
      expect(hosts("", APP_URL)).toEqual(["127.0.0.1", "::1"]);
    for (const APP_URL of ["https://reviews.example.com", "http://192.168.1.10:3000"])
      expect(hosts("", APP_URL)).toEqual([]);
  });

  test.each([
    ["0.0.0.0", ["0.0.0.0"]],
    ["::", ["::"]],
    ["[::1]", ["::1"]],
    [" 192.0.2.7 ", ["192.0.2.7"]],
    ["LocalHost", ["127.0.0.1", "::1"]],
    ["reviews.internal", ["reviews.internal"]],
  ])("may be %s, whatever APP_URL says", (HOST, expected) => {
    expect(hosts(HOST)).toEqual(expected);
    expect(hosts(HOST, "https://reviews.example.com")).toEqual(expected);
  });

  test.each(["0.0.0.0:3000", "http://localhost", "a b", "-x", "[::1]:80", "*"])(
    "may not be %s",
    (HOST) => {
      expect(refusal({ HOST })).toBe(
        "HOST must be an address or a host name without a port, such as 0.0.0.0, :: or localhost",
      );
    },
  );
});

describe("EMBEDDED_DATABASE", () => {
  const required =
    "MONGODB_URI is required with NODE_ENV=production; set EMBEDDED_DATABASE=true for the embedded database";

  test.each([{}, { EMBEDDED_DATABASE: "false" }, { MONGODB_URL: "mongodb://h/platform" }])(
    "must be true in a production without MONGODB_URI: %j",
    (settings) => {
      expect(refusal({ NODE_ENV: "production", ...settings })).toBe(required);
      expect(parseEnv({ NODE_ENV: "development", ...settings }).mongodbUri).toBeUndefined();
    },
  );

  test("allows a production without MONGODB_URI", () => {
    expect(parseEnv(EMBEDDED)).toMatchObject({ production: true, mongodbUri: undefined });
  });

  test("is refused when it is neither true nor false", () => {
    expect(refusal({ EMBEDDED_DATABASE: "yes" })).toBe("EMBEDDED_DATABASE must be true or false");
  });
});

test.each([
  ["captured on this machine", {}, true],
  ["captured where nobody reads them", { APP_URL: "https://reviews.example.com" }, false],
  [
    "sent",
    {
      APP_URL: "https://reviews.example.com",
      SENDGRID_API_KEY: "key",
      MAIL_FROM: "reviews@example.com",
    },
    true,
  ],
])("knows whether e-mails arrive that are %s", (_, settings, emailsArrive) => {
  expect(parseEnv(settings)).toMatchObject({ emailsArrive });
});

describe("APP_URL", () => {
  test("is required for a production of one's own database, and only there", () => {
    const own = { MONGODB_URI: "mongodb://h/platform", SESSION_SECRET: SECRET };
    const required = "APP_URL is required with NODE_ENV=production and MONGODB_URI";
    expect(refusal({ NODE_ENV: "production", ...own })).toBe(required);
    expect(refusal({ NODE_ENV: "production", ...own, APP_URL: "" })).toBe(required);
    for (const settings of [own, EMBEDDED, { NODE_ENV: "development", ...own }])
      expect(parseEnv(settings).appUrl).toBe("http://localhost:3000");
  });

  test.each([
    ["https://reviews.example.com/", "https://reviews.example.com"],
    ["HTTPS://Reviews.Example.COM", "https://reviews.example.com"],
    ["https://reviews.example.com:443", "https://reviews.example.com"],
    ["http://reviews.example.com:8080", "http://reviews.example.com:8080"],
  ])("%s is the origin %s", (APP_URL, origin) => {
    expect(parseEnv({ APP_URL }).appUrl).toBe(origin);
  });

  test.each(["nonsense", "reviews.example.com", "ftp://example.com", "//example.com", "https://"])(
    "may not be %s",
    (APP_URL) => {
      expect(refusal({ APP_URL })).toMatch(/^APP_URL must be an http\(s\) address/);
    },
  );

  test.each([
    "https://example.com/reviews",
    "https://example.com/?a=b",
    "https://example.com/#top",
    "https://user:password@example.com",
  ])("is an origin alone, not %s", (APP_URL) => {
    expect(refusal({ APP_URL })).toBe(
      "APP_URL must be an origin without a path, such as https://reviews.example.com",
    );
  });

  test.each([
    ["http://localhost:3000", true],
    ["http://127.0.0.1:3000", true],
    ["http://[::1]:3000", true],
    ["http://localhost.example.com", false],
    ["http://192.168.1.10:3000", false],
  ])("%s is local: %s", (APP_URL, local) => {
    expect(parseEnv({ APP_URL }).local).toBe(local);
  });

  test("decides whether cookies are for https alone", () => {
    expect(parseEnv({ APP_URL: "https://localhost:3000" }).secure).toBe(true);
    expect(parseEnv({ APP_URL: "http://reviews.example.com" }).secure).toBe(false);
  });
});

describe("MONGODB_URI", () => {
  test.each([
    ["mongodb://localhost:27017", "mongodb://localhost:27017/tour_reviews"],
    ["mongodb://localhost:27017/", "mongodb://localhost:27017/tour_reviews"],
    [
      "mongodb://a:27017,b:27018,c/?replicaSet=rs0",
      "mongodb://a:27017,b:27018,c/tour_reviews?replicaSet=rs0",
    ],
    ["mongodb://a,b?replicaSet=rs0", "mongodb://a,b/tour_reviews?replicaSet=rs0"],
    [
      "mongodb+srv://cluster0.example.net/?retryWrites=true&w=majority",
      "mongodb+srv://cluster0.example.net/tour_reviews?retryWrites=true&w=majority",
    ],
    ["mongodb+srv://cluster0.example.net", "mongodb+srv://cluster0.example.net/tour_reviews"],
    [
      "mongodb://h/?tlsCAFile=/etc/ca.pem&replicaSet=rs0",
      "mongodb://h/tour_reviews?tlsCAFile=/etc/ca.pem&replicaSet=rs0",
    ],
  ])("%s gets a database name", (uri, named) => {
    expect(mongodbUri(uri)).toBe(named);
  });

  test.each([
    "mongodb://localhost:27017/platform",
    "mongodb://a,b/platform?replicaSet=rs0",
    "mongodb://user:p%40ss@a,b/platform?authSource=admin",
    "mongodb://user:pass@a,b/platform",
    "mongodb+srv://user:pass@cluster0.example.net/platform?retryWrites=true",
  ])("%s keeps its own", (uri) => {
    expect(mongodbUri(uri)).toBe(uri);
  });

  // The driver checks a password against the database that the URI names, and against `admin`
  // without one: a name added must not send it elsewhere.
  test.each([
    ["mongodb://u:p@h/", "mongodb://u:p@h/tour_reviews?authSource=admin"],
    [
      "mongodb://u:p@a,b?replicaSet=rs0",
      "mongodb://u:p@a,b/tour_reviews?replicaSet=rs0&authSource=admin",
    ],
    [
      "mongodb://u:p@h/?authMechanism=SCRAM-SHA-256",
      "mongodb://u:p@h/tour_reviews?authMechanism=SCRAM-SHA-256&authSource=admin",
    ],
    ["mongodb://u:p@h/?authSource=staff", "mongodb://u:p@h/tour_reviews?authSource=staff"],
    [
      "mongodb://u@h/?authMechanism=MONGODB-X509",
      "mongodb://u@h/tour_reviews?authMechanism=MONGODB-X509",
    ],
  ])("%s logs in where it did", (uri, named) => {
    expect(mongodbUri(uri)).toBe(named);
  });

  test.each(["localhost:27017", "http://localhost", "mongodb://", "mongodb:///name", "mongo://h"])(
    "may not be %s",
    (MONGODB_URI) => {
      expect(refusal({ MONGODB_URI })).toBe(
        "MONGODB_URI must start with mongodb:// or mongodb+srv://",
      );
    },
  );
});

describe("a load balancer before the database", () => {
  test.each([
    "mongodb://h/?loadBalanced=true",
    "mongodb://h/platform?LOADBALANCED=true&tls=true",
    "mongodb+srv://h.example.net/?loadBalanced=true",
  ])("is refused with a reason: %s", (MONGODB_URI) => {
    expect(refusal({ MONGODB_URI })).toMatch(
      /^MONGODB_URI must not have loadBalanced=true, .*: name/,
    );
  });

  test("that the URI rules out is none", () => {
    expect(mongodbUri("mongodb://h/x?loadBalanced=false")).toContain("loadBalanced=false");
  });
});

describe("WEB_CONCURRENCY", () => {
  const MONGODB_URI = "mongodb://h/platform";

  test("is one on the embedded database, and every core up to 8 on one's own", () => {
    expect(parseEnv({}).webConcurrency).toBe(1);
    const { webConcurrency } = parseEnv({ MONGODB_URI });
    expect(webConcurrency).toBe(Math.min(availableParallelism(), 8));
  });

  test.each([1, 2, 64])("may be %s on any database", (count) => {
    const WEB_CONCURRENCY = String(count);
    expect(parseEnv({ WEB_CONCURRENCY }).webConcurrency).toBe(count);
    expect(parseEnv({ WEB_CONCURRENCY, MONGODB_URI }).webConcurrency).toBe(count);
  });

  test.each(["0", "-1", "1.5", "65", "auto"])("may not be %s", (WEB_CONCURRENCY) => {
    expect(refusal({ WEB_CONCURRENCY })).toBe(
      "WEB_CONCURRENCY must be a whole number from 1 to 64",
    );
  });
});

test.each([
  ["MAX_CONNECTIONS", "maxConnections", 100_000],
  ["KEEP_ALIVE_SECONDS", "keepAliveSeconds", 86_400],
] as const)("%s is a number within bounds", (name, key, most) => {
  for (const value of [1, 75, most]) expect(parseEnv({ [name]: `${value}` })[key]).toBe(value);
  for (const value of ["0", "-1", "1.5", `${most + 1}`, "none"])
    expect(refusal({ [name]: value })).toBe(`${name} must be a whole number from 1 to ${most}`);
});

describe("SESSION_SECRET", () => {
  const MONGODB_URI = "mongodb://h/platform";
  const APP_URL = "https://reviews.example.com";
  const required = "SESSION_SECRET is required with NODE_ENV=production and MONGODB_URI";

  test("is required for a production of one's own database, and only there", () => {
    expect(refusal({ NODE_ENV: "production", MONGODB_URI, APP_URL })).toBe(required);
    expect(refusal({ NODE_ENV: "production", MONGODB_URI, APP_URL, SESSION_SECRET: "" })).toBe(
      required,
    );
    expect(parseEnv(EMBEDDED).sessionSecret).toBeUndefined();
    expect(parseEnv({ MONGODB_URI }).sessionSecret).toBeUndefined();
    expect(parseEnv({ NODE_ENV: "development", MONGODB_URI }).sessionSecret).toBeUndefined();
    const given = { NODE_ENV: "production", MONGODB_URI, APP_URL, SESSION_SECRET: SECRET };
    expect(parseEnv(given).sessionSecret).toBe(SECRET);
  });

  test("has 32 characters at least, and is never shown", () => {
    const short = SECRET.slice(1);
    expect(refusal({ SESSION_SECRET: short })).toBe(
      "SESSION_SECRET must have at least 32 characters",
    );
    expect(refusal({ SESSION_SECRET: short, PORT: "x" })).not.toContain(short);
  });
});

describe("SendGrid", () => {
  test.each([
    ["reviews@example.com", { email: "reviews@example.com" }],
    ["  reviews@example.com ", { email: "reviews@example.com" }],
    ["<reviews@example.com>", { email: "reviews@example.com" }],
    ["Tour Reviews <reviews@example.com>", { name: "Tour Reviews", email: "reviews@example.com" }],
    [
      '"Reviews, Tours & more" <reviews@example.com>',
      { name: "Reviews, Tours & more", email: "reviews@example.com" },
    ],
  ])("MAIL_FROM may be %s", (MAIL_FROM, mailbox) => {
    expect(parseEnv({ MAIL_FROM }).mailFrom).toEqual(mailbox);
  });

  test.each(["reviews", "Reviews <reviews>", "a@b@example.com", "Reviews reviews@example.com"])(
    "MAIL_FROM may not be %s",
    (MAIL_FROM) => {
      expect(refusal({ MAIL_FROM })).toBe(
        "MAIL_FROM must be an address such as reviews@example.com or Reviews <reviews@example.com>",
      );
    },
  );

  test("a key needs a sender", () => {
    const SENDGRID_API_KEY = "SG.secret";
    expect(refusal({ SENDGRID_API_KEY })).toBe("MAIL_FROM is required with SENDGRID_API_KEY");
    const both = parseEnv({ SENDGRID_API_KEY, MAIL_FROM: "reviews@example.com" });
    expect(both.sendgridApiKey).toBe(SENDGRID_API_KEY);
  });

  test("SENDGRID_BASE_URL is an address", () => {
    const local = "http://127.0.0.1:4010";
    expect(parseEnv({ SENDGRID_BASE_URL: local }).sendgridBaseUrl).toBe(local);
    for (const SENDGRID_BASE_URL of ["api.sendgrid.com", "ftp://api.sendgrid.com"])
      expect(refusal({ SENDGRID_BASE_URL })).toBe("SENDGRID_BASE_URL must be an http(s) address");
  });
});

test("LOG_LEVEL is one of pino's", () => {
  for (const LOG_LEVEL of ["fatal", "error", "warn", "info", "debug", "trace", "silent"])
    expect(parseEnv({ LOG_LEVEL }).logLevel).toBe(LOG_LEVEL);
  for (const LOG_LEVEL of ["loud", "INFO", "30"])
    expect(refusal({ LOG_LEVEL })).toBe(
      "LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent",
    );
});

test.each([
  ["TRUST_PROXY", "trustProxy"],
  ["HSTS_INCLUDE_SUBDOMAINS", "hstsIncludeSubdomains"],
] as const)("%s is yes or no", (name, key) => {
  for (const [value, meant] of [
    ["true", true],
    ["1", true],
    ["false", false],
    ["0", false],
  ] as const)
    expect(parseEnv({ [name]: value })[key]).toBe(meant);
  for (const value of ["yes", "TRUE", "127.0.0.1"])
    expect(refusal({ [name]: value })).toBe(`${name} must be true or false`);
});

test("names every bad variable in one line", () => {
  expect(refusal({ PORT: "x", LOG_LEVEL: "y", MONGODB_URI: "mysql://h" })).toBe(
    "PORT must be a whole number from 1 to 65535; " +
      "MONGODB_URI must start with mongodb:// or mongodb+srv://; " +
      "LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent",
  );
});
