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
import { app, useApp, useWorld } from "../support/shared-app";
import { makeUser, PASSWORD } from "../support/factories";
import { PATTERNS, ROUTES } from "../support/manifest";
import { addressOf, isApi, MUTATIONS } from "../support/register";
import { exchange, head } from "../support/sockets";
import { makeWorld, type World } from "../support/world";

// A page of another site, opened by somebody who is logged in here, changes nothing here, however it sends its
// request.

const PUBLIC_ORIGIN = "https://reviews.example.com";
const port = () => new URL(app.url).port;
type Fields = Record<string, string>;
type Kind = [string, () => Fields];

/** What browsers send from other sites. */
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

type Mutation = (typeof MUTATIONS)[number][1];

/** Each may send something, and must not be tricked into it. */
const ROLES = ["author", "other", "guide", "operator"] as const;
type Role = (typeof ROLES)[number];
const idOf = (pattern: string) => ROUTES.filter((route) => route.pattern === pattern).at(-1)!.id;
const send = (
  { method, body }: Mutation,
  world: World,
  target: string,
  cookie: string | undefined,
  headers: Fields,
) => call(app, method, target, { cookie, headers, ...body(world) });

/**
 * A form and a request of the API, which are tried with every origin and spelling: the origin is judged before anything
 * knows the route (`app/server/guard/guard.server.ts`).
 */
const CLOSELY = ["POST /tours/:slug", "PATCH /api/reviews/:id"];

describe("from another site", () => {
  useApp({ emptied: "once" });
  let world: World;
  let before: string;
  const cookies = {} as Record<Role, string>;
  beforeAll(async () => {
    world = await makeWorld();
    for (const role of ROLES) cookies[role] = await sessionOf(world[role]);
    before = await stored();
  });
  beforeEach(forgetAttempts);
  // Read once for all, which takes longer than many requests: -t finds the one that has written.
  afterAll(async () => expect(await stored(), "one of these requests writes").toBe(before));

  it("is tried closely with a form and with a request of the API", () => {
    expect(MUTATIONS.filter(([name]) => CLOSELY.includes(name))).toHaveLength(2);
  });

  test.each(MUTATIONS)("%s is refused, and writes nothing", async (name, mutation) => {
    const { pattern, api, path, by } = mutation;
    const cookie = cookies[by ?? "author"];
    const { document, ...scripts } = waysTo(path(world), idOf(pattern));
    const isClose = CLOSELY.includes(name);
    const kinds = isClose ? [...FOREIGN, ...NEARLY] : [FOREIGN[0]!, FOREIGN.at(-1)!];
    const ways = [...Object.entries(scripts), ...(isClose ? spellings(document) : [])];
    for (const [way, target, kind, headers] of [
      ...kinds.map((kind) => ["document", document, ...kind] as const),
      ...ways.map((way) => [...way, ...FOREIGN[0]!] as const),
    ])
      // Logging in a visitor who was not logged in is just as bad.
      for (const shown of by === null ? [cookie, undefined] : [cookie]) {
        const answer = await send(mutation, world, target, shown, headers());
        const what = `${way} from ${kind}`;
        // An address of the API that ends in .data is unknown, or names another review.
        const statuses = api ? (way === ".data" ? [401, 404] : [401]) : [403];
        expect(statuses, `${what}: ${answer.status}`).toContain(answer.status);
        expect(answer.headers.get("set-cookie")).toBeNull();
        if (api) expect(answer.json).toEqual({ error: expect.any(String) });
        else expect(answer.text).toContain("That is not allowed");
      }
  });

  test.each(PATTERNS)("any other request to %s is refused too", async (pattern) => {
    const options = { cookie: cookies.author, headers: FOREIGN[0]![1]() };
    const { document, ".data": data } = waysTo(addressOf(pattern, world), "");
    for (const [method, target] of [
      ...["POST", "PUT", "DELETE"].map((method) => [method, document] as const),
      ["POST", data] as const,
    ]) {
      const { status } = await call(app, method, target, options);
      const statuses = isApi(pattern) ? [401, 403, 404, 405] : [403];
      expect(statuses, `${method} ${target}: ${status}`).toContain(status);
    }
  });

  test.each(["/favicon.svg", "/build", "/nope"])("a post to %s is refused too", async (path) => {
    const answer = await call(app, "POST", path, { headers: { origin: "null" } });
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining("not allowed")]);
  });
});

describe("from no browser, in a world that is as new for each request", () => {
  const getWorld = useWorld();

  // How documents send the others is in authorization.http.test.ts, which has no operators.
  const tried = MUTATIONS.filter(([name, { by }]) => CLOSELY.includes(name) || by === "operator");
  describe.each(tried)("%s", (_, mutation) => {
    const { pattern, api, method, path, body, by, answers } = mutation;

    const ways: (keyof ReturnType<typeof waysTo>)[] = [api ? "?_data=" : ".data"];
    if (by === "operator") ways.push("document");
    it.each(ways)("is accepted from a client that is no browser: %s", async (way) => {
      const world = getWorld();
      const cookie = await sessionOf(world[by ?? "author"]);
      const target = waysTo(path(world), idOf(pattern))[way];
      const before = await stored();
      const { status } = await send(mutation, world, target, cookie, {});
      // Remix tells scripts of a redirect with 202 or 204.
      expect([200, 201, 202, 204, 302]).toContain(status);
      // A form that only carries what was typed to another page writes nothing.
      if (by !== "operator" && !Object.values(answers).some(({ writes }) => writes))
        return expect(await stored()).toBe(before);
      expect(await stored()).not.toBe(before);
    });

    if (api)
      it("is accepted from anywhere with a token, which no other site has", async () => {
        const world = getWorld();
        const token = await tokenOf(world[by!]);
        const headers = { origin: "https://evil.example" };
        const answer = await call(app, method, path(world), { token, headers, ...body(world) });
        expect([200, 201]).toContain(answer.status);
      });
  });
});

describe("a path that resolves to a page", () => {
  useApp();
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
});

describe("our own pages", () => {
  useApp();

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
