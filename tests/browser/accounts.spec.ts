import type { Page } from "@playwright/test";
import { Types } from "mongoose";
import { WRONG_LOGIN } from "~/accounts/log-in/log-in.server";
import { EDIT_WINDOW_MS } from "~/infra/review-limits";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import {
  makeBooking,
  makeBookedExplorer,
  makeReview,
  makeTour,
  makeUser,
  PASSWORD,
} from "../support/factories";
import { EITHER, expect, FORMS, notice, star, tabTo, test } from "./support";

// Accounts from the first visit to the deletion, and what explorers find at /me.

const ago = (ms: number) => new Date(Date.now() - ms);
const email = (page: Page) => page.getByLabel("E-mail address");
const password = (page: Page) => page.getByLabel("Password");
const account = (page: Page) => page.getByRole("navigation", { name: "Account" });
/** The button of the page itself: the navigation has one with the same name. */
const button = (page: Page, name: string) => page.getByRole("main").getByRole("button", { name });

async function fillLogIn(page: Page, address: string, word = PASSWORD): Promise<void> {
  await email(page).fill(address);
  await password(page).fill(word);
  await button(page, "Log in").click();
}

test(
  "a password is shown and hidden by a button, which needs scripts",
  { tag: EITHER },
  async ({ page, scripts, open }) => {
    await open("/login");
    const show = button(page, "Show password");
    await expect(show).toHaveCount(scripts ? 1 : 0);
    await expect(password(page)).toHaveAttribute("type", "password");
    if (!scripts) return;
    await email(page).fill("nobody@example.test");
    await password(page).fill("seven blue boats");
    await show.click();
    await expect(password(page)).toHaveAttribute("type", "text");
    await expect(password(page)).toHaveValue("seven blue boats");
    await button(page, "Hide password").click();
    await expect(password(page)).toHaveAttribute("type", "password");
    await show.click();
    // What is sent is a password again.
    await password(page).press("Enter");
    await expect(page.getByRole("alert")).toContainText(WRONG_LOGIN);
    await expect(password(page)).toHaveAttribute("type", "password");
  },
);

test(
  "a wrong password keeps the address, the right one leads back",
  { tag: FORMS },
  async ({ page }) => {
    const tour = await makeTour();
    // With letters that browsers accept in no field of type "email".
    const name = `zoë-${new Types.ObjectId().toString()}`;
    await makeUser({ name: "Zoë", email: `${name}@xn--bcher-kva.example` });
    const address = `${name}@bücher.example`;
    await page.goto(`/tours/${tour.slug}?sort=highest`);
    await account(page).getByRole("link", { name: "Log in" }).click();
    await fillLogIn(page, address, "wrong");
    await expect(page.getByRole("alert")).toContainText(WRONG_LOGIN);
    await expect(page.getByRole("alert")).toBeFocused();
    await expect(email(page)).toHaveValue(address);
    // What a phone chooses its keyboard by.
    await expect(email(page)).toHaveAttribute("inputmode", "email");
    await expect(email(page)).toHaveAttribute("autocapitalize", "none");

    await password(page).fill(PASSWORD);
    await button(page, "Log in").click();
    await expect(page).toHaveURL(`/tours/${tour.slug}?sort=highest`);
    await expect(account(page).getByRole("link", { name: "Zoë" })).toBeVisible();
    // A user who is logged in is sent on.
    await page.goto("/login");
    await expect(page).toHaveURL("/");
  },
);

test("logging in and out works with the keyboard alone", async ({ page }) => {
  const user = await makeUser({ name: "Kay" });
  await page.goto("/login?redirectTo=/me");
  await tabTo(page, email(page));
  await page.keyboard.type(user.email);
  await page.keyboard.press("Tab");
  await expect(password(page)).toBeFocused();
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("My reviews");
  await tabTo(page, account(page).getByRole("button", { name: "Log out" }));
  await page.keyboard.press("Enter");
  await expect(account(page).getByRole("link", { name: "Log in" })).toBeVisible();
});

test.describe("my reviews", () => {
  test("a tour that waits leads to its form, and the review shows up", async ({ page, logIn }) => {
    const [tour, other] = [await makeTour({ title: "Old Walls" }), await makeTour()];
    const user = await makeUser();
    await makeBooking(user, tour, { date: new Date("2026-05-04T09:00:00Z") });
    await makeBooking(user, other, { status: "CONFIRMED" });
    await logIn(user);
    await page.goto("/me");
    const waiting = page.getByRole("region", { name: "Waiting for your review" });
    await expect(waiting.getByRole("listitem")).toHaveCount(1);
    await expect(waiting).toContainText("You took this tour on Monday 4 May 2026, 09:00 UTC");
    await expect(page.getByText("You have not reviewed a tour yet.")).toBeVisible();

    await waiting.getByRole("link", { name: "Write a review of Old Walls" }).click();
    await expect(page).toHaveURL(`/tours/${tour.slug}#write`);
    await star(page, 5).check();
    await page.getByLabel("Comment").fill("High up.\nWindy.");
    await button(page, "Post review").click();
    await expect(notice(page)).toContainText("Thank you. Yours is the");

    await account(page).getByRole("link", { name: "My reviews" }).click();
    const mine = page.getByRole("region", { name: "Written by me" }).getByRole("listitem");
    await expect(mine).toHaveCount(1);
    await expect(mine).toContainText("Old Walls");
    await expect(mine).toContainText("5 out of 5 stars");
    await expect(mine.getByText("High up.")).toHaveText("High up.\nWindy.");
    await expect(waiting).toHaveCount(0);
  });

  test("lead to their pages, and one of a tour that is gone is deleted", async ({
    page,
    logIn,
    open,
  }) => {
    const user = await makeUser();
    const [changed, gone] = [await makeTour({ title: "Changed" }), await makeTour()];
    await makeReview(user, changed, { editedAt: new Date(), comment: "Better" });
    await makeReview(user, gone, { createdAt: ago(3 * EDIT_WINDOW_MS) });
    await Tour.deleteOne({ _id: gone._id });
    await logIn(user);
    await page.goto("/me");
    const mine = page.getByRole("region", { name: "Written by me" }).getByRole("listitem");
    await expect(mine.getByRole("heading")).toHaveText(["Changed", "A former tour"]);
    await expect(mine.first()).toContainText("· edited");
    await mine.getByRole("link", { name: "Edit your review of Changed" }).click();
    await expect(page.getByLabel("Comment")).toHaveValue("Better");
    await page.goto("/me");
    await mine.getByRole("link", { name: "Public page of your review of Changed" }).click();
    await expect(page.getByRole("article")).toContainText("Better");
    await open("/me");
    await mine.getByRole("link", { name: "Delete your review of A former tour" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete my review" }).click();
    await expect(page).toHaveURL("/me");
    await expect(notice(page)).toHaveText("Review deleted successfully.");
    await expect(mine).toHaveCount(1);
  });
});

test.describe("account", () => {
  const profile = (page: Page) => page.getByRole("region", { name: "Profile" });
  const tokens = (page: Page) => page.getByRole("region", { name: "Access tokens" });
  const tokenPassword = (page: Page) => tokens(page).getByLabel("Your password");
  const nameField = (page: Page) => page.getByLabel("Name", { exact: true });

  test("a profile's errors are told at once, with the input kept", async ({ page, logIn }) => {
    await logIn(await makeUser({ name: "Ann" }));
    await page.goto("/me/account");
    await nameField(page).fill(" ");
    const picture = page.getByLabel("Picture");
    await picture.fill("http://example.test/me.png");
    await button(page, "Save profile").click();
    const summary = profile(page).getByRole("alert");
    await expect(summary.getByRole("link")).toHaveText([
      "Enter your name.",
      "Enter an address that starts with https://, or leave this empty.",
    ]);
    await expect(summary).toBeFocused();
    await expect(page).toHaveTitle("Error: Account · Tour Reviews");
    await summary.getByRole("link", { name: "Enter an address" }).click();
    await expect(picture).toBeFocused();
    await expect(picture).toHaveValue("http://example.test/me.png");
    await picture.fill("");
    await nameField(page).fill("Ann Green");
    await button(page, "Save profile").click();
    await expect(notice(page)).toHaveText("Your profile is saved.");
    await expect(page).toHaveTitle("Account · Tour Reviews");
  });

  test("a token is shown once, and revoked", async ({ page, logIn }) => {
    await logIn(await makeUser({ name: "Tom" }));
    await page.goto("/me/account");
    await button(page, "Create token").click();
    await expect(tokens(page).getByRole("alert").getByRole("link")).toHaveText([
      "Enter a name for the token.",
      "Enter your current password.",
    ]);
    await page.getByLabel("Name of a new token").fill("Laptop");
    await page.getByLabel("Valid for").selectOption("A year");
    await tokenPassword(page).fill("wrong one 12");
    await button(page, "Create token").click();
    await expect(tokens(page).getByRole("alert")).toContainText("The password is wrong.");
    await expect(page.getByLabel("Name of a new token")).toHaveValue("Laptop");
    await expect(page.getByLabel("Valid for")).toHaveValue("365");
    await tokenPassword(page).fill(PASSWORD);
    await button(page, "Create token").click();
    const shown = tokens(page).getByRole("status");
    await expect(shown).toContainText("Copy your new token now.");
    await expect(shown).toBeFocused();
    const token = await shown.getByText(/^trv_/).innerText();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    // A window that loses the focus for a moment may not copy.
    await expect(async () => {
      await shown.getByRole("button", { name: "Copy the token" }).click();
      await expect(shown).toContainText("Copied", { timeout: 1_000 });
    }).toPass();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
    await expect(page.getByLabel("Name of a new token")).toHaveValue("");
    await expect(tokens(page).getByRole("listitem")).toContainText(
      /never used, valid until \d+ \w+ \d{4}/,
    );

    await page.goto("/me/account");
    await expect(page.getByText("Copy your new token now.")).toHaveCount(0);
    expect(await page.content()).not.toContain(token);

    await button(page, "Revoke the token Laptop").click();
    await expect(notice(page)).toHaveText("The token “Laptop” is revoked.");
    await expect(tokens(page).getByRole("listitem")).toHaveCount(0);
  });

  test("deleting it asks for the password and takes the reviews along", async ({ page, logIn }) => {
    const tour = await makeTour();
    const user = await makeBookedExplorer(tour, { name: "Gone Girl" });
    await makeReview(user, tour, { rating: 1 });
    await makeReview(await makeBookedExplorer(tour, { name: "Stays" }), tour, { rating: 5 });
    await logIn(user);
    await page.goto("/me/account");
    await page.getByRole("link", { name: "Delete my account" }).click();
    await expect(
      page.getByText("Your 1 review and the e-mails about it are deleted"),
    ).toBeVisible();
    await expect(
      page.getByRole("main").locator("form").locator("a, button[type=submit]"),
    ).toHaveText(["Keep my account", "Delete my account"]);
    await page.getByLabel("Your password").fill("wrong");
    await button(page, "Delete my account").click();
    await expect(page.getByRole("alert").getByRole("link")).toHaveText(["The password is wrong."]);
    await expect(page.getByRole("alert")).toBeFocused();
    expect(await Review.countDocuments({ tourId: tour._id })).toBe(2);

    await page.getByLabel("Your password").fill(PASSWORD);
    await button(page, "Delete my account").click();
    await expect(page).toHaveURL("/");
    await expect(notice(page)).toContainText("Your account is deleted.");
    await expect(account(page).getByRole("link", { name: "Log in" })).toBeVisible();

    // The worker deletes the reviews a moment later.
    await expect
      .poll(() => Review.countDocuments({ userId: user._id }), { timeout: 30_000 })
      .toBe(0);
    await page.goto(`/tours/${tour.slug}`);
    await expect(page.getByText("5.0 out of 5 (1 review)")).toBeVisible();
    await expect(page.getByRole("article", { name: "Review by Stays" })).toBeVisible();
    await page.goto("/login");
    await fillLogIn(page, user.email);
    await expect(page.getByRole("alert")).toContainText(WRONG_LOGIN);
  });
});
