import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, sessionOf } from "../support/app";
import { stored } from "../support/database";
import { isApi, PATTERNS, ROUTES } from "../support/manifest";
import { addressOfPattern, CHANGES } from "../support/access-tables";
import { app, useApp, useWorld } from "../support/shared-app";
import { exchange, head } from "../support/sockets";
import { makeWorld, type World } from "../support/world";

// Rules for every route, including those that are added tomorrow: the list is Remix' own.

// Only the forms change anything.
useApp({ emptied: "once" });

let world: World;
/** The session of the review's author, who may do anything with it. */
let cookie: string;
let before: string;
beforeAll(async () => {
  world = await makeWorld();
  cookie = await sessionOf(world.author);
  // Stores the figures of the day.
  await call(app, "GET", "/about/reviews");
  before = await stored();
});

describe("reading writes nothing, whatever page the link to it was on", () => {
  // Read once for all: -t finds the one that has written.
  afterAll(async () => expect(await stored()).toBe(before));

  test.each(PATTERNS)("%s", async (pattern) => {
    const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
    for (const method of ["GET", "HEAD"]) {
      const { status } = await call(app, method, addressOfPattern(pattern, world), {
        cookie,
        headers,
      });
      expect(status).toBeLessThan(500);
    }
  });
});

describe("a page takes GET, HEAD, and POST where it has a form", () => {
  const OTHERS = ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "QUERY", "LINK"];
  const FIELDS = ["Content-Type: application/x-www-form-urlencoded", "Content-Length: 0"];

  /** Sends a request with each method, as the author, and expects a refusal that names the allowed methods. */
  async function expectRefused(path: string, methods: string[]): Promise<void> {
    const allow = ["GET", "HEAD", "POST"].filter((name) => !methods.includes(name)).join(", ");
    for (const method of methods) {
      const request = head(method, path, ...FIELDS, `Cookie: ${cookie}`);
      const { status, headers, body } = await exchange(app, request);
      expect([method, status, headers.get("allow")]).toEqual([method, 405, allow]);
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(body).toContain("This page does not accept that request");
    }
  }

  const pages = ROUTES.filter(({ id, pattern }) => id !== "root" && !isApi(pattern));

  test.each(pages.map(({ pattern, file }) => [pattern, file]))("%s", async (pattern, file) => {
    const { action } = (await import(/* @vite-ignore */ file)) as { action?: unknown };
    const refused = [action ? "PATCH" : "POST", "PUT"];
    const before = await stored();
    const path = addressOfPattern(pattern, world);
    // The page's data, and Remix's name for an index, are judged as its own path is.
    for (const address of [path, `${path === "/" ? "/_root" : path}.data`, `${path}?index`])
      await expectRefused(address, refused);
    expect(await stored()).toBe(before);
    if (!action) return;
    const { status } = await exchange(app, head("POST", path, ...FIELDS));
    expect(status).not.toBe(405);
  });

  test("so does a file, or an address that does not exist, whatever the method", async () => {
    const { text } = await call(app, "GET", "/login");
    const [, script] = /"(\/build\/[^"]+\.js)"/.exec(text)!;
    for (const path of [script!, "/favicon.svg", "/build/nope.js", "/nope"])
      await expectRefused(path, ["POST", ...OTHERS]);
    await expectRefused("/login", OTHERS);
  });
});

describe("an impossible value of a form's field is refused, and causes no server error", () => {
  const NONSENSE = ["NaN", "-1", "{}", "__proto__", "\u0000", "ééé".repeat(3_000)];

  const getWorld = useWorld();

  test.each(CHANGES)("%s", async (_, { method, path, fields, sender, body }) => {
    const world = getWorld();
    const shown = sender && (await sessionOf(world[sender]));
    for (const field of Object.keys(fields(world)))
      for (const nonsense of NONSENSE) {
        const options = { cookie: shown ?? undefined, ...body(world, { [field]: nonsense }) };
        const { status } = await call(app, method, path(world), options);
        expect(status, `${field}=${nonsense.slice(0, 20)}`).toBeLessThan(500);
      }
  });
});
