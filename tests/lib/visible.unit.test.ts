import { describe, expect, it, test } from "vitest";
import { oneLine, isVisible, plainName, UNSEEN } from "#models/visible";
import { INVISIBLE_NAMES } from "../support/factories";

test("nothing that Unicode ignores by default is visible, in any plane", () => {
  const shown: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    const character = code >= 0xd800 && code <= 0xdfff ? "" : String.fromCodePoint(code);
    if (/\p{Default_Ignorable_Code_Point}/u.test(character) && isVisible(character))
      shown.push(code.toString(16));
  }
  expect(shown).toEqual([]);
  expect(isVisible("\u{E0020} \u{1D173}")).toBe(false);
  for (const text of ["a", "🏴\u{E0067}", "\u0301", "é", "𐐨"]) expect(isVisible(text)).toBe(true);
  // As the database reads it.
  expect(new RegExp(`[^${UNSEEN}]`, "u").test("\u{E0100}")).toBe(false);
});

describe("a name", () => {
  test.each(INVISIBLE_NAMES)("of %j is none", (name) => expect(plainName(name)).toBe(""));

  it("is without what turns the line or is not seen, and else as it was", () => {
    expect(plainName("\u202Ennaeor\u2069")).toBe("nnaeor");
    expect(plainName("Ann\u200B\uFEFF Bee")).toBe("Ann Bee");
    for (const name of ["می\u200Cخواهم", "👩\u200D🍳", "O'Leary", "🏴\u{E0067}\u{E007F}"])
      expect(plainName(name)).toBe(name);
    expect(plainName("Ann\nBee")).toBe(oneLine("Ann\nBee"));
  });
});
