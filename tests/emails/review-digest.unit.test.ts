import { expect, test } from "vitest";
import { renderReviewDigest } from "#emails/review-digest";

const SITE = {
  appUrl: "https://tours.example.test",
  unsubscribeUrl: "https://tours.example.test/unsubscribe/a-token",
  sentAt: "07:00, Rome time",
};

const reviews = (count: number, comment: string, tourTitle = "Old Town Walk") =>
  Array.from({ length: count }, (_, index) => ({
    id: index.toString(16).padStart(24, "0"),
    guideName: "Gwen",
    guideEmail: "gwen@example.test",
    explorerName: `Ann ${index}`,
    tourTitle,
    rating: 5,
    comment,
    // Each of a tour of its own, which takes more.
    tourSlug: `tour-${index}`,
  }));
const linksIn = (html: string) => html.match(/\/reviews\/[0-9a-f]{24}/g)!.length;

test.each([
  ["Latin letters", "a word "],
  ["emoji", "👨‍👩‍👧‍👦🌊"],
  ["what HTML escapes", "&<>\"'"],
])("stays below 100 KB as HTML, with its unsubscribe link: %s", (_, words) => {
  const all = reviews(40, [...words.repeat(5_000)].slice(0, 5_000).join(""), `Walk ${words}`);
  const { html, text } = renderReviewDigest(all, 43, SITE);
  expect(Buffer.byteLength(html)).toBeLessThan(100_000);
  expect(html).toContain(`href="${SITE.unsubscribeUrl}"`);
  expect(html).toContain("Ann 39");
  const left = 43 - linksIn(html);
  expect(left).toBeGreaterThan(3);
  for (const content of [html, text]) expect(content).toContain(`… and ${left} more.`);
});
