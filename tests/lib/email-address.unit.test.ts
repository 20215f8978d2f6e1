import { describe, expect, test } from "vitest";
import {
  canonicalEmail,
  EMAIL_MAX_LENGTH,
  isEmail,
  mayBeEmail,
  sendableEmail,
  emailSpellings,
} from "~/lib/email-address.server";

/** Characters that show nothing. */
const UNSEEN = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u202e\u2066\ufe0f\u{e0041}\u0007";

describe("one address is", () => {
  test.each([
    ["in any case", "gwen@example.test", ["GWEN@Example.TEST", " Gwen@example.test\t"]],
    [
      "in any normalization form",
      "josé@example.test",
      ["jose\u0301@example.test", "JOSÉ@example.test"],
    ],
    [
      "with its domain as people read it, or as the DNS has it",
      "ann@xn--bcher-kva.example",
      [
        "ann@bücher.example",
        "Ann@BÜCHER.example",
        "ann@bücher。example",
        "ann@ｂücher.ｅｘａｍｐｌｅ",
        "ann@bü\u00adcher.example",
      ],
    ],
    [
      "with both small letters of the sigma",
      "γιώργοσ.π@example.test",
      ["ΓΙΏΡΓΟΣ.Π@example.test", "γιώργος.π@example.test"],
    ],
    [
      "without what shows nothing",
      "gwen@example.test",
      [...UNSEEN].map((unseen) => `gw${unseen}en@example.test`),
    ],
  ])("the same %s", (_, canonical, spellings) => {
    for (const spelling of [canonical, ...spellings])
      expect([spelling, canonicalEmail(spelling)]).toEqual([spelling, canonical]);
  });

  test.each([
    ["ſam@example.test", "sam@example.test"],
    ["ｇwen@example.test", "gwen@example.test"],
    ["straße@example.test", "strasse@example.test"],
    ["jose@example.test", "josé@example.test"],
    ["a.b@example.test", "ab@example.test"],
    ["ann+tours@example.test", "ann@example.test"],
    ["ann@bü%63her.example", "ann@bücher.example"],
    ["ann@bücher.example/x", "ann@bücher.example"],
  ])("no other: %s and %s", (one, other) => {
    expect(canonicalEmail(one)).not.toBe(canonicalEmail(other));
  });

  test("the same after it was stored, and found under one of its spellings", () => {
    for (const typed of [
      "José@BÜCHER.example",
      "jose\u0301@xn--bcher-kva.example",
      "Gwen@Example.test",
    ]) {
      const stored = sendableEmail(typed);
      expect(canonicalEmail(stored)).toBe(canonicalEmail(typed));
      expect(emailSpellings(typed)).toContain(stored.toLowerCase());
      for (const spelling of emailSpellings(typed))
        expect(canonicalEmail(spelling)).toBe(canonicalEmail(typed));
    }
  });

  test("looked for once, but where its characters may be stored in several ways", () => {
    expect(emailSpellings(" Gwen@Example.TEST ")).toEqual(["gwen@example.test"]);
    expect(emailSpellings("josé@bücher.example").sort()).toEqual(
      [
        "jose\u0301@bu\u0308cher.example",
        "jose\u0301@xn--bcher-kva.example",
        "josé@bücher.example",
        "josé@xn--bcher-kva.example",
      ].sort(),
    );
    expect(emailSpellings("a".repeat(EMAIL_MAX_LENGTH + 1))).toEqual([]);
  });
});

describe("a new account", () => {
  test.each([
    ["gwen@example.test", "gwen@example.test"],
    ["o'neill.!#$%&'*+/=?^_`{|}~-@example.test", "o'neill.!#$%&'*+/=?^_`{|}~-@example.test"],
    ["root@localhost", "root@localhost"],
    ["a@127.0.0.1", "a@127.0.0.1"],
    ["zoe\u0308@example.test", "zoë@example.test"],
    ["用户@例え.example", "用户@xn--r8jz45g.example"],
    ["😀@example.test", "😀@example.test"],
  ])("may have %s, which is stored as %s", (typed, stored) => {
    expect(isEmail(typed)).toBe(true);
    expect(sendableEmail(typed)).toBe(stored);
  });

  test.each([
    "",
    "@",
    "ann",
    "@example.test",
    "a@b@example.test",
    "a b@example.test",
    "ann@example.test, b@c",
    '"ann"@example.test',
    "ann@[127.0.0.1]",
    "ann@-example.test",
    "ann@exam_ple.test",
    "ann@example.test.",
    `ann@${"a".repeat(64)}.test`,
    "ann@bü%63her.example",
    "ann@bücher.example/x",
    "ann\n@example.test",
    "\ud800@example.test",
    ...[...UNSEEN, "\u3164"].flatMap((unseen) => [
      `an${unseen}n@example.test`,
      `ann@exam${unseen}ple.test`,
    ]),
  ])("may not have %j", (typed) => {
    expect(isEmail(typed)).toBe(false);
  });
});

test("an account of a platform may have more, but nothing that is not seen", () => {
  for (const email of [
    '"ann"@example.test',
    "ann@[127.0.0.1]",
    "a@b@c",
    "@@c",
    "ann@exam_ple.test.",
  ])
    expect([email, mayBeEmail(email)]).toEqual([email, true]);
  for (const email of ["", "@", "ann", "ann@", "@c", "a b@c", "a\u200b@c", "a@c\u2028"])
    expect([email, mayBeEmail(email)]).toEqual([email, false]);
});
