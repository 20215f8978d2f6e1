import puppeteer, { type Page } from "puppeteer-core";
import { Review } from "#models/review";
import { Session } from "#models/session";
import { systemFirefox } from "../../scripts/lib/browsers";
import { makeBookedExplorer, makeTour, PASSWORD } from "../support/factories";
import { expect, test as base } from "./support";

// Playwright drives a Firefox of its own build, which no package has, or one that knows commands of WebDriver BiDi which
// Debian's does not know. Puppeteer drives Debian's.

const executablePath = systemFirefox();

/** A page in a Firefox with a new profile; its test fails when a page logs an error or throws. */
const test = base.extend<{ firefox: Page }>({
  firefox: async ({}, use) => {
    const browser = await puppeteer.launch({
      browser: "firefox",
      executablePath: executablePath!,
      extraPrefsFirefox: { "ui.prefersReducedMotion": 1 },
    });
    try {
      const page = await browser.newPage();
      const problems: string[] = [];
      page.on("pageerror", (error) => problems.push(String(error)));
      page.on("console", (message) => {
        if (message.type() === "error") problems.push(message.text());
      });
      await use(page);
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
    }
  },
});

test.skip(!executablePath, "There is no Firefox to run it");

// Between two pages nothing can run.

/** The text of each visible element with that selector. */
const texts = (page: Page, selector: string) =>
  page
    .evaluate(
      (selector) =>
        [...document.querySelectorAll(selector)]
          .filter((element) => element.checkVisibility())
          .map(({ textContent }) => textContent),
      selector,
    )
    .catch(() => []);

const expectText = (page: Page, selector: string, text: string) =>
  expect.poll(() => texts(page, selector)).toContainEqual(expect.stringContaining(text));

/** The value of the field that has the focus, or else its text. */
const focused = (page: Page) =>
  page
    .evaluate(() => {
      const element = document.activeElement;
      return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
        ? element.value
        : element?.textContent;
    })
    .catch(() => undefined);

/**
 * Gives the focus to the first visible element with that selector and text, once it is there and the page is complete:
 * before that, an address with a fragment can take the focus away.
 */
const focus = (page: Page, selector: string, text = "") =>
  expect
    .poll(() =>
      page
        .evaluate(
          (selector, text) => {
            const element = [...document.querySelectorAll<HTMLElement>(selector)].find(
              (element) => element.checkVisibility() && element.textContent.includes(text),
            );
            if (document.readyState !== "complete") return false;
            element?.focus();
            return element !== undefined && document.activeElement === element;
          },
          selector,
          text,
        )
        .catch(() => false),
    )
    .toBe(true);

async function press(page: Page, selector: string, text: string): Promise<void> {
  await focus(page, selector, text);
  await page.keyboard.press("Enter");
}

async function type(page: Page, selector: string, text: string): Promise<void> {
  await focus(page, selector);
  await page.keyboard.down("Control");
  await page.keyboard.press("a");
  await page.keyboard.up("Control");
  await page.keyboard.type(text);
}

/** Clicks on that star, which covers its radio. */
async function clickStar(page: Page, stars: number): Promise<void> {
  await focus(page, `[name=rating][value="${stars}"]`);
  const [x, y] = await page.evaluate((stars) => {
    const label = document.querySelector(`[name=rating][value="${stars}"]`)!.closest("label")!;
    const { left, top, width, height } = label.getBoundingClientRect();
    return [left + width / 2, top + height / 2] as const;
  }, stars);
  await page.mouse.click(x, y);
}

/** The stars and the comment in the form. */
const written = (page: Page) =>
  page
    .evaluate(() => [
      document.querySelector<HTMLInputElement>("[name=rating]:checked")?.value,
      document.querySelector<HTMLTextAreaElement>("[name=comment]")?.value,
    ])
    .catch(() => []);

async function open(page: Page, address: string): Promise<void> {
  await page.goto(process.env.APP_URL + address);
  await expect
    .poll(() => page.evaluate(() => "ready" in document.documentElement.dataset))
    .toBe(true);
}

test("in Firefox an explorer logs in, posts a review, edits and deletes it", async ({
  firefox: page,
}) => {
  const tour = await makeTour();
  const ann = await makeBookedExplorer(tour, { name: "Ann" });
  const path = `/tours/${tour.slug}`;
  const review = `article[aria-label="Review by Ann"]`;
  const logIn = async (password: string) => {
    await type(page, "main [name=email]", ann.email);
    await type(page, "main [name=password]", password);
    await page.keyboard.press("Enter");
  };

  await open(page, path);
  await press(page, "main a", "Log in");
  await logIn("wrong");
  await expectText(page, "[role=alert]", "password is wrong");
  await expect.poll(() => focused(page)).toContain("password is wrong");
  await logIn(PASSWORD);

  // Without stars the browser does not send the form.
  await type(page, "[name=comment]", "Two hours on the water.");
  await press(page, "button", "Post review");
  await expectText(page, "#rating-error", "Choose a rating");
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("rating");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  expect(await written(page)).toEqual(["3", "Two hours on the water."]);
  await open(page, "/");
  await open(page, path);
  await expectText(page, "[role=status]", "Your draft is back.");
  expect(await written(page)).toEqual(["3", "Two hours on the water."]);
  // The session has ended: the form goes with the visitor through the log-in.
  await Session.deleteMany({ userId: ann._id });
  await press(page, "button", "Post review");
  await expectText(page, "[role=status]", "You were logged out.");
  await logIn(PASSWORD);
  await expect.poll(() => written(page)).toEqual(["3", "Two hours on the water."]);
  await press(page, "button", "Post review");
  await expectText(page, "[role=status]", "Thank you, your review is live.");
  await expectText(page, review, "3 out of 5 stars");
  const stored = () =>
    Review.findOne({ tourId: tour._id }, { rating: 1, comment: 1, _id: 0 }).lean();
  expect(await stored()).toEqual({ rating: 3, comment: "Two hours on the water." });

  await press(page, `${review} a`, "Edit");
  await expect.poll(() => written(page)).toEqual(["3", "Two hours on the water."]);
  await clickStar(page, 5);
  await type(page, "[name=comment]", "Three hours.");
  expect(await written(page)).toEqual(["5", "Three hours."]);
  await press(page, "button", "Save changes");
  await expectText(page, "[role=status]", "Review updated successfully.");
  await expectText(page, review, "5 out of 5 stars");
  expect(await stored()).toEqual({ rating: 5, comment: "Three hours." });

  await press(page, `${review} a`, "Delete");
  await expectText(page, "dialog", "Delete your review?");
  await page.keyboard.press("Escape");
  await expect.poll(() => texts(page, "dialog")).toEqual([]);
  await press(page, `${review} a`, "Delete");
  await press(page, "button", "Delete my review");
  await expectText(page, "[role=status]", "Review deleted successfully.");
  expect(await texts(page, review)).toEqual([]);
  expect(await stored()).toBeNull();
});
