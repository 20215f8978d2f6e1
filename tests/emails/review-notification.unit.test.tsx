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

/** The text that a reader of the HTML sees, a line each for what the markup puts on lines of its own. */
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
  it("are in both, the slug in the link to the tour's page, the rating as number and stars", () => {
    const { subject, html, text } = render();
    expect(subject).toBe("New 4-star review of Old Town Walk");
    for (const content of [visible(html), text]) {
      for (const part of [
        "Hello Gwen Guide,",
        "gwen@example.test",
        "Ann Explorer",
        "Old Town Walk",
        "4 out of 5",
        "Best walk of the year",
      ])
        expect(content).toContain(part);
      expect(content.match(/[★☆]+/g)!.join()).toMatch(/^★★★★☆$/);
    }
    const tour = `${SITE}/tours/old-town-walk`;
    expect(links(html)).toEqual([REVIEW_URL, `${REVIEW_URL}/reply`, tour, STOP]);
    expect(text.split("\n")).toContain(tour);
  });

  it("are said to be absent where they are", () => {
    const { html, text } = render({ guideName: "", explorerName: "\n", comment: null });
    for (const content of [visible(html), text]) {
      expect(content).toContain("Hello Guide,");
      expect(content).toContain("An explorer reviewed");
      expect(content).toContain("The explorer left no comment.");
      expect(content).not.toMatch(/\b(null|undefined)\b/);
    }
    expect(html).not.toContain("<blockquote");
    expect(text).not.toMatch(/^>/m);
  });

  it("are on one line in the subject", () => {
    for (const between of ["\u001b", "\u2028", " \r\n\r\n "]) {
      const tourTitle = `${between}Old${between}Bcc: all@example.test`;
      expect(render({ tourTitle }).subject).toBe("New 4-star review of Old Bcc: all@example.test");
    }
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

test("line breaks of a comment are kept, and every line stays in the quotation", () => {
  const { html, text } = render({ comment: "one\r\ntwo\u2028\u2028three" });
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

test("the HTML loads nothing, runs nothing, and has no layout that a screen reader would read", () => {
  const { html } = render();
  expect(html).not.toMatch(/<(script|link|img|iframe|form)\b|\ssrc=|\son\w+=|url\(|@import/i);
  for (const [table] of html.matchAll(/<table\b[^>]*>/g))
    expect(table).toContain('role="presentation"');
  expect(html).toMatch(/<span[^>]* aria-hidden="true">★★★★☆<\/span>/);
});

test.each(HOSTILE_SLUGS)("the address of the tour %s is that of the site", (slug) => {
  // How a browser and Remix read that: tests/tours/slugs.http.test.ts.
  expect(tourUrl(SITE, slug)).toBe(SITE + tourPath(slug));
});
