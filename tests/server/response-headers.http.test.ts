import { once } from "node:events";
import { statSync } from "node:fs";
import http from "node:http";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { policyHash } from "~/lib/digest.server";
import { AccessToken } from "#models/access-token";
import { Notification } from "#models/notification";
import { Session } from "#models/session";
import type { UserDocument } from "#models/user";
import { type App, call, mailsCookie, sessionOf, startApp, tokenOf } from "../support/app";
import { until } from "../support/commands";
import { databaseUri } from "../support/database";
import { PATTERNS } from "../support/manifest";
import { addressOfPattern } from "../support/access-tables";
import { app, expectStrict, useApp } from "../support/shared-app";
import { makeUser } from "../support/factories";
import { makeWorld, type World } from "../support/world";

// The headers of every kind of answer. No request below changes what another one asks for.

useApp({ emptied: "once" });

const SECURE_ORIGIN = "https://reviews.example.com";
/** The same app behind TLS. */
let secureApp: App;
/** Files of the browser's build, which a page names. */
let script: string;
let style: string;
let font: string;
let world: World;
let cookie: string;
/** A user with a token that no version of this app writes. */
let unlucky: UserDocument;

beforeAll(async () => {
  secureApp = await startApp(databaseUri(), { APP_URL: SECURE_ORIGIN });
  const { text } = await call(app, "GET", "/login");
  const named = (suffix: string) => new RegExp(`"(/build/[^"]+\\.${suffix})"`).exec(text)![1]!;
  [script, style, font] = [named("js"), named("css"), named("woff2")];
  world = await makeWorld();
  cookie = await sessionOf(world.author);
  unlucky = await makeUser();
  await AccessToken.collection.insertOne({ userId: unlucky._id, hash: "broken" });
});
afterAll(() => secureApp.stop());

type Options = NonNullable<Parameters<typeof call>[3]>;

/** A description, its status, and the request: method, address, and what must be stored before. */
type Kind = [string, number, string, () => string, (() => Options | Promise<Options>)?];

// Without the second header, fetch would ask that no cached answer be used.
const unchanged = () => ({ headers: { "if-none-match": "*", "cache-control": "max-age=0" } });
const mine = () => ({ cookie });
const of = (user: () => UserDocument) => async () => ({ cookie: await sessionOf(user()) });
const rename = () => ({
  cookie,
  raw: new URLSearchParams({ intent: "profile", name: "Ann", image: "" }),
});
const range = () => ({ headers: { range: "bytes=99999999-" } });
const foreign = () => ({ headers: { origin: "null" } });
const tooLarge = () => ({ raw: "x".repeat(70_000) });
const developer = () => ({ cookie: mailsCookie() });

/** Pages, which have scripts. */
const PAGES: Kind[] = [
  ["a page", 200, "GET", () => "/"],
  ["a page without its body", 200, "HEAD", () => "/"],
  ["a page of somebody's own", 200, "GET", () => "/me/account", mine],
  ["the list of captured e-mails", 200, "GET", () => "/dev/mail", developer],
  ["a form with errors", 400, "POST", () => "/login", () => ({ raw: new URLSearchParams() })],
  ["a refused post", 403, "POST", () => "/login", foreign],
  ["a page that is not there", 404, "GET", () => "/nope"],
  ["an OPTIONS of a page", 405, "OPTIONS", () => "/"],
  ["a body that is too large", 413, "POST", () => "/login", tooLarge],
  ["a fault", 500, "GET", () => "/me/account", of(() => unlucky)],
];

/** All other answers, which have no scripts. */
const OTHERS: Kind[] = [
  ["an API answer", 200, "GET", () => `/api/reviews?tourId=${world.tour._id.toString()}`],
  ["an unchanged list", 304, "GET", () => "/api/reviews?tourId=x", unchanged],
  ["an API 401", 401, "POST", () => "/api/reviews"],
  ["an API 404", 404, "GET", () => "/api/nope"],
  ["the health check", 200, "GET", () => "/healthz"],
  ["a file of one's own data", 200, "GET", () => "/me/data.json", mine],
  ["a page's data", 200, "GET", () => "/login.data"],
  ["a post's data", 202, "POST", () => "/logout.data"],
  ["a redirect with a cookie", 302, "POST", () => "/me/account", rename],
  ["a redirect to log in", 302, "GET", () => "/me"],
  ["a static file", 200, "GET", () => "/favicon.svg"],
  ["a cover", 200, "GET", () => "/covers/sail-0.svg"],
  ["the picture of a preview", 200, "GET", () => "/share/1.png"],
  ["what crawlers may read", 200, "GET", () => "/robots.txt"],
  ["a part that a file does not have", 416, "GET", () => script, range],
];

/** The files of the build, of which dozens come with a page. */
const PARTS: Kind[] = [
  ["a script", 200, "GET", () => script],
  ["a style sheet", 200, "GET", () => style],
  ["a font", 200, "GET", () => font],
  ["an unchanged file", 304, "GET", () => script, unchanged],
];

/** Sends a request to that server. */
async function ask(server: Pick<App, "url">, [, , method, path, options]: Kind) {
  const { cookie: shown, headers: more, ...rest } = (await options?.()) ?? {};
  const named = server === app ? shown : shown?.replace(/^session/, "__Host-session");
  const headers = { ...more, "accept-encoding": "identity" };
  const answer = await call(server, method, path(), { ...rest, cookie: named, headers });
  return { ...answer, policy: policyOf(answer.headers) };
}

/** The content security policy, by directive. */
function policyOf(headers: Headers): Record<string, string> {
  const policy = headers.get("content-security-policy") ?? "";
  // If an answer had two policies, both would apply.
  expect(policy).not.toContain(", ");
  return Object.fromEntries(
    policy.split("; ").map((directive) => /^(\S+) ?(.*)$/.exec(directive)?.slice(1) ?? []),
  ) as Record<string, string>;
}

/** With what everybody may read of the API, other sites' scripts may do the same. */
function expectCommon(server: Pick<App, "url">, headers: Headers, isShared = false): void {
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  // With `no-referrer` browsers would send our own forms with `Origin: null`.
  expect(headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
  expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
  expect(headers.get("permissions-policy")).toContain("camera=(), ");
  expect(headers.get("permissions-policy")).not.toMatch(/clipboard|web-share/);
  expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get("x-powered-by")).toBeNull();
  expect(headers.get("access-control-allow-origin")).toBe(isShared ? "*" : null);
  // Over plain HTTP a browser has to ignore it.
  if (server === app) expect(headers.get("strict-transport-security")).toBeNull();
  else expect(headers.get("strict-transport-security")).toMatch(/^max-age=\d{8}$/);
  for (const value of headers.getSetCookie()) expectStrict(server, value);
}

describe.each([
  ["http", () => app],
  ["https", () => secureApp],
])("headers over %s", (scheme, server) => {
  test.each(PAGES)("%s (%i)", async (...kind) => {
    const [, status, method, path] = kind;
    // Captured e-mails are only for the developer.
    const hidden = scheme === "https" && path() === "/dev/mail";
    const { policy, text, headers, ...answer } = await ask(server(), kind);
    expect(answer.status).toBe(hidden ? 404 : status);
    expectCommon(server(), headers);
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(policy).toMatchObject({
      "default-src": "'none'",
      "style-src": "'self'",
      "base-uri": "'none'",
      "object-src": "'none'",
      "form-action": "'self'",
      "frame-ancestors": "'none'",
    });
    expect(Object.values(policy).join(" ")).not.toMatch(/unsafe-|\*/);
    const isKept = status === 200 && /^\/(tours\/.*)?$/.test(path());
    expect(headers.get("cache-control")).toBe(`private, ${isKept ? "no-cache" : "no-store"}`);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    const length = Number(headers.get("content-length"));
    if (method === "HEAD") return expect(length).toBeGreaterThan(1_000);
    expect(length).toBe(Buffer.byteLength(text));
    expect(text).toMatch(/<\/script><\/body><\/html>$/);
    const isOfReact = text.includes("window.__remixContext = ");
    const end = "window.__remixContext.streamController.close();</script></body>";
    expect(text.includes(end)).toBe(isOfReact);
    expect(text).not.toMatch(/<!--\/?\$/);
    const scripts = text.matchAll(
      /<script(?: type="(?:module|speculationrules)")?(?: async="")?>(.*?)<\/script>/gs,
    );
    const hashes = [...scripts].map(([, script]) => policyHash(script!));
    expect(hashes.length).toBe(text.match(/<script\b(?! type="application\/ld\+json")/g)!.length);
    expect(policy["script-src"]!.split(" ")).toEqual(["'self'", ...hashes]);
    // Things that the policy would block, and that pages therefore must not need.
    expect(text).not.toMatch(/<style\b|\sstyle="|\son[a-z]+="|javascript:/);
  });

  test.each(PARTS)("%s (%i), which has only what a part of a page needs", async (...kind) => {
    const { status, headers } = await ask(server(), kind);
    expect(status).toBe(kind[1]);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(headers.get("strict-transport-security")).toEqual(
      scheme === "https" ? expect.stringMatching(/^max-age=\d{8}$/) : null,
    );
    expect(JSON.stringify([...headers]).length).toBeLessThan(400);
  });

  test.each(OTHERS)("%s (%i)", async (...kind) => {
    const { status, policy, headers } = await ask(server(), kind);
    expect(status).toBe(kind[1]);
    const [, , method, path] = kind;
    const isShared = /^(GET|HEAD)$/.test(method) && /^\/api\/(?!nope)/.test(path());
    expectCommon(server(), headers, isShared);
    expect(policy).toEqual({
      "default-src": "'none'",
      "base-uri": "'none'",
      "form-action": "'none'",
      "frame-ancestors": "'none'",
    });
    // Other sites show these next to a link; everything else is only for our own pages.
    const isPicture = /^\/(favicon|covers|share\/)/.test(kind[3]());
    expect(headers.get("cross-origin-resource-policy")).toBe(
      isPicture ? "cross-origin" : "same-origin",
    );
    // Files are the same for everybody.
    const forAll = /^\/(favicon|share\/|robots|build|covers\/sail)/;
    if (!forAll.test(kind[3]()))
      expect(headers.get("cache-control")).toMatch(/no-store|^no-cache$/);
  });
});

test("a script and a style sheet are sent as small as they can be", async () => {
  for (const path of [script, style]) {
    const [brotli, gzip, plain] = await Promise.all(
      ["gzip, br", "gzip, br;q=0", "identity"].map(async (encoding) => {
        const headers = { "accept-encoding": encoding };
        const answer = await fetch(app.url + path, { headers });
        return { answer, text: await answer.text() };
      }),
    );
    expect(brotli!.answer.headers.get("content-encoding")).toBe("br");
    expect(gzip!.answer.headers.get("content-encoding")).toBe("gzip");
    expect(plain!.answer.headers.get("content-encoding")).toBeNull();
    for (const { answer, text } of [brotli!, gzip!, plain!]) {
      expect(answer.headers.get("vary")).toBe("Accept-Encoding");
      expect(answer.headers.get("content-type")).toMatch(/^(application|text)\/(javascript|css)\b/);
      expect(text).toBe(plain!.text);
    }
    const file = `public${path}.br`;
    expect(Number(brotli!.answer.headers.get("content-length"))).toBe(statSync(file).size);
  }
});

test.each(PATTERNS)("%s is framed by no other site", async (pattern) => {
  const path = addressOfPattern(pattern, world);
  for (const options of [{ cookie }, { cookie, ...unchanged() }]) {
    const { headers } = await call(app, "GET", path, options);
    expect(policyOf(headers)).toMatchObject({
      "default-src": "'none'",
      "base-uri": "'none'",
      "form-action": expect.stringMatching(/^'(none|self)'$/) as string,
      "frame-ancestors": "'none'",
    });
  }
});

test("HEAD is answered with the headers of GET, and without a body", async () => {
  // The list of tours learns of new ones in the background, which must not be between two requests.
  await until(async () => {
    const { text } = await call(app, "GET", "/");
    return text.includes(world.tour.slug) && text.includes("Night Walk");
  });
  const kinds = [...PAGES, ...OTHERS, ...PARTS].filter(([, , method]) => method === "GET");
  for (const [name, , , path, options] of kinds)
    for (const encoding of ["identity", "gzip"]) {
      const { headers: more, ...rest } = (await options?.()) ?? {};
      const sent = { ...rest, headers: { ...more, "accept-encoding": encoding } };
      // A notice is shown only once.
      await call(app, "GET", path(), sent);
      const get = await call(app, "GET", path(), sent);
      // fetch would close its connection after a HEAD, as proxies do, and the page would not take it for a developer's.
      const head = await headOf(path(), sent);
      expect([name, head.status, head.text]).toEqual([name, get.status, ""]);
      expect([name, shown(head)]).toEqual([name, shown(get)]);
    }
});

const agent = new http.Agent({ keepAlive: true });
afterAll(() => agent.destroy());

/** The answer to a HEAD on a connection that is kept. */
async function headOf(path: string, { cookie, headers }: Options) {
  const all = { ...(cookie !== undefined && { cookie }), ...headers } as Record<string, string>;
  const sent = http.request(app.url + path, { method: "HEAD", headers: all, agent }).end();
  const [answer] = (await once(sent, "response")) as [http.IncomingMessage];
  let text = "";
  for await (const chunk of answer) text += String(chunk);
  const pairs = Object.entries(answer.headersDistinct).map(([name, values]) => [
    name,
    values!.join(", "),
  ]);
  return { status: answer.statusCode!, text, headers: new Headers(pairs as [string, string][]) };
}

/** The headers, but for those of an answer's own, of its connection, and of how a body is sent. */
const shown = ({ headers }: { headers: Headers }) =>
  [...headers]
    .filter(([name]) => !/^(date|x-request-id|connection|keep-alive|transfer-encoding)$/.test(name))
    .map(([name, value]) => [name, value.replace(/sha256-[^']+/g, "hash")]);

describe("a page", () => {
  it("has files that may be kept forever", async () => {
    for (const file of [script, style, font])
      expect((await call(app, "GET", file)).headers.get("cache-control")).toMatch(/immutable/);
  });

  it("sets no cookie for visitors who change nothing", async () => {
    const sessions = await Session.countDocuments();
    for (const path of ["/", "/login", "/api/reviews?tourId=x", "/nope"])
      expect((await call(app, "GET", path)).headers.get("set-cookie")).toBeNull();
    expect(await Session.countDocuments()).toBe(sessions);
  });

  it("shows a captured e-mail, inline styles included, in a frame without permissions", async () => {
    const body = { tourId: world.tour._id.toString(), rating: 5 };
    const token = await tokenOf(world.booked);
    expect((await call(app, "POST", "/api/reviews", { token, body })).status).toBe(201);
    await until(async () => (await Notification.exists({ state: "captured" })) !== null);
    const { _id } = (await Notification.findOne({ state: "captured" }).lean())!;
    const page = await call(app, "GET", `/dev/mail?mail=${_id.toString()}`, developer());
    const [, sandbox] = /<iframe[^>]* sandbox="([^"]*)"/.exec(page.text)!;
    const frame = await call(app, "GET", `/dev/mail/${_id.toString()}`, developer());
    expect(frame.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expectCommon(app, frame.headers);
    expect(policyOf(frame.headers)).toEqual({
      "default-src": "'none'",
      "style-src": "'unsafe-inline'",
      "img-src": "https: data:",
      "base-uri": "'none'",
      "form-action": "'none'",
      "frame-ancestors": "'self'",
      sandbox,
    });
    expect(sandbox).toBe("allow-popups allow-popups-to-escape-sandbox");
  });
});

it("requires HTTPS for its subdomains only if that is set", async () => {
  const settings = { APP_URL: SECURE_ORIGIN, HSTS_INCLUDE_SUBDOMAINS: "true" };
  const wider = await startApp(databaseUri(), settings);
  try {
    const { headers } = await call(wider, "GET", "/healthz");
    expect(headers.get("strict-transport-security")).toBe("max-age=31536000; includeSubDomains");
  } finally {
    await wider.stop();
  }
});

test("a page has no link to a script, which would load before its fonts and pictures", async () => {
  for (const path of ["/", `/tours/${world.tour.slug}`, "/login"])
    expect((await call(app, "GET", path)).text).not.toMatch(/<link[^>]*\.js"/);
});
