import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { Session } from "../../models/session";
import { call, logIn, sessionOf, startApp, tokenOf, type App } from "../support/app";
import { databaseUri, stored } from "../support/database";
import { app, useApp } from "../support/shared-app";
import { makeUser, PASSWORD } from "../support/factories";
import { ROUTES } from "../support/manifest";
import { addressOf, isApi, MUTATIONS } from "../support/register";
import { exchange, head } from "../support/sockets";
import { makeWorld, type World } from "../support/world";

// A page of another site, opened by somebody who is logged in here, changes nothing here, however it sends its
// request.

useApp();
/** The same app at a public address. */
let publicApp: App;
const PUBLIC_ORIGIN = "https://reviews.example.com";
beforeAll(async () => {
  publicApp = await startApp(databaseUri(), { APP_URL: PUBLIC_ORIGIN });
});
afterAll(() => publicApp.stop());

const port = () => new URL(app.url).port;
type Fields = Record<string, string>;
type Kind = [string, () => Fields];

/** What browsers send from other sites; it is tried with every way of sending. */
const FOREIGN: Kind[] = [
  ["another site", () => ({ origin: "https://evil.example" })],
  ["a page without an origin", () => ({ origin: "null" })],
  ["a malformed origin", () => ({ origin: "garbage" })],
  ["another site without an Origin", () => ({ "sec-fetch-site": "cross-site" })],
];

/** Origins that resemble ours, or hide another one. */
const NEARLY: Kind[] = [
  ["an empty origin", () => ({ origin: " " })],
  ["another port", () => ({ origin: "http://localhost:1" })],
  ["no port", () => ({ origin: "http://localhost" })],
  ["another scheme", () => ({ origin: app.url.replace("http:", "https:") })],
  ["a name that starts like ours", () => ({ origin: `${app.url}.evil.example` })],
  ["a name that ends like ours", () => ({ origin: `http://evil-localhost:${port()}` })],
  ["our address with a path", () => ({ origin: `${app.url}/` })],
  ["two origins", () => ({ origin: `${app.url}, https://evil.example` })],
  [
    "another site that claims to be ours",
    () => ({
      origin: "https://evil.example",
      "sec-fetch-site": "same-origin",
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "https",
      forwarded: "host=evil.example;proto=https",
    }),
  ],
];

const OWN: Kind[] = [
  ["no browser", () => ({})],
  ["our address", () => ({ origin: app.url })],
  ["127.0.0.1", () => ({ origin: `http://127.0.0.1:${port()}` })],
  ["::1", () => ({ origin: `http://[::1]:${port()}` })],
  ["a browser without an Origin", () => ({ "sec-fetch-site": "same-origin" })],
  ["the address bar", () => ({ "sec-fetch-site": "none" })],
];

/** The addresses by which a document and Remix' scripts reach a route's action. */
const WAYS = ["document", "?_data=", ".data"] as const;
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

describe.each(MUTATIONS)("%s", (_, { pattern, api, method, path, body, by, answers }) => {
  /** The session of somebody who may do it, and so must not be tricked into it. */
  const cookieIn = (world: World) => sessionOf(world[by ?? "author"]);
  const { id } = ROUTES.filter((route) => route.pattern === pattern).at(-1)!;
  const send = (world: World, target: string, cookie: string | undefined, headers: Fields) =>
    call(app, method, target, { cookie, headers, ...body(world) });

  it("from another site is refused, and writes nothing", async () => {
    const world = await makeWorld();
    const cookie = await cookieIn(world);
    const before = await stored();
    const everyWay = Object.entries(waysTo(path(world), id)).flatMap(([way, target]) =>
      (way === "document" ? [...FOREIGN, ...NEARLY] : FOREIGN).map(
        (kind) => [way, target, ...kind] as const,
      ),
    );
    const respelt = spellings(path(world)).map((way) => [...way, ...FOREIGN[0]!] as const);
    for (const [way, target, kind, headers] of [...everyWay, ...respelt])
      // Logging in a visitor who was not logged in is just as bad.
      for (const shown of by === null ? [cookie, undefined] : [cookie]) {
        const answer = await send(world, target, shown, headers());
        const what = `${way} from ${kind}`;
        // An address of the API that ends in .data is unknown, or names another review.
        const statuses = api ? (way === ".data" ? [401, 404] : [401]) : [403];
        expect(statuses, `${what}: ${answer.status}`).toContain(answer.status);
        expect(answer.headers.get("set-cookie")).toBeNull();
        if (api) expect(answer.json).toEqual({ error: expect.any(String) });
        else expect(answer.text).toContain("That is not allowed");
      }
    expect(await stored()).toBe(before);
  });

  it.each(WAYS.filter((way) => !api || way !== ".data"))(
    "is accepted from a client that is no browser: %s",
    async (way) => {
      const world = await makeWorld();
      const cookie = await cookieIn(world);
      const target = waysTo(path(world), id)[way];
      const before = await stored();
      const { status } = await send(world, target, cookie, {});
      // Remix tells scripts of a redirect with 202 or 204.
      expect([200, 201, 202, 204, 302]).toContain(status);
      // A form that only carries what was typed to another page writes nothing.
      if (by !== "operator" && !Object.values(answers).some(({ writes }) => writes))
        return expect(await stored()).toBe(before);
      expect(await stored()).not.toBe(before);
    },
  );

  if (api)
    it("is accepted from anywhere with a token, which no other site has", async () => {
      const world = await makeWorld();
      const token = await tokenOf(world[by!]);
      const headers = { origin: "https://evil.example" };
      const answer = await call(app, method, path(world), { token, headers, ...body(world) });
      expect([200, 201]).toContain(answer.status);
    });
});

const another = () => [FOREIGN[0]![0], FOREIGN[0]![1]()] as const;

describe("any other post from another site is refused too", () => {
  test.each(ROUTES.map(({ id, pattern }) => [pattern, id]))("%s (%s)", async (pattern, id) => {
    const world = await makeWorld();
    const cookie = await sessionOf(world.author);
    const before = await stored();
    const { document, ...scripts } = waysTo(addressOf(pattern, world), id);
    const requests = [
      ...FOREIGN.map(([kind, headers]) => ["POST", document, kind, headers()] as const),
      ...["PUT", "PATCH", "DELETE"].map((method) => [method, document, ...another()] as const),
      ...Object.values(scripts).map((target) => ["POST", target, ...another()] as const),
      ...spellings(document).map(([, target]) => ["POST", target, ...another()] as const),
    ];
    for (const [method, target, kind, headers] of requests) {
      const { status } = await call(app, method, target, { cookie, headers });
      const what = `${method} ${target} from ${kind}: ${status}`;
      expect(isApi(pattern) ? [401, 403, 404, 405] : [403], what).toContain(status);
    }
    expect(await stored()).toBe(before);
  });

  test.each(["/favicon.svg", "/build", "/nope"])("%s", async (path) => {
    const answer = await call(app, "POST", path, { headers: { origin: "null" } });
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining("not allowed")]);
  });
});

test.each(["/api/../logout", "/api/%2E%2e/logout", "/api/..\\logout", "/healthz/../logout?x"])(
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

describe("our own pages", () => {
  test.each(OWN)("the API accepts the cookie of %s", async (_, fields) => {
    const world = await makeWorld();
    const cookie = await sessionOf(world.author);
    const options = { cookie, headers: fields(), body: { rating: 1 } };
    const path = `/api/reviews/${world.review._id.toString()}`;
    expect((await call(app, "PATCH", path, options)).status).toBe(200);
  });

  test.each(OWN)("pages accept a post of %s", async (_, fields) => {
    const user = await makeUser();
    const cookie = await sessionOf(user);
    const raw = new URLSearchParams({ email: user.email, password: PASSWORD });
    const entered = await call(app, "POST", "/login", { raw, headers: fields() });
    expect([entered.status, await Session.countDocuments()]).toEqual([302, 2]);
    const left = await call(app, "POST", "/logout", { cookie, headers: fields() });
    expect([left.status, await Session.countDocuments()]).toEqual([302, 1]);
  });

  it("a link on another site opens the page with the visitor logged in", async () => {
    const { author, tour } = await makeWorld();
    const cookie = await sessionOf(author);
    for (const path of ["/", `/tours/${tour.slug}`]) {
      const headers = {
        "sec-fetch-site": "cross-site",
        "sec-fetch-mode": "navigate",
        "sec-fetch-dest": "document",
      };
      const { status, text } = await call(app, "GET", path, { cookie, headers });
      expect(status).toBe(200);
      expect(text).toContain("Ann Author");
      expect(text).toContain("Log out");
    }
  });

  it("a public site has one origin, which no header of a client changes", async () => {
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
      publicApp.url.replace("localhost", "127.0.0.1"),
      "http://reviews.example.com",
      "https://reviews.example.com:8443",
      "https://evil.reviews.example.com",
      "https://localhost",
    ])
      expect([origin, (await edit({ origin })).status]).toEqual([origin, 401]);
    const spoofed = { origin: "https://evil.example", "x-forwarded-host": "evil.example" };
    expect((await edit(spoofed)).status).toBe(401);
  });
});
