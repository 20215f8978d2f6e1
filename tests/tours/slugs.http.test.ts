import { Types } from "mongoose";
import { beforeAll, describe, expect, it, test } from "vitest";
import { tourPath } from "~/ui/paths";
import { Review } from "#models/review";
import { call, sessionOf } from "../support/app";
import { HOSTILE_SLUGS, makeBookedExplorer, makeTour, makeUser } from "../support/factories";
import { app, get, useApp } from "../support/shared-app";

// However a tour's slug looks, its page has one address, which every link uses.

useApp({ emptied: "once" });

const SLUGS = [...HOSTILE_SLUGS, "\u4eac".repeat(900)];
const unescaped = (html: string) =>
  html.replace(
    /&(amp|lt|gt|quot|#x27);/g,
    (_, name: string) => ({ amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" })[name]!,
  );
let guideId: string;

beforeAll(async () => {
  const guide = await makeUser();
  guideId = guide._id.toString();
  for (const slug of SLUGS)
    await makeTour({ slug, title: `Tour ${slug.slice(0, 40)}`, createdById: guide._id });
  // Pages that no slug may be mistaken for.
  await makeTour({ slug: "x", title: "Another tour" });
});

test.each(SLUGS)("%.20s has a page, its data, its further reviews and its form", async (slug) => {
  const path = tourPath(slug);
  const page = await get(path);
  expect(page.status).toBe(200);
  const html = unescaped(page.text);
  expect(html).toMatch(/<h1><bdi[^>]*>/);
  expect(html).toContain(`>Tour ${slug.slice(0, 40)}</bdi></h1>`);
  const address = `${app.url}${path}`;
  for (const told of [
    `<link rel="canonical" href="${address}"`,
    `property="og:url" content="${address}"`,
  ])
    expect(html).toContain(told);
  expect((await get(`${path}.data`)).text).toContain(JSON.stringify(slug).slice(1, -1));
  const further = await get(`${path}/reviews`);
  expect([further.status, further.json]).toMatchObject([200, { reviews: [] }]);

  const tour = (
    await call<{ tour: { id: string } }>(app, "GET", `/api/tours?${new URLSearchParams({ slug })}`)
  ).json!;
  const guest = await makeBookedExplorer({ _id: tour.tour.id as never });
  const cookie = await sessionOf(guest);
  const form = unescaped((await get(path, cookie)).text);
  expect(form).toContain(`<form method="post" action="${path}"`);
  const raw = new URLSearchParams({ rating: "5", comment: "hostile" });
  const nobody = await call(app, "POST", path, { raw });
  expect([nobody.status, nobody.headers.get("location")]).toEqual([
    307,
    `/login?redirectTo=${encodeURIComponent(`${path}#write`)}`,
  ]);
  const posted = await call(app, "POST", path, { cookie, raw });
  const review = (await Review.findOne({ tourId: tour.tour.id, userId: guest._id }).lean())!;
  expect([posted.status, posted.headers.get("location")]).toEqual([
    302,
    `${path}#review-${review._id.toString()}`,
  ]);
  const shown = await get(path, cookie);
  expect(shown.text).toContain("hostile");
  expect(JSON.parse(/ld\+json">(.*?)<\/script>/s.exec(shown.text)![1]!)).toMatchObject({
    url: address,
  });
  expect(unescaped((await get(`/reviews/${review._id.toString()}`)).text)).toContain(
    `href="${path}"`,
  );
});

it("is linked from the guide's page and from the sitemap", async () => {
  const pages = Math.ceil(SLUGS.length / 12);
  let cards = "";
  for (let page = 1; page <= pages; page++)
    cards += unescaped((await get(`/guides/${guideId}?page=${page}`)).text);
  await expect.poll(async () => (await get("/sitemap/1.xml")).text).toContain("/tours/x</loc>");
  const sitemap = (await get("/sitemap/1.xml")).text;
  for (const slug of SLUGS) {
    expect(cards).toContain(`href="${tourPath(slug)}"`);
    // An address that is longer than search engines read is left out of the sitemap.
    if (slug.length < 900) expect(sitemap).toContain(`<loc>${app.url}${tourPath(slug)}</loc>`);
  }
});

describe("a slug in another form of Unicode", () => {
  const [composed, decomposed] = ["z\u00fcrich", "zu\u0308rich"];

  it.each([
    [composed, decomposed],
    [decomposed, composed],
  ])("%# names the tour, whose address is the one with the stored slug", async (slug, other) => {
    const stored = `${slug}-${slug.length}`;
    const asked = `${other}-${slug.length}`;
    const tour = await makeTour({ slug: stored, createdById: new Types.ObjectId(guideId) });
    const page = await get(tourPath(asked));
    expect(page.status).toBe(200);
    expect(page.text).toContain(`<link rel="canonical" href="${app.url}${tourPath(stored)}"`);
    expect((await get(`${tourPath(asked)}/reviews`)).status).toBe(200);
    const found = await get(`/api/tours?${new URLSearchParams({ slug: asked })}`);
    expect(found.json).toMatchObject({ tour: { id: tour._id.toString(), slug: stored } });
    const guest = await makeBookedExplorer(tour);
    const raw = new URLSearchParams({ rating: "5", comment: "Lovely" });
    const cookie = await sessionOf(guest);
    const posted = await call(app, "POST", tourPath(asked), { cookie, raw });
    const review = (await Review.findOne({ tourId: tour._id }).lean())!;
    expect(posted.headers.get("location")).toBe(
      `${tourPath(stored)}#review-${review._id.toString()}`,
    );
    const address = `${tourPath(asked)}#review-${review._id.toString()}`;
    const report = await get(`/report?url=${encodeURIComponent(app.url + address)}`);
    expect(report.text).toContain("Lovely");
  });

  it("names the tour with exactly this slug, where a platform has one for each form", async () => {
    const [one, two] = ["lie\u0300ge", "li\u00e8ge"];
    for (const slug of [one, two]) await makeTour({ slug });
    for (const slug of [one, two])
      expect((await get(`/api/tours?${new URLSearchParams({ slug })}`)).json).toMatchObject({
        tour: { slug },
      });
  });
});

describe("an address that ends in .data", () => {
  const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
  const opened = (path: string) => call(app, "GET", path, { headers: BROWSER });

  it.each(["/tours/x.data", "/tours/.data"])(
    "%s leads a browser to the page of that name",
    async (path) => {
      const page = path.replace(/\.data$/, "%2Edata");
      const answer = await opened(`${path}?sort=lowest`);
      expect([answer.status, answer.headers.get("location")]).toEqual([302, `${page}?sort=lowest`]);
      expect((await opened(page)).status).toBe(200);
    },
  );

  it.each(["/_root.data", "/me.data", "/tours/x/reviews.data"])(
    "%s is no page in a browser",
    async (path) => {
      const { headers } = await opened(path);
      expect(headers.get("location")).toBe(path.replace(/\.data$/, "%2Edata"));
      expect((await opened(headers.get("location")!)).status).toBe(404);
    },
  );

  it("is the page's data for its scripts, and another site's address leads nowhere", async () => {
    const data = await call(app, "GET", "/tours/x.data", { headers: { accept: "*/*" } });
    expect([data.status, data.headers.get("content-type")]).toEqual([
      200,
      "text/x-script; charset=utf-8",
    ]);
    for (const path of ["//other.example/x.data", "/\\other.example/x.data", "/api/tours/x.data"])
      expect((await opened(path)).headers.get("location")).toBeNull();
  });
});
