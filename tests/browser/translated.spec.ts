import type { Page } from "@playwright/test";
import { rebuildRatings } from "~/reviews/ratings.server";
import {
  insertReviews,
  makeBookedExplorer,
  makeReview,
  makeTour,
  makeUser,
  PASSWORD,
} from "../support/factories";
import { findUser, PAGES } from "./all-pages";
import { expect, notice, star, test, translate, unique } from "./support";

// Pages that the browser translates: every text is in elements of the translator, at once and after changes.

test.describe.configure({ mode: "parallel" });

/** Without the number of pages: other tests make tours meanwhile. */
const titleOf = async (page: Page) => (await page.title()).replace(/ of \d+/, "");
const status = (page: Page) => page.getByRole("main").getByRole("status").last();

/** One page of each kind: lists, forms, texts, tables, and with and without a log-in. */
const LOOKED_AT = ["tours", "tour, write a review", "how reviews are checked", "account", "guide"];

test("pages work when one leaves them and comes back", async ({ page, logIn, open }) => {
  for (const name of LOOKED_AT)
    await test.step(name, async () => {
      const { as, path } = PAGES[name]!;
      // Without a log-in each page is a document of its own, which the translator translates.
      await logIn({ _id: await findUser(as ?? "amelie.norden@example.org") });
      await open(await path());
      await translate(page);
      const heading = page.getByRole("heading", { level: 1 });
      const title = await titleOf(page);
      const text = (await heading.innerText()).trim();
      const elsewhere =
        name === "how reviews are checked" ? "Tour Reviews" : "How reviews are checked";
      await page.getByRole("link", { name: elsewhere, exact: true }).click();
      await expect.poll(() => titleOf(page)).not.toBe(title);
      await expect(heading).not.toHaveText(text);
      await page.goBack();
      await expect.poll(() => titleOf(page)).toBe(title);
      await expect(heading).toHaveText(text);
      // The translator's language stays, too.
      await expect(page.locator("html")).toHaveAttribute("lang", "es");
    });
});

test("the list of tours: search, order and pages", async ({ page, open }) => {
  const word = unique();
  for (let n = 0; n < 3; n++)
    await makeTour({ title: `${word} ${n === 0 ? "castle" : "harbour"}` });
  await open("/");
  await translate(page);
  const field = page.getByRole("searchbox");
  const heading = page.getByRole("heading", { level: 1 });
  const searchFor = async (words: string) => {
    await field.fill(words);
    await field.press("Enter");
  };
  await expect(async () => {
    await searchFor(word);
    await expect(heading).toHaveText(`3 tours for ${word}`, { timeout: 2_000 });
  }).toPass();
  await expect(status(page)).toHaveText("3 tours");
  const other = unique();
  await searchFor(`${word} ${other}`);
  await expect(page.locator(".note")).toContainText(`None of these mentions “${other}”.`);
  await searchFor(other);
  await expect(page.getByRole("heading", { name: "No tour matches" })).toBeVisible();
  await searchFor("the");
  await expect(page.getByRole("heading", { level: 2 }).first()).toBeVisible();
  await page.getByRole("link", { name: "Show all" }).click();
  await expect(heading).toHaveText(/^Guided tours/);
  await expect(status(page)).toHaveText(/^\d+ tours$/);
  for (const order of ["Most reviewed", "Newest", "Best rated"])
    await page.getByRole("button", { name: order }).click();
  await expect(heading).toHaveText(/^Guided tours/);
});

test("a tour's reviews: more, filter and order", async ({ page, open }) => {
  const tour = await makeTour();
  await insertReviews(tour._id, 45, (n) => ({ rating: n < 30 ? 4 : 2 }));
  await rebuildRatings({ tourIds: [tour._id] });
  await open(`/tours/${tour.slug}`);
  await translate(page);
  for (const count of [20, 40, 45]) {
    await expect(status(page)).toHaveText(`Showing ${count} of 45 reviews`);
    // The reader goes on at the first new one.
    if (count > 20)
      await expect(page.getByRole("article").nth(count === 40 ? 20 : 40)).toBeFocused();
    if (count < 45) await page.getByRole("link", { name: "More reviews" }).click();
  }
  await page.getByRole("link", { name: "4 stars 67% 30 reviews" }).click();
  await expect(status(page)).toHaveText("Showing 20 of 30 reviews");
  await page.getByRole("link", { name: "2 stars 33% 15 reviews" }).click();
  await expect(page.getByText("Stars: 2 stars")).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(15);
  await page.getByRole("link", { name: "Show all 45 reviews" }).click();
  await expect(status(page)).toHaveText("Showing 20 of 45 reviews");
  await page.getByText("Order: Newest").click();
  await page.getByRole("link", { name: "Lowest" }).click();
  await expect(page).toHaveURL(/sort=lowest/);
  await expect(status(page)).toHaveText("Showing 20 of 45 reviews");
});

test("a review: refused, posted, edited and deleted", async ({ page, logIn, open }) => {
  const tour = await makeTour({ title: "Harbour" });
  await makeReview(await makeBookedExplorer(tour, { name: "Ben" }), tour, { rating: 4 });
  const ann = await makeBookedExplorer(tour, { name: "Ann" });
  await logIn(ann);
  await open(`/tours/${tour.slug}`);
  await translate(page);
  await page.getByRole("button", { name: "Post review" }).click();
  await expect(page.getByRole("radiogroup")).toHaveAccessibleDescription(/rating/i);
  await expect(star(page, 1)).toBeFocused();
  await star(page, 2).check();
  const comment = page.getByLabel("Comment");
  await comment.fill("Wet.");
  await expect(comment).toHaveAccessibleDescription("4 of 5,000 characters");
  await comment.fill("Windy.");
  await expect(comment).toHaveAccessibleDescription("6 of 5,000 characters");
  await page.getByRole("button", { name: "Post review" }).click();
  const mine = page.getByRole("article", { name: "Review by Ann" });
  await expect(mine).toContainText("Thank you, your review is live.");
  await expect(page.getByText("3.0 out of 5 (2 reviews)")).toBeVisible();
  await mine.getByRole("link", { name: "Edit your review" }).click();
  await star(page, 4).check();
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(notice(page)).toHaveText("Review updated successfully.");
  await expect(mine).toContainText("edited");
  await page.getByRole("link", { name: "Delete your review" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete my review" }).click();
  await expect(notice(page)).toHaveText("Review deleted successfully.");
  await expect(page.getByText("4.0 out of 5 (1 review)")).toBeVisible();
});

test("the forms of accounts, with their errors", async ({ page, logIn, open }) => {
  await open("/login");
  await translate(page);
  for (const word of ["wrong", "wrong again"]) {
    await page.getByLabel("E-mail address").fill("nobody@example.test");
    await page.getByLabel("Password").fill(word);
    await page.getByRole("button", { name: "Log in" }).click();
    await expect(page.getByRole("alert")).toBeFocused();
  }
  await page.getByRole("button", { name: "Forgotten your password?" }).click();
  await expect(page.getByRole("heading", { name: "Reset your password" })).toBeVisible();
  await page.getByLabel("E-mail address").fill("nobody@example.test");
  await page.getByRole("button", { name: "Send me the link" }).click();
  await expect(page.getByRole("status").filter({ hasText: "nobody@" })).toBeFocused();

  await logIn(await makeUser({ name: "Ann" }));
  await open("/me/account");
  await translate(page);
  const profile = page.getByRole("region", { name: "Profile" });
  await profile.getByLabel("Name").fill("");
  await profile.getByRole("button").click();
  await expect(profile.getByRole("alert")).toBeFocused();
  await profile.getByLabel("Name").fill("Bea");
  await profile.getByRole("button").click();
  await expect(page.getByRole("link", { name: "Account of Bea" })).toBeVisible();
  const tokens = page.getByRole("region", { name: "Access tokens" });
  for (const name of ["Laptop", "Phone"]) {
    await tokens.getByLabel("Name of a new token").fill(name);
    await tokens.getByLabel("Your password").fill(PASSWORD);
    await tokens.getByRole("button", { name: "Create token" }).click();
    await expect(tokens.getByRole("status")).toBeFocused();
    await expect(tokens.getByRole("button", { name: `Revoke the token ${name}` })).toBeVisible();
    // A text to be copied is never translated.
    await expect(tokens.locator("code font")).toHaveCount(0);
  }
  await tokens.getByRole("button", { name: "Revoke the token Laptop" }).click();
  await expect(notice(page)).toHaveText("The token “Laptop” is revoked.");
  await expect(tokens.getByRole("listitem")).toHaveCount(1);
});
