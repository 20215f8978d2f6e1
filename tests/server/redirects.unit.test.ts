import { expect, test } from "vitest";
import { safeRedirect } from "~/server/redirects.server";

// Where a form may lead (docs/rules/requests.md, Other sites).

const EVIL = [
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "\\/evil.example",
  "https://evil.example/",
  "https:evil.example",
  "HTTPS:/evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  "evil.example",
  "@evil.example",
  " //evil.example",
  "/\t/evil.example",
  "\t//evil.example",
  "/\n/evil.example",
  "/\r\n/evil.example",
  "/ok\r\nSet-Cookie: evil=1",
  "/\u0000/evil.example",
  "/\u001f/evil.example",
  "/.//evil.example",
  "/x/..//evil.example",
  "/%2e//evil.example",
  "/x/%2E%2e//evil.example",
  "",
];
const GOOD: [string, string][] = [
  ["/", "/"],
  ["/tours/old-town", "/tours/old-town"],
  [
    "/tours/old-town?sort=new&x=//evil.example#reviews",
    "/tours/old-town?sort=new&x=//evil.example#reviews",
  ],
  ["/tours/caf%C3%A9", "/tours/caf%C3%A9"],
  // Such a letter cannot be sent in a header.
  ["/tours/café-€", "/tours/caf%C3%A9-%E2%82%AC"],
  ["/tours/🧭?q=€", "/tours/%F0%9F%A7%AD?q=%E2%82%AC"],
];

test.each([...EVIL.map((to) => [to, "/"]), ...GOOD])("%j leads to %s", (to, location) => {
  expect(safeRedirect(to)).toBe(location);
});
