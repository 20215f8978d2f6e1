import { beforeAll, expect, test } from "vitest";
import { loggedPath } from "~/server/guard/access-log.server";
import { setRoutes } from "~/server/guard/page-methods.server";
import { withoutLinks } from "~/lib/log.server";
import { PATTERNS, ROUTES } from "../support/manifest";

beforeAll(() => {
  const routes = ROUTES.map(({ id, pattern }) => [id, { id, path: pattern.slice(1) }] as const);
  setRoutes(Object.fromEntries(routes) as never);
});

/** Parameters that everybody may know. A secret one is called `token`. */
const PUBLIC = new Set([":id", ":name", ":part", ":slug", ":status"]);
const secretOf = (pattern: string) =>
  pattern.split("/").find((segment) => segment.startsWith(":") && !PUBLIC.has(segment));
const SECRET = PATTERNS.filter(secretOf);

test("the parameter of an address that not everybody may know is called token", () => {
  expect(new Set(SECRET.map(secretOf))).toEqual(new Set([":token"]));
  expect(SECRET.length).toBeGreaterThan(6);
});

test.each(SECRET)("no line of the log shows the token of %s", (pattern) => {
  const path = pattern.replace(":token", "TOKEN");
  const mangled = [`${path}/more/`, path.replaceAll("/", "%2f"), `/${path}/x`, `/en/${path}`];
  for (const written of mangled) expect(loggedPath(written)).toBeUndefined();
  for (const isServed of [false, true])
    for (const written of [path, `${path}.data`, path.toUpperCase()])
      expect(loggedPath(written, { isServed })).toBeUndefined();
  for (const address of [path, `https://x.example${path}?x`, path.replaceAll("/", "%252F")])
    expect(withoutLinks(`{"msg":"${address} (1)"}`)).toMatch(/^\{"msg":"[^"]*…( \(1\))?"\}$/);
});

/** The text with each of its characters escaped, and each of these again, so many times. */
const escaped = (text: string, times: number): string =>
  times === 0
    ? text
    : escaped(
        text.replace(/./g, (c) => `%${c.charCodeAt(0).toString(16)}`),
        times - 1,
      );

test.each([
  ...["/me/address/TOKEN/more", "/UnSubscribe/TOKEN", "/%75nsubscribe/TOKEN", "/en/reset/TOKEN"],
  // What parts the token from its path was lost, or another one.
  ...["/resetTOKEN", "/reset%3FTOKEN", "/me;v=1/address;v=2/TOKEN", "/%EF%BD%92eset%EF%BC%8FTOKEN"],
  // Mistyped, in another language, without its path, or behind another one.
  ...["/case/TOKEN", "/case%5cTOKEN.data", "//recipts//TOKEN", "/de/TOKEN", "/x:TOKEN"],
  ...["/tours/harbour/TOKEN", "/api/case/TOKEN", "/build/case/TOKEN", "/tours/x%3Ftoken=TOKEN"],
  `/${escaped("reset", 2)}/TOKEN`,
])("%.80s is logged by its route only", (path) => {
  expect(loggedPath(path)).toBeUndefined();
});

test.each([
  ...["/", "/signup.data", "/reset/", "/me/account", "/api/reviews"],
  ...["/tours/reset-your-mind", "/tours/mind-reset/reviews", "/sitemap.xml"],
])("%s is logged as it is", (path) => {
  expect(loggedPath(path)).toBe(path);
});

test("a file is logged by its name where there is one", () => {
  expect(loggedPath("/share/1.png", { isServed: true })).toBe("/share/1.png");
  expect(loggedPath("/share/1.png")).toBeUndefined();
});

test("the pattern of a route is not masked, whatever its parameter", () => {
  for (const pattern of PATTERNS)
    expect(withoutLinks(`{"route":"${pattern}"}`)).toBe(`{"route":"${pattern}"}`);
});

test("a link in any other place of a line is masked", () => {
  const err = {
    message: 'No route matches URL "/reset//TOKEN"',
    stack: "TypeError: http://localhost/Signup/TOKEN?x is no URL\n    at listener (file.js:1:2)",
    input: "https://x.example/me%2Faddress%252FTOKEN.data",
    also: "(/unsubscribe\\\\TOKEN)",
  };
  const line = JSON.stringify({ err, path: "/signup" });
  const logged = withoutLinks(line);
  expect(logged).not.toContain("TOKEN");
  const read = JSON.parse(logged) as { err: Record<string, string>; path: string };
  expect(read.err.message).toBe('No route matches URL "/reset//…"');
  expect(read.err.stack).toMatch(/Signup\/….*at listener \(file\.js:1:2\)/s);
  expect(read.path).toBe("/signup");
});

test.each(["/login/return?token=TOKEN", "https://x.example/?a=b&Token=TOKEN&c#here"])(
  "the parameter token of %s is masked in a path and in any other place of a line",
  (address) => {
    for (const written of [address, encodeURIComponent(address), escaped("?token=TOKEN", 2)])
      expect(loggedPath(`/${written}`)).toBeUndefined();
    for (const written of [address, encodeURIComponent(address)]) {
      const logged = withoutLinks(JSON.stringify({ msg: `${written} failed`, query: "?tokens=1" }));
      expect(logged).not.toContain("TOKEN");
      expect(JSON.parse(logged)).toMatchObject({
        msg: expect.stringMatching(/ failed$/),
        query: "?tokens=1",
      });
    }
  },
);
