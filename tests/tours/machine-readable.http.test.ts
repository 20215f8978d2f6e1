import { beforeEach, describe, expect, it, test } from "vitest";
import type { TourDocument } from "#models/tour";
import { call, startApp } from "../support/app";
import { databaseUri } from "../support/database";
import { makeReview, makeTour, makeUser } from "../support/factories";
import { app, get, useApp } from "../support/shared-app";

// The metadata that search engines, link previews and browsers' tabs read (docs/rules/tours.md, Search engines and link
// previews).

useApp();

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** The value that a page gives for that `name`, `property` or `rel`. */
async function told(path: string) {
  const { text, status } = await get(path);
  expect(status).toBe(200);
  const head = text.slice(0, text.indexOf("</head>"));
  const meta = (name: string) =>
    new RegExp(`<(?:meta|link) (?:name|property|rel)="${name}" (?:content|href)="([^"]*)"`).exec(
      head,
    )?.[1];
  const [, json] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text) ?? [];
  return { meta, data: json && (JSON.parse(json) as Record<string, unknown>) };
}

const shownReviews = (data: Awaited<ReturnType<typeof told>>["data"]) =>
  (data as { review?: { reviewBody: string }[] }).review?.map(({ reviewBody }) => reviewBody);

describe("link previews", () => {
  it("have a picture of every tour: its own, or else a drawn one", async () => {
    const image = "https://example.test/walk.jpg";
    const own = await makeTour({ image, title: "Old Walls" });
    const { meta: ownMeta } = await told(`/tours/${own.slug}`);
    expect(ownMeta("og:image")).toBe(image);
    expect(ownMeta("og:image:alt")).toBe("Old Walls");
    expect(ownMeta("og:image:width")).toBeUndefined();
    for (const odd of [null, "http://example.test/x.png", "/x.png", "javascript:alert(1)"]) {
      const tour = await makeTour({ image: odd });
      const { meta } = await told(`/tours/${tour.slug}`);
      const drawn = meta("og:image")!;
      expect(drawn).toMatch(new RegExp(`^${app.url}/share/[1-6]\\.png$`));
      expect((await told(`/tours/${tour.slug}?stars=5`)).meta("og:image")).toBe(drawn);
      expect(meta("twitter:card")).toBe("summary_large_image");
      expect([meta("og:image:width"), meta("og:image:height")]).toEqual(["1200", "630"]);
    }
  });

  it("tell a tour's mean and number of reviews", async () => {
    const tour = await makeTour({ title: "Old Walls", description: "Along the wall." });
    const description = async () => (await told(`/tours/${tour.slug}`)).meta("description");
    expect(await description()).toBe("Along the wall.");
    await makeReview(await makeUser(), tour, { rating: 4 });
    await makeReview(await makeUser(), tour, { rating: 5 });
    expect(await description()).toBe("Rated 4.5 out of 5 in 2 reviews. Along the wall.");
  });

  test.each([1, 2, 3, 4, 5, 6])("drawn picture %i is a small PNG of 1200 by 630", async (n) => {
    const response = await fetch(`${app.url}/share/${n}.png`);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get("content-type")).toBe("image/png");
    expect(bytes.subarray(1, 4).toString()).toBe("PNG");
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
    expect(bytes.length).toBeLessThan(60_000);
  });
});

describe("a description and an address", () => {
  it("is left out of the data of a tour that has none", async () => {
    for (const description of ["", " \n"]) {
      const tour = await makeTour({ description });
      await makeReview(await makeUser(), tour);
      const { data } = await told(`/tours/${tour.slug}`);
      expect(data).toMatchObject({ "@type": "Product", name: tour.title });
      expect(data).not.toHaveProperty("description");
    }
  });

  test("are on every public page", async () => {
    const tour = await makeTour({ description: "" });
    const guide = `/guides/${tour.createdById.toString()}`;
    const paths = ["/", "/?q=walk", `/tours/${tour.slug}`, guide, "/login", "/signup", "/reset"];
    for (const path of paths) expect((await told(path)).meta("description"), path).toMatch(/\S{3}/);
    expect((await told("/?sort=newest")).meta("canonical")).toBe(`${app.url}/`);
    expect((await told(`/tours/${tour.slug}?stars=1`)).meta("canonical")).toBe(
      `${app.url}/tours/${tour.slug}`,
    );
    expect((await told(guide.toUpperCase().replace("GUIDES", "guides"))).meta("canonical")).toBe(
      app.url + guide,
    );
  });

  test("of a long text are its beginning, on one line, cut between words", async () => {
    const tour = await makeTour({ description: `Seven\n\nbridges ${"and more ".repeat(60)}` });
    const description = (await told(`/tours/${tour.slug}`)).meta("description")!;
    expect(description).toMatch(/^Seven bridges and more .* (and|more) …$/);
    expect(description.length).toBeLessThanOrEqual(202);
  });
});

describe("robots.txt and the sitemap", () => {
  const locations = (text: string) => [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, at]) => at);

  it("name the list of pages, and keep crawlers away from private pages", async () => {
    const { text, headers } = await get("/robots.txt");
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(headers.get("cache-control")).toBe("public, max-age=3600");
    expect(text).toContain(`\nSitemap: ${app.url}/sitemap.xml\n`);
    for (const path of ["/me", "/api/", "/guide$", "/reset/", "/cases/", "/report"])
      expect(text).toContain(`\nDisallow: ${path}\n`);
    // The public pages of guides stay open.
    expect(text).not.toMatch(/Disallow: (\/|\/guides?)\n/);
  });

  it("lists every tour, every guide and the site's own pages", async () => {
    const tour = await makeTour({ slug: "one & only" });
    const guide = `${app.url}/guides/${tour.createdById.toString()}`;
    await expect
      .poll(async () => locations((await get("/sitemap/1.xml")).text))
      .toEqual([
        `${app.url}/`,
        `${app.url}/about/reviews`,
        `${app.url}/tours/one%20%26%20only`,
        guide,
      ]);
    const index = await get("/sitemap.xml");
    expect(index.headers.get("content-type")).toBe("application/xml; charset=utf-8");
    expect(index.headers.get("cache-control")).toBe("public, max-age=3600");
    expect(index.headers.getSetCookie()).toEqual([]);
    expect(locations(index.text)).toEqual([`${app.url}/sitemap/1.xml`]);
    for (const part of ["2.xml", "0.xml", "1", "1.xml.gz"])
      expect((await get(`/sitemap/${part}`)).status, part).toBe(404);
  });
});

test.each([
  ["favicon.ico", "00000100", /^image\/(x-icon|vnd\.microsoft\.icon)$/],
  ["apple-touch-icon.png", "89504e47", /^image\/png$/],
])("%s is one", async (name, signature, type) => {
  const response = await fetch(`${app.url}/${name}`);
  expect(response.headers.get("content-type")).toMatch(type);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(bytes.subarray(0, 4).toString("hex")).toBe(signature);
});

describe("the foot of every page", () => {
  const links = ({ text }: { text: string }) =>
    [...text.slice(text.indexOf("<footer")).matchAll(/<a [^>]*href="([^"]*)"/g)].map(
      ([, at]) => at,
    );

  it("links to how reviews are checked and to the API, and to nothing that does not exist", async () => {
    expect(links(await get("/"))).toEqual(["/about/reviews", "/api"]);
    expect(links(await get("/nope"))).toEqual(["/about/reviews", "/api"]);
  });

  it("shows what the operator provides", async () => {
    const settings = {
      CONTACT_URL: "mailto:hello@example.com",
      PRIVACY_URL: "https://example.com/privacy",
    };
    const own = await startApp(databaseUri(), settings);
    expect(links(await call(own, "GET", "/"))).toEqual([
      "/about/reviews",
      settings.CONTACT_URL,
      settings.PRIVACY_URL,
      "/api",
    ]);
    await own.stop();
  });
});

describe("structured data", () => {
  let tour: TourDocument;
  let path: string;
  beforeEach(async () => {
    tour = await makeTour();
    path = `/tours/${tour.slug}`;
    for (const [n, rating] of [5, 1, 3].entries())
      await makeReview(await makeUser(), tour, { rating, comment: `${rating}`, createdAt: ago(n) });
  });

  it("has the newest reviews", async () => {
    expect(shownReviews((await told(path)).data)).toEqual(["5", "1", "3"]);
  });

  test.each(["?stars=1", "?sort=lowest", "?after=5_1_" + "f".repeat(24)])(
    "has no reviews with %s, but the rating of all",
    async (query) => {
      const { data } = await told(path + query);
      expect(shownReviews(data)).toBeUndefined();
      expect(data).toMatchObject({ aggregateRating: { ratingValue: 3, reviewCount: 3 } });
    },
  );
});
