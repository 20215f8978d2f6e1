import widthOf from "fast-string-width";
import { describe, expect, it, test } from "vitest";
import { NO_COMMENT, plainText, quotedComment } from "#emails/plain-text";

const LONGEST = 76;
const TEXTS = {
  English: "A very good walk through the old town, with a guide who knows every stone. ".repeat(20),
  Japanese:
    "夜の旧市街を歩くツアーはとても楽しかったです。ガイドさんは親切で、「また来たい」と思いました。".repeat(
      8,
    ),
  Thai: "ทัวร์นี้สนุกมากและไกด์ใจดีมากเราได้เห็นเมืองเก่าในตอนกลางคืน".repeat(8),
  emoji: "🧭👨‍👩‍👧‍👦🇮🇹".repeat(60),
  "one long word": "a".repeat(1_000),
};
/** Without what folding may change. */
const bare = (text: string) => text.replace(/^> /gm, "").replace(/[\s\u2066-\u2069]/g, "");

describe.each(Object.entries(TEXTS))("%s", (_, text) => {
  it("is folded by the room that its letters take, and nothing is lost", () => {
    for (const [folded, prefix] of [
      [plainText([text]), ""],
      [quotedComment(text), "> "],
    ] as const) {
      const lines = folded.split("\n");
      expect(lines.length).toBeGreaterThan(1);
      for (const line of lines) {
        expect(line.startsWith(prefix)).toBe(true);
        expect(widthOf(line), line).toBeLessThanOrEqual(LONGEST);
      }
      // Full, but for the last one and what keeps together.
      for (const line of lines.slice(0, -1)) expect(widthOf(line), line).toBeGreaterThan(50);
      expect(bare(folded)).toBe(bare(text));
    }
  });
});

test("a text without spaces is broken between words, and no line begins with what closes", () => {
  const words = new Intl.Segmenter("ja", { granularity: "word" });
  const whole = new Set([...words.segment(TEXTS.Japanese)].map(({ index }) => index));
  const lines = plainText([TEXTS.Japanese]).split("\n");
  let at = 0;
  for (const line of lines) {
    expect(whole).toContain(at);
    expect(line).not.toMatch(/^[。、」]|「$/);
    at += line.length;
  }
});

test("what fits stays as it is, blanks included", () => {
  const blocks = ["Hello Ann,", "-- \nTour Reviews", `${"x".repeat(70)}  end`];
  expect(plainText(blocks)).toBe(blocks.join("\n\n"));
  expect(quotedComment("  one  two \n\n> three")).toBe(">   one  two \n> \n> > three");
});

test("an address stays whole, however long it is", () => {
  const address = `https://tours.example.test/${"a".repeat(300)}`;
  const text = plainText([
    `Log in with it, or, if you no longer know the password, reset it: ${address}`,
  ]);
  expect(text.split("\n").at(-1)).toBe(address);
});

test("a paragraph that runs from right to left does so in every line, and no other", () => {
  const [arabic, english, plain] = quotedComment("GPS جيد.\nA walk in ירושלים.\nA walk.").split(
    "\n",
  );
  expect(arabic).toBe("> \u2066GPS جيد.\u2069");
  expect(english).toBe("> \u2066A walk in ירושלים.\u2069");
  expect(plain).toBe("> A walk.");
  for (const line of quotedComment(`مرشد ممتاز. ${"GPS and words ".repeat(20)}`).split("\n"))
    expect(line).toMatch(/^> \u2067[^\u2066-\u2069]*\u2069$/);
});

test("control characters are nothing, and a comment of them none", () => {
  const escape = "\0\u001B\u0007\u007F\u0085\u009B";
  expect(quotedComment(`${escape}One${escape}\r\nt\twoo${escape}`)).toBe("> One\n> t\twoo");
  expect(quotedComment(escape.repeat(100))).toBe(NO_COMMENT);
  expect(plainText([`Hello ${escape}Ann,`, `“${escape}”`])).toBe("Hello Ann,\n\n“”");
});
