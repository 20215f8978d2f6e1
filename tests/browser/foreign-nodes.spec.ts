import type { Page } from "@playwright/test";
import { findUser, PAGES } from "./all-pages";
import { expect, scriptsReady, test, translate } from "./support";

// Elements that extensions and translators put into a page before its scripts arrive, and what somebody has typed until
// then.

test.describe.configure({ mode: "parallel" });

/** One page of each kind of form. */
const FORMS = [
  ...["tours", "tour, write a review", "log in", "finish sign-up", "account", "guide"],
  "review by a link",
];

/** Holds the page's scripts back until the returned function is called. */
async function holdScripts(page: Page): Promise<() => void> {
  let release = () => {};
  const promise = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/build/**/*.js", async (route) => {
    await promise;
    await route.continue();
  });
  return release;
}

const HTML = `<div class="foreign">Coupons!</div>`;

/** Around the part that React takes over: React does not look there. */
const AROUND = (html: string) => {
  document.documentElement.insertAdjacentHTML("afterbegin", html);
  document.head.insertAdjacentHTML("afterbegin", html);
  document.head.append(document.createElement("link"));
  document.body.insertAdjacentHTML("afterbegin", html);
  document.body.insertAdjacentHTML("beforeend", html);
  document.documentElement.classList.add("foreign-theme");
  document.body.setAttribute("data-foreign", "");
};

/**
 * Within that part, as password managers do: each field is wrapped and gets something beside it. A translator then
 * wraps all texts.
 */
const WITHIN = (html: string) => {
  document.querySelector("main")!.insertAdjacentHTML("afterbegin", html);
  for (const field of document.querySelectorAll("input, textarea, select")) {
    const wrapper = document.createElement("span");
    field.replaceWith(wrapper);
    wrapper.append(field);
    wrapper.insertAdjacentHTML("beforeend", html);
    field.setAttribute("data-foreign", "");
  }
};

/** Types, chooses and opens everything that can be used, and leaves the caret in the middle of the last text. */
async function useAll(page: Page): Promise<void> {
  // With the keyboard: an open menu may lie over the next one.
  for (const summary of await page.locator("main summary:visible").all())
    await summary.press("Enter");
  const texts = page.locator(
    "main :is(textarea, input:not([type=hidden], [type=radio], [type=checkbox], [readonly]))",
  );
  for (const [n, text] of (await texts.all()).entries()) {
    await text.fill("");
    await text.pressSequentially(`typed${n}`);
  }
  // With the keyboard: a click may miss while the page still moves.
  for (const choice of await page.locator("main :is([type=radio], [type=checkbox])").all())
    await choice.press("Space");
  for (const select of await page.locator("main select").all())
    await select.selectOption({ index: (await select.locator("option").count()) - 1 });
  if (await texts.count()) {
    await texts.last().focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Shift+ArrowLeft");
  }
}

/** The state of everything that can be used, and where the focus is. */
const stateOf = (page: Page) =>
  page.evaluate(() => {
    const elements = [...document.querySelectorAll("#site :is(input, textarea, select, details)")];
    return elements.map((element) => {
      const { name, value, checked, open, selectionStart, selectionEnd } =
        element as HTMLInputElement & HTMLDetailsElement;
      const focused = element === document.activeElement && { selectionStart, selectionEnd };
      return { name, value, checked, open, focused };
    });
  });

for (const where of ["around", "within"] as const)
  test.describe(`with foreign elements ${where} the page`, () => {
    test.use({ otherPage: where === "within" });

    test("all that was typed, chosen and opened stays", async ({ page, logIn }) => {
      test.slow();
      for (const name of FORMS)
        await test.step(name, async () => {
          const { as, path } = PAGES[name]!;
          await page.context().clearCookies();
          if (as) await logIn({ _id: await findUser(as) });
          const release = await holdScripts(page);
          await page.goto(await path(), { waitUntil: "commit" });
          await page.getByRole("contentinfo").waitFor();
          await page.evaluate(where === "around" ? AROUND : WITHIN, HTML);
          if (where === "within") await translate(page);
          await page.evaluate(() => {
            for (const element of document.querySelectorAll("link[rel=stylesheet], main"))
              Object.assign(element, { isFirst: true });
          });
          await useAll(page);
          const before = await stateOf(page);
          const isFirst = (selector: string) =>
            page.locator(selector).evaluate((element) => "isFirst" in element);

          release();
          await scriptsReady(page);
          expect(await stateOf(page)).toEqual(before);
          for (const one of ["head > title", "meta[name=description]", "main", "footer", "#site"])
            expect(await page.locator(one).count(), one).toBeLessThanOrEqual(1);
          await expect(page.locator("h1")).toHaveCount(1);
          // The styles never disappear, and foreign elements around the page do not make React render it again.
          expect(await isFirst("link[rel=stylesheet]")).toBe(true);
          const isOfReact = await page.evaluate(() => "__remixContext" in window);
          expect(await isFirst("main")).toBe(where === "around" || !isOfReact);
          await expect(page.locator("body > .foreign")).toHaveCount(where === "around" ? 2 : 0);
        });
    });
  });
