import { beforeAll, describe, expect, it } from "vitest";
import { withoutReaderScript } from "../support/app";
import { PATTERNS } from "../support/manifest";
import { accessTo, addressOfPattern } from "../support/access-tables";
import { get, useApp } from "../support/shared-app";
import { makeWorld, type World } from "../support/world";

// Addresses that only one person may know, and pages of one person: of every route that there is.

useApp({ emptied: "once" });

let world: World;
beforeAll(async () => (world = await makeWorld()));

const SECRET = PATTERNS.filter((pattern) => pattern.includes(":token"));
/** Answers that are the same for everybody, and that a cache may keep. */
const FOR_ALL = new Set([
  ...["/about/reviews.json", "/robots.txt", "/sitemap.xml", "/sitemap/:part", "/oembed"],
  ...["/embed/tours/:slug", "/tours/:slug/badge.svg", "/tours/:slug/reviews.atom"],
]);

describe.each(PATTERNS)("%s", (pattern) => {
  it("gives other sites no more than our origin, and caches nothing of a visitor", async () => {
    const { headers, text } = await get(addressOfPattern(pattern, world));
    expect(headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
    expect(withoutReaderScript(text)).not.toMatch(/referrerpolicy|name="referrer"/i);
    if (!FOR_ALL.has(pattern))
      expect(headers.get("cache-control")).toMatch(/no-store|^(private, )?no-cache$/);
  });
});

describe.each(SECRET)("the address %s", (pattern) => {
  it("is not indexed", async () => {
    const { status, headers, text } = await get(addressOfPattern(pattern, world));
    // The page of a change of address needs its owner's log-in.
    if (status === 302) return;
    expect(status).toBe(200);
    if (headers.get("content-disposition")?.startsWith("attachment")) return;
    expect(text).toContain('<meta name="robots" content="noindex"/>');
    expect(text).not.toMatch(/rel="canonical"|property="og:url"/);
  });
});

describe("robots.txt", () => {
  /** Pages for everybody that are of no use in a search: forms, and files for programs. */
  const CLOSED = /^\/(report|dev\/|api\/|metrics$)/;

  it("closes every personal page and every secret link to crawlers, and leaves all others open", async () => {
    const { text } = await get("/robots.txt");
    const rules = [...text.matchAll(/^Disallow: (.*)$/gm)].map(
      ([, rule]) => new RegExp(`^${rule!.replace(/[.?+()]/g, "\\$&").replace(/\*/g, ".*")}`),
    );
    const isClosed = (path: string) => rules.some((rule) => rule.test(path));
    const personal = (pattern: string) =>
      accessTo(pattern).readers !== "anybody" || pattern.includes(":token") || CLOSED.test(pattern);
    const closed = PATTERNS.filter((pattern) => isClosed(addressOfPattern(pattern, world)));
    expect(closed).toEqual(PATTERNS.filter(personal));
  });
});
