import { expect, it } from "vitest";
import { DEEPEST } from "~/server/guard/page-methods.server";
import { ACCESS, TABLES, tableOf } from "./access-tables";
import { PATTERNS, ROUTES } from "./manifest";

// The actions and intents are listed in tests/reviews/authorization.http.test.ts

const routes = ROUTES.filter(({ id }) => id !== "root");

it("every route has its table in tests/routes, and every table its route", () => {
  const tables = routes.map(({ file }) => tableOf(file));
  for (const name of tables)
    expect(TABLES, `Add tests/routes/${name}: who may read and change what`).toContain(name);
  for (const name of TABLES)
    expect(tables, `Remove tests/routes/${name}, which has no route`).toContain(name);
  expect([...ACCESS.keys()].sort()).toEqual(PATTERNS);
  expect(PATTERNS).toEqual(expect.arrayContaining(["/", "/*", "/api/reviews/:id", "/logout"]));
});

it("every route with a page has one to look at, but for the page that is shown at the addresses of others", () => {
  const pages = routes.filter(({ file }) => file.endsWith(".tsx"));
  const shown = [...ACCESS].filter(([, { pages }]) => pages).map(([pattern]) => pattern);
  expect([...shown, "/errors/:status"].sort()).toEqual(pages.map(({ pattern }) => pattern).sort());
});

it("no page is deeper than its links are looked up, or the scripts of pages would not find it", () => {
  const pages = ROUTES.filter(({ file }) => file.endsWith(".tsx"));
  const depths = pages.map(({ pattern }) => pattern.split("/").length - 1);
  expect(Math.max(...depths)).toBeLessThanOrEqual(DEEPEST);
});

it("no two pages to look at have the same name", () => {
  const names = [...ACCESS.values()].flatMap(({ pages = {} }) => Object.keys(pages));
  expect(names).toEqual([...new Set(names)]);
});
