import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
  test,
} from "vitest";
import { Session } from "#models/session";
import { call, logIn, sessionOf, startApp, tokenOf } from "../support/app";
import { databaseUri, forgetAttempts, stored } from "../support/database";
import { app, useApp } from "../support/shared-app";
import { makeUser, PASSWORD } from "../support/factories";
import { isApi, PATTERNS, ROUTES } from "../support/manifest";
import { USERS, type User } from "../support/access";
import { addressOfPattern, CHANGES } from "../support/access-tables";
import { exchange, head } from "../support/sockets";
import { makeWorld, type World } from "../support/world";

// A page of another site, opened by somebody who is logged in here, changes nothing here, however it sends its
// request.

const PUBLIC_ORIGIN = "https://reviews.example.com";
const port = () => new URL(app.url).port;
type Fields = Record<string, string>;
type Kind = [string, () => Fields];

/** The headers that browsers send from other sites. */
const FOREIGN: Kind[] = [
  ["another site", () => ({ origin: "https://evil.example" })],
  ["a page without an origin", () => ({ origin: "null" })],
  ["a malformed origin", () => ({ origin: "garbage" })],
  ["another site without an Origin", () => ({ "sec-fetch-site": "cross-site" })],
];

/** Origins that resemble ours, or hide another one. */
const NEARLY: Kind[] = [
  ["another port", () => ({ origin: "http://localhost:1" })],
  ["another scheme", () => ({ origin: app.url.replace("http:", "https:") })],
  ["a name that starts like ours", () => ({ origin: `${app.url}.evil.example` })],
  ["a name that ends like ours", () => ({ origin: `http://evil-localhost:${port()}` })],
  ["two origins", () => ({ origin: `${app.url}, https://evil.example` })],
  [
    "another site that claims to be ours",
    () => ({
      origin: "https://evil.example",
      "sec-fetch-site": "same-origin",
      "x-forwarded-host": "evil.example",
    }),
  ],
];

const OWN: Kind[] = [
  ["no browser", () => ({})],
  ["our address", () => ({ origin: app.url })],
  ["another name of this machine", () => ({ origin: `http://127.0.0.1:${port()}` })],
  ["a browser without an Origin", () => ({ "sec-fetch-site": "same-origin" })],
  ["the address bar", () => ({ "sec-fetch-site": "none" })],
];

/** The addresses by which a document and Remix' scripts reach a route's action. */
const waysTo = (path: string, id: string) => ({
  document: path,
  "?_data=": `${path}?_data=${encodeURIComponent(id)}`,
  ".data": path === "/" ? "/_root.data" : `${path}.data`,
});

/** Other spellings of a path that lead to the same route. */
const spellings = (path: string): [string, string][] => [
  ["?index", `${path}?index`],
  ["slash", path.replace(/\/?$/, "/")],
  ["capitals", path.replace(/^\/\w+/, (word) => word.toUpperCase())],
];

const idOf = (pattern: string) => ROUTES.filter((route) => route.pattern === pattern).at(-1)!.id;

/**
 * A form and a request of the API, which are tried with every origin and spelling: the origin is judged before anything
 * knows the route (`app/server/guard/guard.server.ts`).
 */
const CLOSELY = ["POST /tours/:slug", "PATCH /api/reviews/:id"];

describe("from another site", () => {
  useApp({ emptied: "once" });
  let world: World;
  let before: string;
  const cookies = {} as Record<User, string>;
  beforeAll(async () => {
    world = await makeWorld();
    for (const user of USERS) cookies[user] = await sessionOf(world[user]);
    before = await stored();
  });
  beforeEach(forgetAttempts);
  // Read once for all, which takes longer than many requests: -t finds the one that has written.
  afterAll(async () => expect(await stored(), "one of these requests writes").toBe(before));

  test.each(CHANGES)("%s is refused, and writes nothing", async (name, change) => {
    const { pattern, api, method, path, sender, body } = change;
    const cookie = cookies[sender ?? "author"];
    const { document, ...scripts } = waysTo(path(world), idOf(pattern));
    const isClose = CLOSELY.includes(name);
    const kinds = isClose ? [...FOREIGN, ...NEARLY] : [FOREIGN[0]!, FOREIGN.at(-1)!];
    const ways = [...Object.entries(scripts), ...(isClose ? spellings(document) : [])];
    for (const [way, target, kind, headers] of [
      ...kinds.map((kind) => ["document", document, ...kind] as const),
      ...ways.map((way) => [...way, ...FOREIGN[0]!] as const),
    ])
      // Logging in a visitor who was not logged in is just as bad.
      for (const shown of sender === null ? [cookie, undefined] : [cookie]) {
        const options = { cookie: shown, headers: headers(), ...body(world) };
        const answer = await call(app, method, target, options);
        const what = `${way} from ${kind}`;
        // An address of the API that ends in .data is unknown, or names another review.
        const statuses = api ? (way === ".data" ? [401, 404] : [401]) : [403];
        expect(statuses, `${what}: ${answer.status}`).toContain(answer.status);
        expect(answer.headers.get("set-cookie")).toBeNull();
        if (api) expect(answer.json).toEqual({ error: expect.any(String) });
        else expect(answer.text).toContain("You can’t do that here");
      }
  });

  test.each(PATTERNS)("any other request to %s is refused too", async (pattern) => {
    const options = { cookie: cookies.author, headers: FOREIGN[0]![1]() };
    const { document, ".data": data } = waysTo(addressOfPattern(pattern, world), "");
    for (const [method, target] of [
      ...["POST", "PUT", "DELETE"].map((method) => [method, document] as const),
      ["POST", data] as const,
    ]) {
      const { status } = await call(app, method, target, options);
      const statuses = isApi(pattern) ? [401, 403, 404, 405] : [403];
      expect(statuses, `${method} ${target}: ${status}`).toContain(status);
    }
  });

  test("a post to a file or to no page is refused too", async () => {
    for (const path of ["/favicon.svg", "/nope"]) {
      const { status, text } = await call(app, "POST", path, { headers: { origin: "null" } });
      expect([path, status, text]).toEqual([
        path,
        403,
        expect.stringContaining("You can’t do that here"),
      ]);
    }
  });
});

describe("our own pages", () => {
  useApp();

  test.each(OWN)("the API and the forms accept the cookie of %s", async (_, fields) => {
    const { author, review } = await makeWorld();
    const cookie = await sessionOf(author);
    const options = { cookie, headers: fields(), body: { rating: 1 } };
    const path = `/api/reviews/${review._id.toString()}`;
    expect((await call(app, "PATCH", path, options)).status).toBe(200);
    const raw = new URLSearchParams({ email: author.email, password: PASSWORD });
    expect((await call(app, "POST", "/login", { raw, headers: fields() })).status).toBe(302);
    const sessions = await Session.countDocuments();
    expect((await call(app, "POST", "/logout", { cookie, headers: fields() })).status).toBe(302);
    expect(await Session.countDocuments()).toBe(sessions - 1);
  });

  it("a request of the API with a token, which no other site has, is accepted from anywhere", async () => {
    const { author, review } = await makeWorld();
    const options = { token: await tokenOf(author), headers: { origin: "https://evil.example" } };
    const path = `/api/reviews/${review._id.toString()}`;
    expect((await call(app, "PATCH", path, { ...options, body: { rating: 1 } })).status).toBe(200);
  });

  test.each(["/api/../logout", "/api/%2E%2e/logout", "/api/..\\logout"])(
    "%s is refused as the page that it resolves to",
    async (target) => {
      const cookie = await sessionOf(await makeUser());
      const fields = [`Cookie: ${cookie}`, "Content-Length: 0"];
      const foreign = await exchange(app, head("POST", target, ...fields, "Origin: null"));
      expect([foreign.status, await Session.countDocuments()]).toEqual([403, 1]);
      const own = await exchange(app, head("POST", target, ...fields));
      expect([own.status, await Session.countDocuments()]).toEqual([302, 0]);
    },
  );

  it("a link on another site opens the page with the visitor logged in", async () => {
    const { author, tour } = await makeWorld();
    const cookie = await sessionOf(author);
    const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
    const { status, text } = await call(app, "GET", `/tours/${tour.slug}`, { cookie, headers });
    expect(status).toBe(200);
    expect(text).toContain("Log out");
  });

  it("a public site has one origin, which no header of a client changes", async () => {
    const publicApp = await startApp(databaseUri(), { APP_URL: PUBLIC_ORIGIN });
    onTestFinished(async () => void (await publicApp.stop()));
    const { author, review } = await makeWorld();
    const cookie = await logIn(publicApp, author.email);
    const edit = (headers: Fields) =>
      call(publicApp, "PATCH", `/api/reviews/${review._id.toString()}`, {
        cookie,
        headers,
        body: { rating: 1 },
      });
    expect((await edit({ origin: PUBLIC_ORIGIN })).status).toBe(200);
    for (const origin of [
      publicApp.url,
      "http://reviews.example.com",
      "https://reviews.example.com:8443",
      "https://evil.reviews.example.com",
    ])
      expect([origin, (await edit({ origin })).status]).toEqual([origin, 401]);
    const spoofed = { origin: "https://evil.example", "x-forwarded-host": "evil.example" };
    expect((await edit(spoofed)).status).toBe(401);
  });
});
