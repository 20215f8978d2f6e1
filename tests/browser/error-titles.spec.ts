import { makeUser } from "../support/factories";
import { expect, test } from "./support";

// Which pages and forms have such a title is in tests/http/error-titles.test.ts. Here: the title changes with and
// without scripts.

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
