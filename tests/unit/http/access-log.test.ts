import { expect, test } from "vitest";
import { loggedPath } from "~/http/access-log.server";

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
])("%s is logged as %s", (path, expected) => {
  expect(loggedPath(path)).toBe(expected);
});

test.each([
  ...["/", "/unsubscribe", "/unsubscribe/", "/signup", "/signup.data", "/reset/", "/me/address"],
  ...["/tours/old-town-walk", "/tours/%ff", "/%", "/me/account", "/tours/preset/x", "/api/reviews"],
])("%s is logged as it is", (path) => {
  expect(loggedPath(path)).toBe(path);
});
