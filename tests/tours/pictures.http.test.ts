import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { keepPicture } from "~/db/pictures.server";
import { makeReview, makeTour, makeUser } from "../support/factories";
import { app, get, useApp } from "../support/shared-app";

// The addresses and the markup of tours' pictures (docs/rules/import.md, Pictures).

useApp();

const SIZES = [1_000, 300_000, 700_000].map((length) => randomBytes(length));
const newHash = () => randomBytes(16).toString("hex");

it("a picture that is kept here is served whole, for a year, and nothing else is", async () => {
  const hash = newHash();
  await keepPicture(hash, SIZES);
  for (const [n, width] of [480, 960, 1_600].entries()) {
    const url = `${app.url}/pictures/${hash}-${width}.webp`;
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(SIZES[n]!)).toBe(true);
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      "content-type": "image/webp",
      "cache-control": "public, max-age=31536000, immutable",
      etag: `"${hash}-${width}"`,
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "cross-origin",
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    });
    expect(response.headers.getSetCookie()).toEqual([]);
    const again = await fetch(url, { headers: { "If-None-Match": headers.etag! } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    const head = await fetch(url, { method: "HEAD" });
    expect([head.status, head.headers.get("etag")]).toEqual([200, headers.etag]);
  }
  for (const name of [
    `${hash}-481.webp`,
    `${hash}-480.png`,
    `${hash}-480`,
    `${newHash()}-480.webp`,
    `${hash.toUpperCase()}-480.webp`,
    "%2e%2e%2fenv",
    "x.webp",
  ])
    expect([name, (await fetch(`${app.url}/pictures/${name}`)).status]).toEqual([name, 404]);
});

const FAR = "https://img.example.test/walk.jpg";

it("a tour's page shows all pictures, and its preview and data the first", async () => {
  const url = `/pictures/${newHash()}`;
  const images = [{ url, alt: "The <old> wall" }, FAR, { url: FAR, alt: "At sea" }];
  const tour = await makeTour({ images, image: "https://img.example.test/other.jpg" });
  await makeReview(await makeUser(), tour);
  const { text } = await get(`/tours/${tour.slug}`);
  const shown = [...text.matchAll(/<img ([^>]*)>/g)].map(([, attributes]) =>
    Object.fromEntries(
      [...attributes!.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [
        name!.toLowerCase(),
        value,
      ]),
    ),
  );
  const [drawn, hero, ...gallery] = shown;
  expect(drawn).toMatchObject({ src: expect.stringMatching(/^\/covers\//) });
  expect(hero).toMatchObject({
    src: `${url}-1600.webp`,
    srcset: `${url}-480.webp 480w, ${url}-960.webp 960w, ${url}-1600.webp 1600w`,
    sizes: expect.any(String),
    alt: "The &lt;old&gt; wall",
    width: "640",
    height: "360",
    loading: "eager",
  });
  const further = { src: FAR, width: "640", height: "360", loading: "lazy" };
  expect(gallery.slice(0, 2)).toMatchObject([
    { ...further, alt: "Picture 2" },
    { ...further, alt: "At sea" },
  ]);
  const large = `${app.url}${url}-1600.webp`;
  expect(text).toContain(`property="og:image" content="${large}"`);
  expect(text).toContain('property="og:image:alt" content="The &lt;old&gt; wall"');
  expect(text).toContain(`"image":"${large}"`);
  expect(text).not.toContain("other.jpg");
});

it("a tour without pictures of its own shows its image, or the drawing alone", async () => {
  const own = await makeTour({ image: FAR });
  const { text } = await get(`/tours/${own.slug}`);
  expect(text).toMatch(new RegExp(`<img [^>]*src="${FAR}"[^>]* alt="Picture 1"`));
  const { text: bare } = await get(`/tours/${(await makeTour()).slug}`);
  expect(bare).not.toContain('class="picture"');
});

it("the list loads the picture of its first card at once, and the others when they come near", async () => {
  for (let n = 0; n < 3; n++) await makeTour({ images: [FAR] });
  const loading = async () =>
    [...(await get("/")).text.matchAll(/loading="(\w+)" class="picture"/g)].map(([, how]) => how);
  await expect.poll(loading).toEqual(["eager", "lazy", "lazy"]);
});

it("the list loads the drawings of its first row at once, and the others when they come near", async () => {
  for (let n = 0; n < 4; n++) await makeTour();
  const loading = async () =>
    [...(await get("/")).text.matchAll(/<img src="\/covers\/[^>]*loading="(\w+)"/g)].map(
      ([, how]) => how,
    );
  await expect.poll(loading).toEqual(["eager", "eager", "eager", "lazy"]);
});
