import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { Types } from "mongoose";
import { WRONG_LOGIN } from "~/services/accounts/log-in.server";
import { EDIT_WINDOW_MS } from "~/services/limits";
import { Booking } from "../../models/booking";
import { Review } from "../../models/review";
import { Session } from "../../models/session";
import { Tour } from "../../models/tour";
import { User } from "../../models/user";
import {
  makeBooking,
  makeBookedExplorer,
  makeReview,
  makeTour,
  makeUser,
  PASSWORD,
} from "../support/factories";
import { expect, FORMS, notice, openMenu, PHONE, star, tabTo, test } from "./support";

// Accounts from the first visit to the deletion, and what explorers find at /me.

const NEW_PASSWORD = "nine green boats";
const HOUR_MS = 60 * 60 * 1_000;

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

test("a password is shown and hidden by a button, which needs scripts", async ({
  page,
  scripts,
  open,
}) => {
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
});

test.describe("logging in", () => {
  test(
    "a wrong password keeps the address, the right one leads back",
    { tag: PHONE },
    async ({ page }) => {
      const tour = await makeTour();
      const user = await makeUser({ name: "Lena" });
      await page.goto(`/tours/${tour.slug}?sort=highest`);
      await account(page).getByRole("link", { name: "Log in" }).click();
      await fillLogIn(page, user.email, "wrong");
      await expect(page.getByRole("alert")).toContainText(WRONG_LOGIN);
      await expect(page.getByRole("alert")).toBeFocused();
      await expect(email(page)).toHaveValue(user.email);

      await password(page).fill(PASSWORD);
      await button(page, "Log in").click();
      await expect(page).toHaveURL(`/tours/${tour.slug}?sort=highest`);
      await openMenu(page);
      await expect(account(page).getByRole("link", { name: "Lena" })).toBeVisible();
      // A user who is logged in is sent on.
      await page.goto("/login");
      await expect(page).toHaveURL("/");
    },
  );

  test(
    "an address with letters outside ASCII logs in",
    { tag: [PHONE, FORMS] },
    async ({ page }) => {
      const name = `zoë-${new Types.ObjectId().toString()}`;
      await makeUser({ name: "Zoë", email: `${name}@xn--bcher-kva.example` });
      await page.goto("/login");
      // What a phone chooses its keyboard by.
      await expect(email(page)).toHaveAttribute("inputmode", "email");
      await expect(email(page)).toHaveAttribute("autocapitalize", "none");
      await fillLogIn(page, `${name}@bücher.example`);
      await expect(page).toHaveURL("/");
      await openMenu(page);
      await expect(account(page).getByRole("link", { name: "Zoë" })).toBeVisible();
    },
  );

  test("works with the keyboard alone", async ({ page }) => {
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

  test("out ends it for good: the old cookie logs nobody in", async ({ page, context }) => {
    const user = await makeUser();
    await page.goto("/login?redirectTo=/me");
    await fillLogIn(page, user.email);
    await expect(page).toHaveURL("/me");
    const cookies = await context.cookies();
    expect(cookies).toEqual([
      expect.objectContaining({ name: "session", httpOnly: true, sameSite: "Lax" }),
    ]);

    await account(page).getByRole("button", { name: "Log out" }).click();
    await expect(page).toHaveURL("/");
    await expect(account(page).getByRole("link", { name: "Log in" })).toBeVisible();
    await context.addCookies(cookies);
    await page.goto("/me");
    await expect(page).toHaveURL("/login?redirectTo=%2Fme");
    await expect(account(page).getByRole("link", { name: "Log in" })).toBeVisible();
  });

  test("a page that needs one asks for it and comes back", async ({ page }) => {
    const user = await makeUser();
    for (const path of ["/me", "/guide/mail"]) {
      await page.context().clearCookies();
      await page.goto(path);
      await expect(page).toHaveURL(`/login?redirectTo=${encodeURIComponent(path)}`);
      await fillLogIn(page, user.email);
      await expect(page).toHaveURL(path);
    }
  });

  test("to download one's data leads to the page with the link", async ({ page }) => {
    const user = await makeUser();
    await page.goto("/me/data.json");
    await fillLogIn(page, user.email);
    await expect(page).toHaveURL("/me/account");
  });
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
    await expect(page.getByRole("heading", { name: "Write a review" })).toBeInViewport();
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

  test("say what state each one is in", async ({ page, logIn, open, scripts }) => {
    const user = await makeUser();
    const write = async (title: string, age: number, fields = {}) => {
      const tour = await makeTour({ title });
      await makeBooking(user, tour);
      await makeReview(user, tour, { createdAt: ago(age), ...fields });
      return tour;
    };
    await write("Fresh", HOUR_MS / 2);
    await write("Changed", 2.5 * HOUR_MS, { editedAt: ago(HOUR_MS), comment: "Better" });
    await write("Settled", EDIT_WINDOW_MS + HOUR_MS);
    const gone = await write("Gone", 3 * EDIT_WINDOW_MS);
    await Tour.deleteOne({ _id: gone._id });
    await logIn(user);
    await page.goto("/me");

    const mine = page.getByRole("region", { name: "Written by me" }).getByRole("listitem");
    await expect(mine.getByRole("heading")).toHaveText([
      "Fresh",
      "Changed",
      "Settled",
      "A former tour",
    ]);
    const [fresh, changed, settled, former] = [0, 1, 2, 3].map((index) => mine.nth(index));
    await expect(fresh!).toContainText(/You can edit this until (today|tomorrow), \d\d:\d\d UTC/);
    await expect(fresh!).not.toContainText("edited");
    await expect(changed!).toContainText("You can edit this until");
    await expect(changed!).toContainText("· edited");
    for (const closed of [settled!, former!]) {
      await expect(closed).not.toContainText("You can edit this");
      await expect(closed.getByRole("link", { name: /^Edit/ })).toHaveCount(0);
    }

    await changed!.getByRole("link", { name: "Edit your review of Changed" }).click();
    await expect(page.getByLabel("Comment")).toHaveValue("Better");
    await page.goto("/me");
    await changed!.getByRole("link", { name: "Public page of your review of Changed" }).click();
    await expect(page).toHaveURL(/\/reviews\/[0-9a-f]{24}$/);
    await expect(page.getByRole("article")).toContainText("Better");
    await open("/me");
    await former!.getByRole("link", { name: "Delete your review of A former tour" }).click();
    // The same question, in a dialog where scripts run.
    await expect(page.getByRole("dialog")).toHaveCount(scripts ? 1 : 0);
    await button(page, "Delete my review").click();
    await expect(page).toHaveURL("/me");
    await expect(notice(page)).toHaveText("Review deleted successfully.");
    await expect(mine).toHaveCount(3);
  });
});

test.describe("account", () => {
  const profile = (page: Page) => page.getByRole("region", { name: "Profile" });
  const passwords = (page: Page) => page.getByRole("region", { name: "Password" });
  const tokens = (page: Page) => page.getByRole("region", { name: "Access tokens" });
  const tokenPassword = (page: Page) => tokens(page).getByLabel("Your password");
  const nameField = (page: Page) => page.getByLabel("Name", { exact: true });

  test("a new name stands beside one's reviews", async ({ page, logIn }) => {
    const tour = await makeTour();
    const user = await makeBookedExplorer(tour, { name: "Ann" });
    await makeReview(user, tour);
    await logIn(user);
    // The list with the old name has been loaded already.
    await page.goto(`/tours/${tour.slug}`);
    await expect(page.getByRole("article", { name: "Review by Ann" })).toBeVisible();
    await account(page).getByRole("link", { name: "Ann" }).click();
    await nameField(page).fill(" Ann  Green ");
    await button(page, "Save profile").click();
    await expect(notice(page)).toHaveText("Your profile is saved.");
    await expect(nameField(page)).toHaveValue("Ann Green");
    await expect(account(page)).toContainText("Ann Green");
    await page.goto(`/tours/${tour.slug}`);
    await expect(page.getByRole("article", { name: "Review by Ann Green" })).toBeVisible();
  });

  test("a profile's errors are told at once, with the input kept", async ({ page, logIn }) => {
    const user = await makeUser({ name: "Ann" });
    await logIn(user);
    await page.goto("/me/account");
    await nameField(page).fill(" ");
    await page.getByLabel("Picture").fill("http://example.test/me.png");
    await button(page, "Save profile").click();
    const summary = profile(page).getByRole("alert");
    await expect(summary.getByRole("link")).toHaveText([
      "Enter your name.",
      "Enter an address that starts with https://, or leave this empty.",
    ]);
    await expect(summary).toBeFocused();
    await expect(page.getByRole("alert")).toHaveCount(1);
    await expect(page.getByLabel("Picture")).toHaveValue("http://example.test/me.png");
    await summary.getByRole("link", { name: "Enter an address" }).click();
    await expect(page.getByLabel("Picture")).toBeFocused();
    await expect(page.getByLabel("Picture")).toHaveValue("http://example.test/me.png");
    expect(await User.findById(user._id).lean()).toMatchObject({ name: "Ann", image: null });
  });

  test("a new password ends the log-ins elsewhere", async ({ page, logIn, browser }) => {
    const user = await makeUser();
    const elsewhere = await browser.newContext();
    const other = await elsewhere.newPage();
    await other.goto("/login?redirectTo=/me");
    await fillLogIn(other, user.email);
    await expect(other).toHaveURL("/me");

    await logIn(user);
    await page.goto("/me/account");
    await page.getByLabel("Current password").fill("wrong");
    await page.getByLabel("New password").fill(NEW_PASSWORD);
    await button(page, "Change password").click();
    await expect(passwords(page).getByRole("alert")).toContainText("The password is wrong.");
    await expect(page.getByLabel("Current password")).toHaveValue("");
    await expect(page.getByLabel("New password")).toHaveValue("");
    await page.getByLabel("Current password").fill(PASSWORD);
    await page.getByLabel("New password").fill(NEW_PASSWORD);
    await button(page, "Change password").click();
    await expect(notice(page)).toHaveText(
      "Your password is changed, and you are logged out everywhere else.",
    );

    await other.reload();
    await expect(other).toHaveURL("/login?redirectTo=%2Fme");
    await fillLogIn(other, user.email);
    await expect(other.getByRole("alert")).toContainText(WRONG_LOGIN);
    await fillLogIn(other, user.email, NEW_PASSWORD);
    await expect(other).toHaveURL("/me");
    await elsewhere.close();
    // The browser that changed it is still logged in.
    await page.reload();
    await expect(page).toHaveURL("/me/account");
  });

  test("a token is shown once, posts a review, and is nothing once revoked", async ({
    page,
    logIn,
    request,
    scripts,
  }) => {
    const [tour, next] = [await makeTour(), await makeTour()];
    const user = await makeBookedExplorer(tour, { name: "Tom" });
    await makeBooking(user, next);
    await logIn(user);
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
    const copy = shown.getByRole("button", { name: "Copy the token" });
    await expect(copy).toHaveCount(scripts ? 1 : 0);
    if (scripts) {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      // A window that loses the focus for a moment may not copy.
      await expect(async () => {
        await copy.click();
        await expect(shown).toContainText("Copied", { timeout: 1_000 });
      }).toPass();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
    }
    await expect(page.getByLabel("Name of a new token")).toHaveValue("");
    await expect(tokens(page).getByRole("listitem")).toContainText(
      /never used, valid until \d+ \w+ \d{4}/,
    );

    await page.goto("/me/account");
    await expect(page.getByText("Copy your new token now.")).toHaveCount(0);
    expect(await page.content()).not.toContain(token);

    const post = ({ _id }: typeof tour) =>
      request.post("/api/reviews", {
        headers: { Authorization: `Bearer ${token}` },
        data: { tourId: _id.toString(), rating: 4, comment: "By a program" },
      });
    expect((await post(tour)).status()).toBe(201);
    await page.goto("/me/account");
    await expect(tokens(page).getByRole("listitem")).toContainText("last used on");
    await button(page, "Revoke the token Laptop").click();
    await expect(notice(page)).toHaveText("The token “Laptop” is revoked.");
    await expect(tokens(page).getByRole("listitem")).toHaveCount(0);
    const refused = await post(next);
    expect(refused.status()).toBe(401);
    expect(await refused.json()).toEqual({ error: "Unauthorized" });
    expect(await Review.countDocuments({ userId: user._id })).toBe(1);
  });

  test("my data comes as one file, without what would let others in", async ({ page, logIn }) => {
    const tour = await makeTour();
    const user = await makeBookedExplorer(tour, { name: "Dana" });
    const review = await makeReview(user, tour, { rating: 3, comment: "Mine" });
    await makeReview(await makeBookedExplorer(tour), tour, { comment: "Somebody else's" });
    await logIn(user);
    await page.goto("/me/account");
    await page.getByLabel("Name of a new token").fill("Laptop");
    await tokenPassword(page).fill(PASSWORD);
    await button(page, "Create token").click();
    const token = await tokens(page).getByText(/^trv_/).innerText();

    const started = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download my data" }).click();
    const download = await started;
    expect(download.suggestedFilename()).toBe("tour-reviews.json");
    const text = await readFile(await download.path(), "utf8");
    expect(JSON.parse(text)).toMatchObject({
      profile: { id: user._id.toString(), name: "Dana", email: user.email, hasPassword: true },
      tours: [],
      bookings: [{ tourId: tour._id.toString(), status: "COMPLETED" }],
      reviews: [{ id: review._id.toString(), rating: 3, comment: "Mine" }],
      accessTokens: [{ name: "Laptop", lastUsedAt: null }],
      sessions: [{}],
    });
    expect(text).not.toMatch(/argon2|hash/i);
    expect(text).not.toContain(token);
    expect(text).not.toContain("Somebody else's");
  });

  test("deleting it asks for the password and takes the reviews along", async ({
    page,
    logIn,
    request,
  }) => {
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
    await button(page, "Delete my account").click();
    await expect(page.getByRole("alert").getByRole("link")).toHaveText(["Enter your password."]);
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
    await expect(page.getByRole("article")).toHaveCount(1);
    await expect(page.getByRole("article", { name: "Review by Stays" })).toBeVisible();
    expect(await (await request.get(`/api/tours/${tour._id.toString()}`)).json()).toMatchObject({
      tour: { avgRating: 5, reviewCount: 1 },
    });
    expect(await User.exists({ _id: user._id })).toBeNull();
    expect(await Session.exists({ userId: user._id })).toBeNull();
    // Bookings belong to the platform.
    expect(await Booking.exists({ userId: user._id })).not.toBeNull();
    await page.goto("/login");
    await fillLogIn(page, user.email);
    await expect(page.getByRole("alert")).toContainText(WRONG_LOGIN);
  });
});
