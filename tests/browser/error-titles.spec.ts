import { makeBookedExplorer, makeReview, makeTour, makeUser, PASSWORD } from "../support/factories";
import { expect, star, test } from "./support";

// Which pages and forms have such a title is in tests/http/error-titles.test.ts. Here: the title changes with and
// without scripts.

test("a refused log-in begins the title with the error, and the next page does not", async ({
  page,
}) => {
  const { email } = await makeUser();
  await page.goto("/login?redirectTo=/me/account");
  await expect(page).toHaveTitle("Log in · Tour Reviews");
  await page.getByLabel("E-mail address").fill(email);
  for (const wrong of ["wrong once", "wrong twice"]) {
    await page.getByLabel("Password").fill(wrong);
    await page.getByRole("button", { name: "Log in" }).click();
    await expect(page.getByRole("alert")).toBeFocused();
    await expect(page).toHaveTitle("Error: Log in · Tour Reviews");
  }
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page).toHaveTitle("Account · Tour Reviews");
});

test("a form that stays on its page has the plain title again once it is right", async ({
  page,
  logIn,
}) => {
  await logIn(await makeUser());
  await page.goto("/me/account");
  const save = async (name: string) => {
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByRole("button", { name: "Save profile" }).click();
  };
  await save(" ");
  await expect(page).toHaveTitle("Error: Account · Tour Reviews");
  await save("Ann");
  await expect(page.getByText("Your profile is saved.")).toBeVisible();
  await expect(page).toHaveTitle("Account · Tour Reviews");
});

test("a review that came too late says so in the title", async ({ page, logIn }) => {
  const tour = await makeTour({ title: "Old Walls" });
  const guest = await makeBookedExplorer(tour);
  await logIn(guest);
  await page.goto(`/tours/${tour.slug}`);
  // Changed by another tab, in the meantime.
  await makeReview(guest, tour, { rating: 2 });
  await star(page, 5).check();
  await page.getByRole("button", { name: "Post review" }).click();
  await expect(page.getByText("You have already reviewed this tour")).toBeVisible();
  await expect(page).toHaveTitle("Error: Old Walls · Tour Reviews");
  await page.getByRole("link", { name: "Tour Reviews", exact: true }).click();
  await expect(page).toHaveTitle(/^Guided tours and their reviews/);
});

test("an error's page has it, and the page behind it does not, whose own title may begin alike", async ({
  page,
}) => {
  const tour = await makeTour({ title: "Error: a walk" });
  await page.goto(`/tours/${tour.slug}`);
  await expect(page).toHaveTitle("Error: a walk · Tour Reviews");
  await page.goto("/no-such-page");
  await expect(page).toHaveTitle("Error: Page not found · Tour Reviews");
  await page.getByRole("link", { name: "See all tours" }).click();
  await expect(page).toHaveTitle(/^Guided tours and their reviews/);
});
