import { expect, it } from "vitest";
import { DEEPEST } from "~/server/guard/page-methods.server";
import { PATTERNS, ROUTES } from "./manifest";
import { REGISTER } from "./register";

// The actions and intents are listed in tests/reviews/authorization.http.test.ts

it("the register has the patterns of Remix' routes, and no other", () => {
  expect(Object.keys(REGISTER).sort()).toEqual(PATTERNS);
  expect(PATTERNS).toEqual(expect.arrayContaining(["/", "/*", "/api/reviews/:id", "/logout"]));
});

it("every route with a page has one to look at, but for the page that is shown at the addresses of others", () => {
  const pages = ROUTES.filter(({ id, file }) => id !== "root" && file.endsWith(".tsx"));
  const shown = Object.keys(REGISTER).filter((pattern) => REGISTER[pattern]!.pages);
  expect([...shown, "/errors/:status"].sort()).toEqual(pages.map(({ pattern }) => pattern).sort());
});

it("no page is deeper than its links are looked up, or the scripts of pages would not find it", () => {
  const pages = ROUTES.filter(({ file }) => file.endsWith(".tsx"));
  const depths = pages.map(({ pattern }) => pattern.split("/").length - 1);
  expect(Math.max(...depths)).toBeLessThanOrEqual(DEEPEST);
});

it("no two pages to look at have the same name", () => {
  const names = Object.values(REGISTER).flatMap(({ pages = {} }) => Object.keys(pages));
  expect(names).toEqual([...new Set(names)]);
});
