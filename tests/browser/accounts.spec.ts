import type { Page } from "@playwright/test";
import { Types } from "mongoose";
import { accountTexts } from "~/accounts/refusal-texts";
import { makeTour, makeUser, PASSWORD } from "../support/factories";
import { EITHER, expect, FORMS, tabTo, test } from "./support";

// Logging in and out, and access tokens. The other forms of an account: tests/accounts/account.http.test.ts.

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
    // The field is a password again when it is sent.
    await password(page).press("Enter");
    await expect(page.getByRole("alert")).toContainText(accountTexts.wrongLogin);
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
    await expect(page.getByRole("alert")).toContainText(accountTexts.wrongLogin);
    await expect(page.getByRole("alert")).toBeFocused();
    await expect(email(page)).toHaveValue(address);
    // A phone chooses its keyboard by this.
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
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your reviews");
  await tabTo(page, account(page).getByRole("button", { name: "Log out" }));
  await page.keyboard.press("Enter");
  await expect(account(page).getByRole("link", { name: "Log in" })).toBeVisible();
});

test("a new token is copied by a button, and is gone with its page", async ({ page, logIn }) => {
  await logIn(await makeUser({ name: "Tom" }));
  await page.goto("/me/account");
  const tokens = page.getByRole("region", { name: "Access tokens" });
  await tokens.getByLabel("Name of a new token").fill("Laptop");
  await tokens.getByLabel("Your password").fill(PASSWORD);
  await button(page, "Create token").click();
  const shown = tokens.getByRole("status");
  const token = await shown.getByText(/^trv_/).innerText();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  // A window that loses the focus for a moment may not copy.
  await expect(async () => {
    await shown.getByRole("button", { name: "Copy the token" }).click();
    await expect(shown).toContainText("Copied", { timeout: 1_000 });
  }).toPass();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
  await expect(tokens.getByRole("listitem")).toContainText("never used, valid until");
  await page.goto("/me/account");
  expect(await page.content()).not.toContain(token);
});

test(
  "the account's forms are in groups, of which the developers' is the last",
  { tag: FORMS },
  async ({ page, logIn }) => {
    await logIn(await makeUser());
    await page.goto("/me/account");
    const groups = ["Profile", "Log-in", "E-mails", "Data", "For developers"];
    await expect(page.getByRole("heading", { level: 2 })).toHaveText(groups);
    const list = page.getByRole("navigation", { name: "On this page" });
    await expect(list.getByRole("link")).toHaveText(groups);
    await list.getByRole("link", { name: "For developers" }).click();
    await expect(page.getByRole("heading", { name: "For developers" })).toBeInViewport();
    await expect(page.getByRole("region", { name: "Access tokens" })).toBeInViewport();
  },
);
