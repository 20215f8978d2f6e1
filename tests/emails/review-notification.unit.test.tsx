import { describe, expect, it, test } from "vitest";
import { tourPath } from "~/ui/paths";
import { tourUrl } from "#emails/layout";
import { renderReviewNotification } from "#emails/review-notification";
import type { ReviewNotificationInputs } from "#models/notification";
import { HOSTILE_SLUGS } from "../support/factories";

// The guide's e-mail as its reader gets it: a subject, and the same content as HTML and as text.

const SITE = "https://tours.example.test";
const STOP = `${SITE}/unsubscribe/a-token`;
const REVIEW = "0123456789abcdef01234567";
const REVIEW_URL = `${SITE}/reviews/${REVIEW}`;
const INPUTS: ReviewNotificationInputs = {
  guideName: "Gwen Guide",
  guideEmail: "gwen@example.test",
  explorerName: "Ann Explorer",
  tourTitle: "Old Town Walk",
  rating: 4,
  comment: "Best walk of the year",
  tourSlug: "old-town-walk",
};
const render = (inputs: Partial<ReviewNotificationInputs> = {}) =>
  renderReviewNotification(
    REVIEW,
    { ...INPUTS, ...inputs },
    { appUrl: SITE, unsubscribeUrl: STOP },
  );

/** What a reader of the HTML sees, a line each for what the markup puts on lines of its own. */
function visible(html: string): string {
  const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#x27": "'", amp: "&" };
  return (
    html
      .replace(/^.*<body\b/s, "<body")
      .replace(/<div style="display:none.*?<\/div>/s, "")
      // A line break of the source is a space to its reader.
      .replace(/[ \t\r\n]+/g, " ")
      .replace(/<(br\/|\/p|\/blockquote|\/a|\/td)>/g, "\n")
      .replace(/<[^>]*>/g, "")
      .replace(/&(#?\w+);/g, (_, name: string) => entities[name]!)
  );
}

const links = (html: string) => [...html.matchAll(/\shref="([^"]*)"/g)].map(([, href]) => href);

describe("the seven inputs", () => {
  it("are in both, the slug in the link to the tour's page", () => {
    const { html, text } = render();
    for (const content of [visible(html), text])
      for (const part of [
        "Hello Gwen Guide,",
        "gwen@example.test",
        "Ann Explorer",
        "Old Town Walk",
        "4 out of 5",
        "Best walk of the year",
      ])
        expect(content).toContain(part);
    const tour = `${SITE}/tours/old-town-walk`;
    expect(links(html)).toEqual([REVIEW_URL, `${REVIEW_URL}/reply`, tour, STOP]);
    expect(text.split("\n")).toContain(tour);
  });

  test.each([1, 4])("a rating of %i is a number and as many stars", (rating) => {
    const { subject, html, text } = render({ rating });
    expect(subject).toContain(`${rating}-star`);
    for (const content of [visible(html), text]) {
      expect(content).toContain(`${rating} out of 5`);
      expect(content.match(/★/g)).toHaveLength(rating);
      expect(content.match(/☆/g) ?? []).toHaveLength(5 - rating);
    }
  });

  test.each([null, ""])("an absent comment (%j) is said to be absent", (comment) => {
    const { html, text } = render({ comment });
    for (const content of [visible(html), text]) {
      expect(content).toContain("The explorer left no comment.");
      expect(content).not.toMatch(/\b(null|undefined)\b/);
    }
    expect(html).not.toContain("<blockquote");
    expect(text).not.toMatch(/^>/m);
  });
});

const MARKUP = `</title><script>alert("1")</script> & <b>it's</b> &amp; {x}`;
const ESCAPED =
  "&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &lt;b&gt;it&#x27;s&lt;/b&gt; &amp;amp; {x}";

test.each(["guideName", "explorerName", "tourTitle", "comment"] as const)(
  "%s is escaped in HTML and verbatim in text",
  (name) => {
    const { html, text } = render({ [name]: MARKUP });
    expect(html).toContain(ESCAPED);
    expect(html).not.toMatch(/<script|<b>/);
    expect(html.match(/<\/title>/g)).toHaveLength(1);
    expect(visible(html)).toContain(MARKUP);
    // A long line is folded.
    expect(text.replace(/\n(> )?(?!\n)/g, " ")).toContain(MARKUP);
  },
);

test.each([
  ["\\r\\n", "one\r\ntwo\r\n\r\nthree"],
  ["U+2028", "one\u2028two\u2028\u2028three"],
])("line breaks %s of a comment are kept, and every line stays in the quotation", (_, comment) => {
  const { html, text } = render({ comment });
  const quotation = /<blockquote[^>]*>(.*?)<\/blockquote>/s.exec(html)![1]!;
  const lines = visible(`<body>${quotation}`).replace("<body>", "").split("\n");
  expect(lines.map((line) => line.trim())).toEqual(["one", "two", "", "three"]);
  expect(text).toContain("\n\n> one\n> two\n> \n> three\n\n");
});

test("what runs from right to left is isolated, by characters where there is no markup", () => {
  const names = {
    guideName: "רון מדריך.",
    explorerName: "ليلى Smith.",
    tourTitle: "گشت شبانه GPS.",
  };
  const comment = "جولة رائعة.";
  const { subject, html, text } = render({ ...names, comment });
  const [guide, explorer, tour] = Object.values(names).map((name) => `\u2068${name}\u2069`);
  expect(subject).toBe(`New 4-star review of ${tour}`);
  expect(html).toContain(`<title>New review of ${tour}</title>`);
  expect(html).toContain(`>${explorer} gave 4 out of 5 stars.</div>`);
  expect(text).toContain(`Hello ${guide},`);
  expect(text).toContain(`${explorer} reviewed your tour "${tour}".`);
  expect(text).toContain(`> \u2067${comment}\u2069`);
  for (const name of Object.values(names)) expect(html).toContain(`<bdi>${name}</bdi>`);
  expect(html).toMatch(/<blockquote[^>]* dir="auto"/);
});

test.each(["\u001b", "\u2028", " \r\n\r\n "])(
  "the subject is one line when the title holds %j",
  (between) => {
    const tourTitle = `${between}Old${between}Bcc: all@example.test`;
    expect(render({ tourTitle }).subject).toBe("New 4-star review of Old Bcc: all@example.test");
  },
);

test("nobody's name is said in other words", () => {
  expect(render({ guideName: "", explorerName: "\n" }).text).toMatch(
    /^Hello Guide,\n\nAn explorer reviewed/,
  );
});

describe("the HTML", () => {
  it("closes every element that it opens, in order", () => {
    const { html } = render({ comment: "one\ntwo <i> & three" });
    const open: string[] = [];
    for (const [, end, name, empty] of html.matchAll(/<(\/?)([a-z]\w*)\b[^>]*?(\/?)>/g))
      if (end) expect(open.pop()).toBe(name);
      else if (!empty) open.push(name!);
    expect(open).toEqual([]);
  });

  it("loads nothing, runs nothing, and has no layout that a screen reader would read", () => {
    const { html } = render();
    expect(html).not.toMatch(/<(script|link|img|iframe|form)\b|\ssrc=|\son\w+=|url\(|@import/i);
    for (const [table] of html.matchAll(/<table\b[^>]*>/g))
      expect(table).toContain('role="presentation"');
    expect(html).toMatch(/<span[^>]* aria-hidden="true">★★★★☆<\/span>/);
  });
});

test.each(HOSTILE_SLUGS)("the address of the tour %s is that of the site", (slug) => {
  expect(tourUrl(SITE, slug)).toBe(SITE + tourPath(slug));
  // A browser and Remix read it as one part of a path, which is the slug.
  const { pathname } = new URL(tourUrl(SITE, slug));
  expect(pathname.endsWith(".data")).toBe(false);
  expect(pathname.split("/").slice(2).map(decodeURIComponent)).toEqual([slug]);
});
