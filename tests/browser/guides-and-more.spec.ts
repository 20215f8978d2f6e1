import { Tour } from "../../models/tour";
import { makeReview, makeTour, makeUser } from "../support/factories";
import { expect, PHONE, test } from "./support";

// Guides as explorers see them; what every page links to; and what a page that is not found offers.

test.describe("a guide's page", () => {
  test(
    "is where a tour's guide leads, with the tours and what explorers say",
    { tag: PHONE },
    async ({ page }) => {
      const guide = await makeUser({ name: "Gwen Guide" });
      const harbour = await makeTour({ title: "Harbour at Dawn", createdById: guide._id });
      await makeTour({ title: "A Quiet Walk", createdById: guide._id, location: "Port Sel" });
      await makeReview(await makeUser({ name: "Olaf" }), harbour, { rating: 2, comment: "Wet." });
      await makeReview(await makeUser({ name: "Nele" }), harbour, { rating: 5 });
      await page.goto(`/tours/${harbour.slug}`);
      await page.getByRole("link", { name: "Gwen Guide" }).click();

      await expect(page).toHaveURL(new RegExp(`/guides/${guide._id.toString()}$`));
      await expect(page).toHaveTitle("Gwen Guide, guide of 2 tours · Tour Reviews");
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Gwen Guide");
      const main = page.getByRole("main");
      await expect(main.locator(".guide-head")).toContainText("3.5 out of 5 (2 reviews)");
      const tours = main.getByRole("region", { name: "Tours" });
      await expect(tours.getByRole("heading", { level: 3 })).toHaveText([
        "Harbour at Dawn",
        "A Quiet Walk",
      ]);
      await expect(tours).toContainText("Port Sel");
      const newest = main.getByRole("region", { name: "Newest reviews" });
      await expect(newest.locator("strong")).toHaveText(["Nele", "Olaf"]);
      await expect(newest).toContainText("Wet.");
      await newest.getByRole("link", { name: "Harbour at Dawn" }).first().click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Harbour at Dawn");
    },
  );

  test("shows many tours by pages with true titles", async ({ page }) => {
    const guide = await makeUser({ name: "Gus" });
    await Tour.insertMany(
      Array.from({ length: 30 }, (_, n) => ({
        ...{ title: `Walk ${n}`, slug: `walk-${guide._id.toString()}-${n}` },
        ...{ createdById: guide._id, reviewCount: n },
      })),
    );
    await page.goto(`/guides/${guide._id.toString()}`);
    await expect(page).toHaveTitle("Gus, guide of 30 tours, page 1 of 3 · Tour Reviews");
    await page.getByRole("link", { name: "Page 3" }).click();
    await expect(page).toHaveTitle("Gus, guide of 30 tours, page 3 of 3 · Tour Reviews");
    await expect(page.getByRole("heading", { level: 3 })).toHaveText(
      [5, 4, 3, 2, 1, 0].map((n) => `Walk ${n}`),
    );
  });

  test("is not found for a user who leads no tour", async ({ page }) => {
    const explorer = await makeUser();
    for (const id of [explorer._id.toString(), "gwen"]) {
      const response = await page.goto(`/guides/${id}`);
      expect(response!.status()).toBe(404);
      await expect(page.getByText("Guide not found")).toBeVisible();
    }
  });
});

test("a page that is not there searches the tours", { tag: PHONE }, async ({ page }) => {
  await page.goto("/no-such-page");
  await page.getByRole("searchbox", { name: "Search tours" }).fill("lantern");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page).toHaveURL(/\/\?q=lantern$/);
  await expect(page.getByRole("heading", { name: /Lantern/ }).first()).toBeVisible();
});

test("every page leads to how reviews are checked", async ({ page }) => {
  await page.goto("/login");
  await page
    .getByRole("contentinfo")
    .getByRole("link", { name: "How reviews are checked" })
    .click();
  await expect(page).toHaveTitle("How reviews are checked · Tour Reviews");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("How reviews are checked");
  await expect(page.getByText("Guides cannot change, hide or remove reviews")).toBeVisible();
});
