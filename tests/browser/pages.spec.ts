import AxeBuilder from "@axe-core/playwright";
import { expect, test, type Page } from "@playwright/test";
import { DEMO_PASSWORD, demoLogins } from "../../scripts/demo/index";

const explorer = demoLogins[0]!.email;

async function logIn(page: Page, password = DEMO_PASSWORD): Promise<void> {
  await page.getByLabel("E-mail address").fill(explorer);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
}

// A page that the policy or a script breaks says so in the console.
test.beforeEach(({ page }) => {
  page.on("console", (message) => {
    if (message.type() === "error" && !/status of 4\d\d/.test(message.text()))
      throw new Error(`Console: ${message.text()}`);
  });
  page.on("pageerror", (error) => {
    throw error;
  });
});

test("a visitor finds a tour and reads its reviews", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Tours");
  const tour = page.getByRole("main").getByRole("listitem").first();
  const title = await tour.getByRole("heading").innerText();
  await tour.getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  await expect(page.getByRole("heading", { name: "Reviews" })).toBeVisible();
  expect(await page.getByRole("main").getByRole("listitem").count()).toBeGreaterThan(50);
});

test("an explorer logs in, comes back to the tour, and logs out", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("main").getByRole("link").first().click();
  await page.waitForURL(/\/tours\//);
  const tour = page.url();
  await page.getByRole("link", { name: "Log in" }).click();
  await logIn(page);
  await page.waitForURL(tour);
  await page.getByRole("button", { name: "Log out" }).click();
  await expect(page.getByRole("link", { name: "Log in" })).toBeVisible();
});

test("a wrong password shows the form again, with the address still in it", async ({ page }) => {
  await page.goto("/login");
  await logIn(page, "not the password");
  await expect(page.getByRole("alert")).toHaveText("The e-mail address or the password is wrong.");
  await expect(page.getByLabel("E-mail address")).toHaveValue(explorer);
  // Each run leaves the account as it found it.
  await logIn(page);
  await expect(page.getByRole("button", { name: "Log out" })).toBeVisible();
});

test("an unknown address has the site's own page", async ({ page }) => {
  const response = await page.goto("/tours/no-such-tour");
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("There is nothing here");
});

test("pages have no accessibility violation, light and dark", async ({ page }, { project }) => {
  test.skip(project.use.javaScriptEnabled === false, "axe is a script");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const path of ["/", "/login", "/no-such-page", "/dev/mail"]) {
      await page.goto(path);
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations, `${path} ${colorScheme}`).toEqual([]);
    }
    await page.goto("/");
    await page.getByRole("main").getByRole("link").first().click();
    await page.waitForURL(/\/tours\//);
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  }
});
