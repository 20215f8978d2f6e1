import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { type App, startApp } from "../support/app";
import { makeReview, makeTour, makeUser } from "../support/factories";
import { EITHER, expect, expectAccessible, PICTURES, test } from "./support";

// A site with the name of a platform, and the platform's own page, which is another site.

let site: App;
let platform: Server;
let origin: string;
/** The path of the tour on the platform's page. */
let path: string;

test.beforeAll(async () => {
  platform = createServer(({ url }, response) => {
    response.setHeader("Content-Type", "text/html");
    if (url === "/isolated") response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
    const sandbox = url === "/sandbox" ? ' sandbox="allow-scripts"' : "";
    response.end(`<!DOCTYPE html><html lang="en"><title>Platform</title>
<h1>Ridge walk</h1><img src="${site.url}${path}/badge.svg" alt="Rating">
<iframe src="${site.url}/embed${path}" title="Reviews" width="360" height="200"${sandbox}></iframe>
<script>addEventListener("message", ({ origin, data }) => {
  if (origin === "${site.url}" && data.type === "tour-reviews-height")
    document.querySelector("iframe").height = data.height;
})</script>`);
  });
  await new Promise<void>((listening) => platform.listen(0, "localhost", listening));
  origin = `http://localhost:${(platform.address() as AddressInfo).port}`;
  site = await startApp(process.env.MONGODB_URI!, {
    EMBED_ORIGINS: origin,
    SITE_NAME: "Höhenwege & Söhne",
    SITE_LOGO: `${PICTURES}/logo.svg`,
    SITE_ACCENT: "#e60023",
  });
});
test.afterAll(async () => {
  await site.stop();
  platform.closeAllConnections();
  platform.close();
});

test.beforeEach(async ({ page }) => {
  const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="m0 9 4-9 5 9z"/></svg>`;
  await page.route(`${PICTURES}/**`, (route) =>
    route.fulfill({ contentType: "image/svg+xml", body: logo }),
  );
  const tour = await makeTour({ title: "Ridge walk", description: "Up and along." });
  path = `/tours/${tour.slug}`;
  for (let n = 0; n < 7; n++)
    await makeReview(await makeUser(), tour, {
      rating: 1 + (n % 5),
      comment: `Windy, ${n} of 9. `,
    });
});

async function expectReadable(page: Page) {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
}

test("its colour is readable in both modes, and pages go on with its name", async ({
  page,
  open,
}) => {
  for (const address of ["/login", "/about/reviews", path, "/"]) {
    await open(site.url + address);
    await expectReadable(page);
  }
  const brand = page.getByRole("link", { name: "Höhenwege & Söhne" });
  await expect(brand.locator("img")).toBeVisible();
  await page.getByRole("link", { name: "Log in" }).click();
  await expect(page).toHaveTitle("Log in · Höhenwege & Söhne");
});

test("a logo that cannot be reached leaves the name", { tag: EITHER }, async ({ page, open }) => {
  await page.route(`${PICTURES}/**`, (route) => route.abort());
  await open(`${site.url}/login`);
  const brand = page.getByRole("link", { name: "Höhenwege & Söhne" });
  await expect(brand).toHaveText("Höhenwege & Söhne");
  await expect(brand.locator("img")).toBeHidden();
});

test("without a logo our sign has its colour, also in the browser's tab", async ({
  page,
  open,
}) => {
  const named = await startApp(process.env.MONGODB_URI!, { SITE_ACCENT: "#1d4ed8" });
  try {
    await open(`${named.url}/login`);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator(".brand rect")).toHaveCSS("fill", "rgb(29, 78, 216)");
    }
    const icon = await page.locator("link[rel=icon]").getAttribute("href");
    expect(decodeURIComponent(icon!)).toContain('fill="#1d4ed8"');
  } finally {
    await named.stop();
  }
});

test("shows a tour's reviews, and more of them", { tag: EITHER }, async ({ page, scripts }) => {
  await page.goto(origin);
  expect(
    await page.getByAltText("Rating").evaluate((image: HTMLImageElement) => image.naturalWidth),
  ).toBe(260);
  const frame = page.frameLocator("iframe");
  await expect(frame.getByText("Windy")).toHaveCount(5);
  const fits = () => page.locator("iframe").evaluate((element) => element.clientHeight > 600);
  if (scripts) await expect.poll(fits).toBe(true);
  await frame.getByRole("link", { name: "More reviews" }).click();
  await expect(frame.getByText("Windy")).toHaveCount(2);
  await expect(
    frame.getByRole("link", { name: "All reviews on Höhenwege & Söhne" }),
  ).toHaveAttribute("href", site.url + path);
});

test("the frame is accessible in both modes, also by itself on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto(`${site.url}/embed${path}`);
  await expectReadable(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

for (const host of ["/sandbox", "/isolated"])
  test(`opens on the platform's page ${host}`, async ({ page }) => {
    await page.goto(origin + host);
    await expect(page.frameLocator("iframe").getByText("Windy")).toHaveCount(5);
    const width = (image: HTMLImageElement) => image.naturalWidth;
    expect(await page.getByAltText("Rating").evaluate(width)).toBe(260);
  });

test("says a height into which its content fits, at every zoom", async ({ page }) => {
  await page.goto(origin);
  const fits = () =>
    page
      .frameLocator("iframe")
      .locator("html")
      .evaluate((html) => {
        const { height } = html.getBoundingClientRect();
        return innerHeight >= height && innerHeight - height < 1;
      });
  await expect.poll(fits).toBe(true);
  await page
    .frameLocator("iframe")
    .locator("html")
    .evaluate((html) => (html.style.lineHeight = "1.5137"));
  await expect.poll(fits).toBe(true);
});

test("the badge has room for the longest name", async ({ page }) => {
  for (const name of [
    "Abenteuer und Ausflug",
    "MMMMMMMMMMMMMMMMMMMMM",
    "山".repeat(40),
    "W".repeat(40),
  ]) {
    const named = await startApp(process.env.MONGODB_URI!, { SITE_NAME: name });
    await page.goto(`${named.url}${path}/badge.svg`);
    const ends = await page
      .locator("text")
      .evaluateAll((texts) =>
        (texts as unknown as SVGGraphicsElement[])
          .map((text) => text.getBBox())
          .map(({ x, y, width, height }) => [x + width, y + height]),
      );
    expect(ends).toHaveLength(3);
    for (const [right, bottom] of ends) {
      expect(right).toBeLessThanOrEqual(250);
      expect(bottom).toBeLessThanOrEqual(63);
    }
    await named.stop();
  }
});
