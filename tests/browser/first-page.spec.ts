import { makeReview, makeTour, makeUser } from "../support/factories";
import { expect, PICTURES, takeAwayNewFunctions, test } from "./support";

// Pages in a browser that lacks something (docs/rules/pages.md, Browsers).

test("a tour with an author's picture opens in the oldest browsers", async ({ page, open }) => {
  const tour = await makeTour();
  const author = await makeUser({ name: "Ann Bee", image: `${PICTURES}/ann.jpg` });
  await makeReview(author, tour, { comment: "A wonderful day on the river." });
  await page.addInitScript(takeAwayNewFunctions);
  await open(`/tours/${tour.slug}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(tour.title);
  await expect(page.getByText("A wonderful day on the river.")).toBeVisible();
});

test.describe("a page whose script fails", () => {
  test("stays the page that it was, and works as without scripts", async ({ context, logIn }) => {
    await logIn(await makeUser({ name: "Ben" }));
    const page = await context.newPage();
    const tour = await makeTour();
    await makeReview(await makeUser({ name: "Ann Forced" }), tour, { comment: "A fine day." });
    await page.addInitScript(() => {
      // The script that makes letters of her name, for the round picture, calls it.
      const toUpperCase = String.prototype.toUpperCase;
      String.prototype.toUpperCase = function () {
        if (String(this) === "A") {
          document.documentElement.dataset.failed = "";
          throw new Error("forced");
        }
        return toUpperCase.call(this);
      };
    });
    await page.goto(`/tours/${tour.slug}`);
    await expect(page.locator("html")).toHaveAttribute("data-failed", "");
    await expect(page.locator("html")).toHaveAttribute("data-ready", "");
    await expect(page).toHaveTitle(`${tour.title} · Tour Reviews`);
    await expect(page.locator("link[rel=canonical]")).toHaveCount(1);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(tour.title);
    await expect(page.getByText("A fine day.")).toBeVisible();
    await expect(page.getByText("Something went wrong")).toHaveCount(0);
    await page.getByRole("banner").getByRole("link").first().click();
    await expect(page).toHaveURL("/");
    await page.close();
  });
});
