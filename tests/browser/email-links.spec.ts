import type { Page } from "@playwright/test";
import { User } from "#models/user";
import { mailsPath } from "../support/app";
import { makeTour, makeUser, PASSWORD } from "../support/factories";
import { expect, FORMS, notice, test } from "./support";

// The tasks that need a link in an e-mail, from the form to the captured e-mail and back. Another address, and the list
// of log-ins: tests/accounts/email-links.http.test.ts.

const NEW_PASSWORD = "nine green boats";

const email = (page: Page) => page.getByLabel("E-mail address", { exact: true });
const password = (page: Page) => page.getByLabel("Password");
const account = (page: Page) => page.getByRole("navigation", { name: "Account" });
const heading = (page: Page) => page.getByRole("heading", { level: 1 });
/** The button of the page itself: the navigation has one with the same name. */
const button = (page: Page, name: string) => page.getByRole("main").getByRole("button", { name });
const link = (page: Page, name: string) => page.getByRole("main").getByRole("link", { name });
const newAddress = () => `new-${Date.now()}-${Math.random().toString(36).slice(2)}@example.test`;

/** The message of a form that has sent an e-mail; it takes the focus. */
async function expectSent(page: Page, address: string): Promise<void> {
  const sent = page.getByRole("status").filter({ hasText: "Please check your e-mail." });
  await expect(sent).toContainText(`We have sent a message to ${address}.`);
  await expect(sent).toBeFocused();
}

/** Reads the captured e-mail of that subject to that address at /dev/mail; returns its text. */
async function readMail(page: Page, address: string, subject: string): Promise<string> {
  const mail = page.getByRole("listitem").filter({ hasText: `To ${address}, ` });
  await expect(async () => {
    await page.goto(mailsPath());
    await expect(mail.getByRole("link", { name: subject })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await mail.getByRole("link", { name: subject }).click();
  const text = page.locator("pre.mail-text");
  // The end of the page, because pages are streamed.
  await expect(text).toContainText(`This e-mail about an account went to ${address}.`);
  return text.innerText();
}

/** The path of the link to `/signup` or `/reset` in that e-mail. */
async function linkIn(page: Page, address: string, subject: string, to: "signup" | "reset") {
  const text = await readMail(page, address, subject);
  const url = new RegExp(`^http.*/${to}/[\\w-]{43}$`, "m").exec(text)?.[0];
  expect(text, "has the link on a line of its own").toMatch(url ?? /$never/);
  return new URL(url!).pathname;
}

async function logInAs(page: Page, address: string, word: string): Promise<void> {
  await email(page).fill(address);
  await password(page).fill(word);
  await button(page, "Log in").click();
}

test(
  "signing up from a tour's page leads back to it, logged in",
  { tag: FORMS },
  async ({ page }) => {
    const tour = await makeTour();
    await page.goto(mailsPath());
    await expect(page).toHaveURL("/dev/mail");
    await page.goto(`/tours/${tour.slug}`);
    await account(page).getByRole("link", { name: "Sign up" }).click();
    await expect(heading(page)).toHaveText("Sign up");
    // After a visit to the log-in page, the way back is still known.
    await link(page, "Log in").click();
    await link(page, "Sign up").click();
    await expect(heading(page)).toHaveText("Sign up");
    // The first address is wrong.
    const [wrong, address] = [newAddress(), newAddress()];
    await email(page).fill(wrong);
    await button(page, "Send me the link").click();
    await expectSent(page, wrong);
    await button(page, "Use another address").click();
    await expect(email(page)).toHaveValue(wrong);
    await email(page).fill(` ${address} `);
    await button(page, "Send me the link").click();
    await expectSent(page, address);
    expect(await User.exists({ email: address })).toBeNull();
    // The page itself links to the captured e-mails.
    await link(page, "read it here").click();
    await expect(heading(page)).toHaveText("Captured e-mails");

    await page.goto(await linkIn(page, address, "Finish your sign-up", "signup"));
    await expect(email(page)).toHaveValue(address);
    await page.getByLabel("Name", { exact: true }).fill("  Nora   North ");
    await password(page).fill(NEW_PASSWORD);
    await button(page, "Sign up").click();
    await expect(page).toHaveURL(`/tours/${tour.slug}`);
    await expect(notice(page)).toHaveText("Welcome, Nora North.");
    await expect(account(page).getByRole("link", { name: "Nora North" })).toBeVisible();
    expect(await User.findOne({ email: address }).lean()).toMatchObject({
      name: "Nora North",
      passwordHash: expect.stringMatching(/^\$argon2id\$/),
    });
  },
);

test(
  "a forgotten password is replaced by link, which ends every log-in",
  { tag: FORMS },
  async ({ page, logIn }) => {
    const user = await makeUser({ name: "Fergus" });
    await logIn(user);
    await page.goto("/me/account");
    await link(page, "Reset it by e-mail").click();
    await expect(heading(page)).toHaveText("Reset your password");
    await email(page).fill(user.email);
    await button(page, "Send me the link").click();
    await expectSent(page, user.email);
    const path = await linkIn(page, user.email, "Reset your password", "reset");
    await page.goto(path);
    await expect(email(page)).toHaveValue(user.email);
    await page.getByLabel("New password").fill("short");
    await button(page, "Change password").click();
    await expect(page.getByRole("alert").getByRole("link")).toHaveText([
      "Choose a password of at least 10 characters.",
    ]);
    await page.getByLabel("New password").fill(NEW_PASSWORD);
    await button(page, "Change password").click();
    await expect(page).toHaveURL("/login");
    await expect(notice(page)).toHaveText(
      "Your password is changed, and all log-ins have ended. Log in with the new one.",
    );
    await logInAs(page, user.email, PASSWORD);
    await expect(page.getByRole("alert")).toContainText("is wrong");
    await logInAs(page, user.email, NEW_PASSWORD);
    await expect(page).toHaveURL("/");
    await expect(account(page).getByRole("link", { name: "Fergus" })).toBeVisible();
    expect(await readMail(page, user.email, "Your password was changed")).toContain(
      "If that was not you",
    );

    // The link is used up, even in the form of a page that was left open.
    await page.goto(path);
    await expect(heading(page)).toHaveText("This link no longer works");
  },
);
