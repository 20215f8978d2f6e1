import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, startApp, type App } from "../support/app";
import { databaseUri } from "../support/database";
import { makeReview, makeTour, makeUser } from "../support/factories";
import { app, get, useApp } from "../support/shared-app";

// A tour's reviews on other sites (docs/rules/tours.md, On other pages).

useApp();

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** A tour of that many reviews with a comment, the newest first, and one without. */
async function makeReviewed(count: number, comment = (n: number) => `Comment ${n}`) {
  const tour = await makeTour({ title: "Old <Walls> & Gates" });
  for (let n = 0; n < count; n++)
    await makeReview(await makeUser({ name: `Guest ${n}` }), tour, {
      rating: 1 + (n % 5),
      comment: comment(n),
      createdAt: ago(n + 1),
    });
  await makeReview(await makeUser(), tour, { comment: null, rating: 5 });
  return { ...tour, path: `/tours/${tour.slug}` };
}

describe("the frame of a tour's reviews", () => {
  test("has the rating and five comments, and leads to the next ones and to the tour's page", async () => {
    const { path } = await makeReviewed(7);
    const { status, headers, text } = await get(`/embed${path}`);
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(text.match(/Comment \d/g)).toEqual([0, 1, 2, 3, 4].map((n) => `Comment ${n}`));
    expect(text).toContain("Old &lt;Walls&gt; &amp; Gates");
    expect(text).toContain("(8 reviews)");
    expect(text).toContain(`href="${app.url}${path}" target="_blank"`);
    const [, after] = /href="\?after=([^"]+)"/.exec(text)!;
    const next = await get(`/embed${path}?after=${after}`);
    expect(next.text.match(/Comment \d/g)).toEqual(["Comment 5", "Comment 6"]);
    expect(next.text).not.toContain("More reviews");
  });

  test("sets no cookie, not even for a visitor with one, and is not sent again unchanged", async () => {
    const tour = await makeReviewed(1);
    const answer = await get(`/embed${tour.path}`, "session=anything");
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(answer.headers.get("cache-control")).toBe("public, no-cache");
    const headers = { "if-none-match": answer.headers.get("etag")! };
    const again = () => call(app, "GET", `/embed${tour.path}`, { headers });
    expect((await again()).status).toBe(304);
    await makeReview(await makeUser(), tour, { comment: "New" });
    expect((await again()).status).toBe(200);
  });

  test("stays small whatever people wrote", async () => {
    const { path } = await makeReviewed(6, (n) => `${n}${"山の景色がきれい 🎉 ".repeat(400)}`);
    const { text } = await get(`/embed${path}`);
    expect(gzipSync(text).length).toBeLessThan(15 * 1024);
    expect(text.match(/Read the whole review/g)).toHaveLength(5);
  });

  test("is shown by no other site without EMBED_ORIGINS, and is 404 without the tour", async () => {
    const { path } = await makeReviewed(0);
    const { headers } = await get(`/embed${path}`);
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect((await get("/embed/tours/nothing")).status).toBe(404);
  });

  describe("with EMBED_ORIGINS", () => {
    let other: App;
    beforeAll(async () => {
      other = await startApp(databaseUri(), {
        EMBED_ORIGINS: "https://tours.example https://www.example",
      });
    });
    afterAll(() => other.stop());

    test("is shown by those sites, and no other page is", async () => {
      const policy = async (path: string) =>
        (await call(other, "GET", path)).headers.get("content-security-policy");
      const { path } = await makeReviewed(1);
      expect(await policy(`/embed${path}`)).toContain(
        "frame-ancestors https://tours.example https://www.example",
      );
      for (const page of [path, "/", "/login"])
        expect(await policy(page)).toContain("frame-ancestors 'none'");
    });

    test("is opened in a sandbox, and by a page that embeds only what allows it", async () => {
      const { path } = await makeReviewed(1);
      const { headers } = await call(other, "GET", `/embed${path}`);
      expect(headers.get("cross-origin-opener-policy")).toBe("unsafe-none");
      expect(headers.get("cross-origin-embedder-policy")).toBe("require-corp");
      expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
      const page = await call(other, "GET", path);
      expect(page.headers.get("cross-origin-opener-policy")).toBe("same-origin");
    });

    test("is what oEmbed has beside the quotation", async () => {
      const { path } = await makeReviewed(1);
      const query = `/oembed?url=${encodeURIComponent(other.url + path)}&maxwidth=320&maxheight=300`;
      const { json: found } = await call<{ html: string }>(other, "GET", query);
      expect(found).toMatchObject({ width: 320, height: 300 });
      expect(found!.html).toContain(`<iframe src="${other.url}/embed${path}"`);
      expect(found!.html).toContain(`<blockquote><a href="${other.url}${path}">`);
      expect(found!.html).not.toContain("<img");
    });
  });
});

test("the badge is a picture of the rating, for any site, and names no rating where there is none", async () => {
  const { path } = await makeReviewed(1);
  const { headers, text } = await get(`${path}/badge.svg`);
  expect(headers.get("content-type")).toBe("image/svg+xml; charset=utf-8");
  expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  expect(text).toContain("<title>Rated 3.0 out of 5 in 2 reviews</title>");
  const unrated = await makeTour();
  expect((await get(`/tours/${unrated.slug}/badge.svg`)).text).toContain(
    "<title>0 reviews</title>",
  );
  expect((await get("/tours/nothing/badge.svg")).status).toBe(404);
});

test("the feed has the newest comments, each with its own address", async () => {
  const tour = await makeReviewed(2, (n) => `<b>${n}</b> & \u0000\u000B“o\u001B\u007F\u009Bk” 🎉`);
  const { headers, text } = await get(`${tour.path}/reviews.atom`);
  expect(headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
  expect(text.match(/<entry>/g)).toHaveLength(2);
  expect(text).toContain("&lt;b&gt;0&lt;/b&gt; &amp; “ok” 🎉</content>");
  expect(text).toContain("<title>1 star by Guest 0</title>");
  expect(text).toMatch(new RegExp(`<entry><id>${app.url}/reviews/[0-9a-f]{24}</id>`));

  expect(text).not.toMatch(/(?!\n)\p{Cc}/u);
});

describe("oEmbed", () => {
  const ask = async (url: string, more = "") => {
    const answer = await call<Record<string, unknown>>(
      app,
      "GET",
      `/oembed?url=${encodeURIComponent(url)}${more}`,
    );
    return { status: answer.status, json: answer.json };
  };

  test("has a quotation and the badge for a tour's page, which names the address, and a picture for its badge", async () => {
    const { path } = await makeReviewed(1);
    const page = await get(path);
    const [, address] = /type="application\/json\+oembed" href="([^"]+)"/.exec(page.text)!;
    const found = await call<Record<string, unknown>>(app, "GET", address!.slice(app.url.length));
    expect(found.json).toMatchObject({
      version: "1.0",
      type: "rich",
      ...{ width: 260, height: 64 },
    });
    const { html } = found.json as { html: string };
    expect(html).toContain(
      `<blockquote><a href="${app.url}${path}"><bdi>Old &lt;Walls&gt; &amp; Gates</bdi></a><span>\u00A0· Rated 3.0 out of 5 in 2 reviews</span></blockquote>`,
    );
    expect(html).toContain(`<img src="${app.url}${path}/badge.svg" alt="Reviews"`);
    // Its frame is shown nowhere.
    expect(html).not.toContain("<iframe");
    expect((await ask(`${app.url}${path}`, "&maxwidth=130")).json).toMatchObject({ width: 130 });
    expect((await ask(`${app.url}${path}/badge.svg`, "&maxwidth=130")).json).toMatchObject({
      width: 130,
    });
    expect((await ask(`${app.url}${path}/badge.svg`)).json).toMatchObject({
      type: "photo",
      url: `${app.url}${path}/badge.svg`,
    });
    expect((await ask(`${app.url}${path}`, "&format=xml")).status).toBe(501);
  });

  test.each(["", "/", "?sort=best"])(
    "knows a tour's addresses with %j behind them",
    async (end) => {
      const { path } = await makeReviewed(1);
      for (const address of [path, `/embed${path}`, path.replace("/tours", "/Tours")]) {
        expect((await get(address + end)).status).toBe(200);
        const { status, json } = await ask(app.url + address + end);
        expect([address, status, json!.type]).toEqual([address, 200, "rich"]);
      }
      expect((await get(`${path}/badge.svg${end}`)).status).toBe(200);
      expect((await ask(`${app.url}${path}/badge.svg${end}`)).json!.type).toBe("photo");
      expect((await ask(`${app.url}/embed${path}/badge.svg`)).status).toBe(404);
    },
  );

  test.each([
    "",
    "https://evil.example/tours/old-walls",
    "/tours/nothing",
    "/login",
    `/tours/${"a".repeat(3_000)}`,
    "/tours/%E0%A4%A",
  ])("has nothing for %s", async (url) => {
    expect((await ask(url.startsWith("/") ? app.url + url : url)).status).toBe(404);
  });
});
