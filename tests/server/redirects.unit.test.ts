import { expect, test } from "vitest";
import { safeRedirect } from "~/server/redirects.server";

// Where a form may lead (docs/rules/requests.md, Other sites).

const EVIL = [
  "//evil.example",
  "/\\evil.example",
  "https://evil.example/",
  "javascript:alert(1)",
  "evil.example",
  "/\t/evil.example",
  "/ok\r\nSet-Cookie: evil=1",
  "/\u0000/evil.example",
  "/.//evil.example",
  "/%2e//evil.example",
  "",
];
const GOOD: [string, string][] = [
  ["/", "/"],
  [
    "/tours/old-town?sort=new&x=//evil.example#reviews",
    "/tours/old-town?sort=new&x=//evil.example#reviews",
  ],
  // Such a letter cannot be sent in a header.
  ["/tours/café-€", "/tours/caf%C3%A9-%E2%82%AC"],
  ["/tours/🧭?q=€", "/tours/%F0%9F%A7%AD?q=%E2%82%AC"],
];

test.each([...EVIL.map((to) => [to, "/"]), ...GOOD])("%j leads to %s", (to, location) => {
  expect(safeRedirect(to)).toBe(location);
});
