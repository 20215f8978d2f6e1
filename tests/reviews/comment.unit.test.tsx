import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { Comment } from "~/reviews/list/comment";

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
