import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { Comment, Written } from "~/reviews/list/comment";

const isFolded = (text: string) => {
  const html = renderToString(<Comment id="one" text={text} />);
  const [, where] = /class="fold( fold-on-phone)?"/.exec(html) ?? [null, null];
  return where === null ? "no" : where === undefined ? "yes" : "on a phone";
};

// Twelve lines have 540 columns on a phone, and 1,080 elsewhere.
test.each([
  ["Latin letters", "a", 540, "no"],
  ["Latin letters", "a", 541, "on a phone"],
  ["Latin letters", "a", 1_081, "yes"],
  ["Japanese letters, each as wide as two", "語", 541, "yes"],
  ["emoji, each as wide as two", "🧭", 541, "yes"],
  ["letters with marks, which take no room", "ก\u0e35\u0e48", 540, "no"],
])("a comment of %s (%s, %i) folds: %s", (_, letter, count, expected) => {
  expect(isFolded(letter.repeat(count))).toBe(expected);
});

test("a comment is shown without control characters, and marked where its words stand in it", () => {
  const text = "\0A fine\u001B[31m walk,\n\tfi\u007Fne\u009F guide\u0007";
  const html = (marks?: [number, number][]) =>
    renderToString(<Written text={text} marks={marks} />).replace(/<\/?span>|<p[^>]*>/g, "");
  expect(html()).toBe("A fine[31m walk,\n\tfine guide</p>");
  expect(
    html([
      [3, 7],
      [text.indexOf("fi\u007F"), text.indexOf("\u009F")],
    ]),
  ).toBe("A <mark>fine</mark>[31m walk,\n\t<mark>fine</mark> guide</p>");
});
