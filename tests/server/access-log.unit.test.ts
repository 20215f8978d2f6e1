import { beforeAll, expect, test } from "vitest";
import { loggedPath } from "~/server/guard/access-log.server";
import { setRoutes } from "~/server/guard/page-methods.server";
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
  // The separator between path and token was lost, or is another one.
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

test.each(["/login/return?token=TOKEN", "https://x.example/?a=b&Token=TOKEN&c#here"])(
  "the parameter token in a path, as in %s, is not logged",
  (address) => {
    for (const written of [address, encodeURIComponent(address), escaped("?token=TOKEN", 2)])
      expect(loggedPath(`/${written}`)).toBeUndefined();
  },
);
