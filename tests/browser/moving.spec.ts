import type { Page } from "@playwright/test";
import { EDIT_WINDOW_MS } from "~/services/reviews/limits";
import { Tour } from "../../models/tour";
import { makeGuest, makeReview, makeTour, makeUser } from "../support/factories";
import { expect, test } from "./support";

// From page to page: by the header and by links, told to everybody, on every screen.

const header = (page: Page) => page.getByRole("banner");
const navigation = (page: Page) => page.getByRole("navigation", { name: "Account" });
const menuButton = (page: Page) => page.getByRole("button", { name: "Menu" });

test.describe("the header", () => {
  test.use({ viewport: { width: 320, height: 640 } });

  test("is one row for everybody, with all that there is", async ({ page, logIn }) => {
    const tour = await makeTour();
    const guide = await makeUser({ name: "Gwendolyn ".repeat(8).trim() });
    await Tour.updateOne({ _id: tour._id }, { createdById: guide._id });
    const visitors = [
      { user: null, links: ["Log in", "Sign up"] },
      { user: await makeUser({ name: "Ann" }), links: ["My reviews", "Account of Ann"] },
      { user: guide, links: ["My tours", "My reviews", `Account of ${guide.name}`] },
    ];
    for (const { user, links } of visitors) {
      if (user) await logIn(user);
      await page.goto("/");
      // A row of 44 px, its padding of 8 px and the line below it; two rows would be 105 px.
      expect((await header(page).boundingBox())!.height).toBeLessThan(70);
      const sticksOut = () =>
        page.evaluate(() => document.documentElement.scrollWidth - document.body.clientWidth);
      expect(await sticksOut()).toBe(0);
      if (user) {
        await expect(navigation(page)).toBeHidden();
        await menuButton(page).click();
        await expect(navigation(page).getByRole("button", { name: "Log out" })).toBeInViewport();
      }
      await expect(navigation(page).getByRole("link")).toHaveText(
        links.map((name) => new RegExp(name)),
      );
      for (const link of await navigation(page).getByRole("link").all())
        await expect(link).toBeInViewport({ ratio: 1 });
      expect(await sticksOut()).toBe(0);
    }
  });

  test("has a menu that closes on Escape, and on going on", async ({ page, logIn, scripts }) => {
    await logIn(await makeUser({ name: "Ann" }));
    await page.goto("/");
    await menuButton(page).focus();
    await page.keyboard.press("Enter");
    await expect(navigation(page)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(navigation(page)).toBeHidden();
    await expect(menuButton(page)).toBeFocused();

    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await expect(navigation(page).getByRole("link", { name: "My reviews" })).toBeFocused();
    if (scripts) await page.evaluate(() => Object.assign(globalThis, { samePage: true }));
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL("/me");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("My reviews");
    if (scripts) expect(await page.evaluate(() => "samePage" in globalThis)).toBe(true);
    await expect(navigation(page)).toBeHidden();
  });

  test("has the links in its row where they have room", async ({ page, logIn }) => {
    await page.setViewportSize({ width: 800, height: 600 });
    const tour = await makeTour();
    const guide = await makeGuest(tour, { name: "Gwendolyn ".repeat(8).trim() });
    await Tour.updateOne({ _id: tour._id }, { createdById: guide._id });
    await logIn(guide);
    await page.goto("/");
    await expect(menuButton(page)).toBeHidden();
    await expect(navigation(page).getByRole("link")).toHaveCount(3);
    await expect(navigation(page).getByRole("button", { name: "Log out" })).toBeInViewport({
      ratio: 1,
    });
    expect((await header(page).boundingBox())!.height).toBeLessThan(70);
  });
});

test("titles say what a page shows", async ({ page, logIn }) => {
  const tour = await makeTour({ title: "Old Walls" });
  const ann = await makeGuest(tour);
  const own = await makeReview(ann, tour, { rating: 4 });
  const settled = await makeReview(ann, await makeTour({ title: "Dunes" }), {
    createdAt: new Date(Date.now() - 2 * EDIT_WINDOW_MS),
  });
  await logIn(ann);
  const path = `/tours/${tour.slug}`;
  for (const [address, title] of [
    ["/", /^Guided tours and their reviews, page 1 of \d+$/],
    ["/?page=2", /^Guided tours and their reviews, page 2 of \d+$/],
    ["/?q=lantern", /^Tours: lantern$/],
    [path, /^Old Walls$/],
    [`${path}?stars=4`, /^4-star reviews of Old Walls$/],
    [`${path}?stars=4&sort=lowest`, /^4-star reviews of Old Walls, lowest first$/],
    [`${path}?sort=highest&after=x`, /^Reviews of Old Walls, highest first, continued$/],
    [`/reviews/${own._id.toString()}/edit`, /^Edit your review of Old Walls$/],
    [`/reviews/${own._id.toString()}/delete`, /^Delete your review of Old Walls$/],
    [`/reviews/${settled._id.toString()}/edit`, /^This review can no longer be edited$/],
    ["/me", /^My reviews$/],
    ["/me?written=x", /^My older reviews$/],
    ["/reset/nothing", /^This link no longer works$/],
    ["/tours/none", /^Page not found$/],
    ["/none", /^Page not found$/],
  ] as const) {
    await page.goto(address);
    const shown = await page.title();
    expect(shown.endsWith(" · Tour Reviews"), `${address}: ${shown}`).toBe(true);
    expect(shown.slice(0, -" · Tour Reviews".length), address).toMatch(title);
  }
});
