import { expect, test } from "vitest";
import { loggedPath } from "~/http/access-log.server";
import { withoutLinks } from "~/infra/log.server";

/** The text with each of its characters escaped, and each of these again, so many times. */
const escaped = (text: string, times: number): string =>
  times === 0
    ? text
    : escaped(
        text.replace(/./g, (c) => `%${c.charCodeAt(0).toString(16)}`),
        times - 1,
      );

test.each([
  ["/unsubscribe/TOKEN", "/unsubscribe/…"],
  ["/unsubscribe/TOKEN.data", "/unsubscribe/…"],
  ["/signup/TOKEN", "/signup/…"],
  ["/reset/TOKEN", "/reset/…"],
  ["/me/address/TOKEN", "/me/address/…"],
  ["/me/address/TOKEN/more", "/me/address/…"],
  // Remix ignores case and decodes.
  ["/UnSubscribe/TOKEN", "/UnSubscribe/…"],
  ["/%75nsubscribe/TOKEN", "/unsubscribe/…"],
  ["/%75%6E%73ubscribe/TOKEN", "/unsubscribe/…"],
  ["/me%2Faddress%2fTOKEN", "/me/address/…"],
  ["/reset/TOKEN%ff", "/reset/…"],
  ["/%72eset/%0ATOKEN", "/reset/…"],
  // No page is there, but the secret is a whole one.
  ["/%2575nsubscribe/TOKEN", "/unsubscribe/…"],
  ["/%252575nsubscribe/TOKEN", "/unsubscribe/…"],
  ["/%2525%37%35nsubscribe/TOKEN", "/unsubscribe/…"],
  ["//unsubscribe//TOKEN", "/unsubscribe/…"],
  ["/reset%5CTOKEN", "/reset/…"],
  ["/en/reset/TOKEN", "/en/reset/…"],
  ["/RESET//TOKEN", "/RESET/…"],
  ["/./reset/TOKEN", "/./reset/…"],
  // What parts the token from its path was lost, or another one.
  ["/resetTOKEN", "/reset…"],
  ["/reset;v=1/TOKEN", "/reset…"],
  ["/reset;TOKEN", "/reset…"],
  ["/reset%3FTOKEN", "/reset…"],
  ["/reset.TOKEN", "/reset…"],
  ["/signup=TOKEN", "/signup…"],
  ["/reset%20/TOKEN", "/reset…"],
  ["/me;v=1/address;v=2/TOKEN", "/me;v=1/address…"],
  ["/me/./address/TOKEN", "/me/./address/…"],
  ["/tours/old-town-walk/reset/TOKEN", "/tours/old-town-walk/reset/…"],
  // As people and programs write them.
  ["/%EF%BD%92eset%EF%BC%8FTOKEN", "/reset/…"],
  ["/%25EF%25BC%258Freset%25EF%25BC%258FTOKEN", "/reset/…"],
  ["/re%C2%ADset/%E2%80%8BTOKEN", "/reset/…"],
  ["/re%00set/TOKEN", "/reset/…"],
  ["/%c0%afreset%c0%afTOKEN", "/\ufffd\ufffdreset…"],
  [`/${escaped("r", 5)}eset/TOKEN`, "/reset/…"],
  [`/${escaped("r", 7)}eset/TOKEN`, "/…"],
])("%.80s is logged as %s", (path, expected) => {
  expect(loggedPath(path)).toBe(expected);
});

test.each([
  ...["/", "/unsubscribe", "/unsubscribe/", "/signup", "/signup.data", "/reset/", "/me/address"],
  ...["/tours/old-town-walk", "/tours/%ff", "/%", "/me/account", "/tours/preset/x", "/api/reviews"],
  ...[
    "/tours/reset-your-mind",
    "/tours/mind-reset/reviews",
    "/reset.data",
    "/reset/.data",
    "/me/address/",
  ],
])("%s is logged as it is", (path) => {
  expect(loggedPath(path)).toBe(path);
});

test("a link in any other place of a line is masked", () => {
  const error = new Error('No route matches URL "/reset//TOKEN"');
  const stack =
    "TypeError: http://localhost/Signup/TOKEN?x is no URL\n    at listener (file.js:1:2)";
  const input = {
    input: "https://x.example/me%2Faddress%252FTOKEN.data",
    stack,
    also: "(/unsubscribe\\\\TOKEN)",
  };
  const line = JSON.stringify({ err: { message: error.message, ...input }, path: "/signup" });
  const logged = withoutLinks(line);
  expect(logged).not.toContain("TOKEN");
  const read = JSON.parse(logged) as { err: Record<string, string>; path: string };
  expect(read.err.message).toBe('No route matches URL "/reset//…"');
  expect(read.err.stack).toMatch(/Signup\/….*at listener \(file\.js:1:2\)/s);
  expect(read.path).toBe("/signup");
});
