import { type Ground, GROUND_TEXTS, rulePath } from "~/ui/grounds";
import { ruleSections } from "~/moderation/figures/rules";
import { expect, NO_SCRIPTS, test } from "./support";

// The page of the rules, whose sections e-mails and other pages cite.

test("a decision leads to the rule of its ground", { tag: NO_SCRIPTS }, async ({ page }) => {
  for (const ground of Object.keys(GROUND_TEXTS) as Ground[]) {
    await page.goto(rulePath(ground));
    await expect(page.locator(`h2#${GROUND_TEXTS[ground].section}`), ground).toBeInViewport();
  }
});

test("the contents lead to every section, in their order", async ({ page, open }) => {
  await open("/about/reviews");
  const sections = ruleSections({ completedHere: true, contact: "", figures: false });
  const titles = Object.values(sections).map(({ title }) => title);
  await expect(page.locator("main h2")).toHaveText(titles);
  const contents = page.getByRole("navigation", { name: "Contents" });
  for (const title of titles) {
    await contents.getByRole("link", { name: title }).click();
    await expect(page.getByRole("heading", { name: title })).toBeInViewport();
  }
});
