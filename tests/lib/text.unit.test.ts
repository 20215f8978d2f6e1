import { describe, expect, it, test } from "vitest";
import { initials } from "~/ui/avatar";
import { shortened } from "~/lib/shortened.server";
import { firstCharacters, isolated } from "~/lib/text";
import { isVisible } from "#models/visible";

const FAMILY = "👨🏽‍👩🏽‍👧🏽‍👦🏽";
/** Each is one character to its reader. */
const CLUSTERS = {
  "a flag of tags": "🏴󠁧󠁢󠁳󠁣󠁴󠁿",
  "a family with skin tones": FAMILY,
  "e with an accent of its own": "e\u0301",
  "a Devanagari syllable": "क्षि",
};

describe.each(Object.entries(CLUSTERS))("%s", (_, cluster) => {
  it("is never cut", () => {
    for (const most of [1, 2, 160])
      expect(firstCharacters(cluster.repeat(500), most)).toBe(cluster.repeat(most));
    expect(firstCharacters(`${cluster}x`, 1)).toBe(cluster);
  });

  it("is an initial", () => {
    expect(initials(`${cluster}bc Ann ${cluster}yz`)).toBe(cluster.repeat(2).toUpperCase());
  });

  it("ends a line whole", () => {
    const line = shortened(`${cluster}`.repeat(300), 160);
    expect(line).toMatch(/ …$/);
    expect(line.slice(0, -2).replaceAll(cluster, "")).toBe("");
  });
});

test("the beginning of a text has no half of a character where one has marks without end", () => {
  expect(firstCharacters(`a${"\u0301".repeat(70_000)}`, 1).length).toBeLessThan(40);
  expect(firstCharacters(`a${"\u{1E8D0}".repeat(70_000)}`, 1).isWellFormed()).toBe(true);
});

test.each([
  ["🇮🇹 Luca", "🇮🇹L"],
  [` ${FAMILY}  Smith `, `${FAMILY}S`],
  ["محمد علي", "مع"],
  ["“Ann” (Bea)", "AB"],
  ["…", ""],
])("the initials of %j are %j", (name, expected) => {
  expect(initials(name)).toBe(expected);
});

describe("a text in one line", () => {
  test.each([
    ["one  two\n\nthree", 13, "one two three"],
    ["one two three", 7, "one two …"],
    ["unbreakable", 5, "unbre …"],
    [" \n ", 5, ""],
    // Words without spaces.
    ["東京の夜はとても楽しかったです", 5, "東京の夜は …"],
  ])("of %j, %i characters at most, is %j", (text, most, expected) => {
    expect(shortened(text, most)).toBe(expected);
  });

  it("ends with an ellipsis when more follows than was looked at", () => {
    expect(shortened(`one${" ".repeat(70_000)}two`, 160)).toBe("one …");
  });
});

test("control characters are shown as nothing in a sentence and in a line", () => {
  const controls = String.fromCharCode(
    ...Array(32).keys(),
    ...Array.from({ length: 33 }, (_, n) => 127 + n),
  );
  expect(isVisible(controls)).toBe(false);
  expect(isolated(`A${controls}b`)).toBe("A\t\n\rb");
  expect(shortened(`A${controls}b \u001B[1m`, 9)).toBe("A b [1m");
});
