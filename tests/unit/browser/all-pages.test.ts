import { matchRoutes } from "@remix-run/react";
import { expect, it } from "vitest";
import { PAGES } from "../../browser/all-pages";
import { PATTERNS, ROUTES } from "../../support/manifest";

/** The page of an error that arises before Remix; it is shown at the addresses of others. */
const INTERNAL = "/errors/:status";

/** The pattern of the route that answers at this path. */
const patternAt = (path: string) =>
  matchRoutes(
    PATTERNS.map((pattern) => ({ path: pattern })),
    path,
  )?.at(-1)?.route.path;

it("the pages that the browser tests look at are those of Remix' routes", () => {
  const pages = ROUTES.filter(({ id, file }) => id !== "root" && file.endsWith(".tsx"));
  const shown = Object.values(PAGES).map(({ path, pattern }) =>
    typeof path === "string" ? patternAt(path.split("?")[0]!) : pattern,
  );
  const expected = pages.map(({ pattern }) => pattern).filter((pattern) => pattern !== INTERNAL);
  expect([...new Set(shown)].sort()).toEqual([...new Set(expected)].sort());
});
