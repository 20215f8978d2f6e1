import { randomBytes } from "node:crypto";
import AxeBuilder from "@axe-core/playwright";
import {
  test as base,
  expect,
  type BrowserContext,
  type Locator,
  type Page,
} from "@playwright/test";
import mongoose, { type Types } from "mongoose";
import { connectDatabase, disconnectDatabase } from "~/db/database.server";
import { startSession } from "~/server/session.server";
import { RateLimitCount } from "#models/rate-limit";
import type { ReviewDocument } from "#models/review";
import type { TourDocument } from "#models/tour";
import type { UserDocument } from "#models/user";
import { makeBookedExplorer, makeReview, makeTour, provenUser } from "../support/factories";
import { confirmOperator } from "../support/app";

// Unmarked tests run in a desktop's browser with scripts.

/** Marks tests that also run on phones: where a phone has another layout. */
export const PHONE = "@phone";
/** Marks tests of pages, not of what scripts do: they run only without scripts, which is faster. */
export const NO_SCRIPTS = "@no-scripts";
/** Marks tests that run with scripts and without. */
export const EITHER = "@either";
/** Marks the journeys through a form that run with scripts and without, also in `npm test`. */
export const FORMS = "@forms";

interface Fixtures {
  /** Logs this test's browser in, by making a session instead of walking through the form. */
  logIn: (user: Pick<UserDocument, "_id">) => Promise<void>;
  /** Opens that address and waits until the page's scripts, if they run, respond to input. */
  open: (address: string) => Promise<void>;
  /** Makes a tour and an explorer who may review it, logs the explorer in, and opens the tour's page. */
  openToReview: (
    fields?: Partial<UserDocument>,
  ) => Promise<{ tour: TourDocument; explorer: UserDocument }>;
  /** Makes a review by Ann, and logs her in; returns the path of its page, too. */
  ownReview: (fields?: Partial<ReviewDocument>) => Promise<{
    tour: TourDocument;
    explorer: UserDocument;
    review: ReviewDocument;
    path: string;
  }>;
  /** Whether scripts run in this project. */
  scripts: boolean;
  /** Whether React reports that the page differs from the one that the server has sent. */
  otherPage: boolean;
  /** Begins what a network may do anew: all tests come from one, and a second try of a test counts, too. */
  networkLimits: void;
}

/** Takes away what browsers have that are newer than those that are promised (docs/rules/pages.md, Browsers). */
export function takeAwayNewFunctions(): void {
  for (const [owner, names] of [
    [AbortSignal, ["any"]],
    [Array, ["fromAsync"]],
    [Intl, ["DurationFormat", "Segmenter"]],
    [Map, ["groupBy"]],
    [Object, ["groupBy"]],
    [Promise, ["try", "withResolvers"]],
    [RegExp, ["escape"]],
    [URL, ["canParse", "parse"]],
    [Set.prototype, ["difference", "intersection", "isDisjointFrom", "isSubsetOf"]],
    [Set.prototype, ["isSupersetOf", "symmetricDifference", "union"]],
    [window, ["Iterator", "URLPattern", "navigation"]],
  ] as [object, string[]][])
    for (const name of names) Reflect.deleteProperty(owner, name);
}

/**
 * Playwright's `test` for the built site: it is connected to the site's database, and fails when a page logs an
 * error, violates its policy or throws.
 */
export const test = base.extend<Fixtures, { database: typeof mongoose }>({
  database: [
    async ({}, use) => {
      await connectDatabase(process.env.MONGODB_URI!);
      await use(mongoose);
      await disconnectDatabase();
    },
    { scope: "worker", auto: true },
  ],
  scripts: ({ javaScriptEnabled }, use) => use(javaScriptEnabled !== false),
  open: ({ page, scripts }, use) =>
    use(async (address) => {
      await page.goto(address);
      if (scripts) await scriptsReady(page);
    }),
  openToReview: ({ logIn, open }, use) =>
    use(async (fields) => {
      const tour = await makeTour();
      const explorer = await makeBookedExplorer(tour, fields);
      await logIn(explorer);
      await open(`/tours/${tour.slug}`);
      return { tour, explorer };
    }),
  ownReview: ({ logIn }, use) =>
    use(async (fields) => {
      const tour = await makeTour();
      const explorer = await makeBookedExplorer(tour, { name: "Ann" });
      const review = await makeReview(explorer, tour, { rating: 2, comment: "Meh", ...fields });
      await logIn(explorer);
      return { tour, explorer, review, path: `/reviews/${review._id.toString()}` };
    }),
  otherPage: [false, { option: true }],
  networkLimits: [
    async ({}, use) => {
      // By $regex: by a regular expression as a value the embedded database finds nothing in an index.
      await RateLimitCount.deleteMany({ key: { $regex: "^(report|link)-network" } });
      await use();
    },
    { auto: true },
  ],
  logIn: ({ context }, use) => use((user) => logIn(context, user._id)),
  page: async ({ page, otherPage }, use, { project }) => {
    if (project.metadata.oldest) await page.addInitScript(takeAwayNewFunctions);
    const problems: string[] = [];
    const note = (problem: string) => {
      if (!otherPage || !OTHER_PAGE.test(problem)) problems.push(`${page.url()}: ${problem}`);
    };
    page.on("console", (message) => {
      // A page that answers 4xx is what some tests ask for, and having no connection, too; Remix logs that a page was
      // left while its data arrived; and the lists of all tours show the pictures of another test.
      const wanted =
        /status of (4\d\d|503)|ERR_(INTERNET_DISCONNECTED|TIMED_OUT)|^AbortError:/.test(
          message.text(),
        ) || message.location().url.startsWith(PICTURES);
      if (message.type() === "error" && !wanted) note(message.text());
    });
    page.on("pageerror", (error) => note(String(error)));
    await use(page);
    expect(problems).toEqual([]);
  },
});

export { expect };

/** Waits until the scripts have taken the page over (app/entry.client.tsx). */
export const scriptsReady = (page: Page) =>
  page.locator("html[data-ready]").waitFor({ state: "attached" });

/**
 * Wraps every text of the page as Chrome's translator does, in two elements each, and every text that is added later.
 * It skips what is marked as not to be translated.
 */
export const translate = (page: Page) =>
  page.evaluate(() => {
    const wrap = (text: Node) => {
      const { parentElement } = text;
      if (!text.nodeValue?.trim() || !parentElement) return;
      if (parentElement.closest("font, script, style, textarea, [translate=no]")) return;
      const [outer, inner] = [document.createElement("font"), document.createElement("font")];
      outer.style.verticalAlign = inner.style.verticalAlign = "inherit";
      inner.textContent = text.nodeValue;
      outer.append(inner);
      text.parentNode!.replaceChild(outer, text);
    };
    const wrapAll = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Node[] = [];
      while (walker.nextNode()) texts.push(walker.currentNode);
      texts.forEach(wrap);
    };
    wrapAll(document.body);
    document.documentElement.lang = "es";
    document.documentElement.classList.add("translated-ltr");
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes)
        for (const node of addedNodes.length > 0 ? addedNodes : [target])
          if (node.nodeType === Node.TEXT_NODE) wrap(node);
          else wrapAll(node);
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  });

/** React's errors 418, 423 and 425: it renders the page again, because an element or a text differs. */
const OTHER_PAGE = /Minified React error #4(18|23|25)/;

async function logIn(context: BrowserContext, userId: Types.ObjectId): Promise<void> {
  const url = process.env.APP_URL!;
  const setCookie = await startSession(new Request(url), await provenUser(userId));
  await confirmOperator(userId);
  const [, name, value] = /^([^=]+)=([^;]*)/.exec(setCookie)!;
  await context.addCookies([{ name: name!, value: value!, url, httpOnly: true, sameSite: "Lax" }]);
}

/** A host of pictures that exists only in tests that answer for it. */
export const PICTURES = "https://img.example.test";

/** The radio for that many stars; a person clicks the star on top of it. */
export const star = (page: Page, stars: number) =>
  page.getByRole("radio", { name: new RegExp(`^${stars} star`) });

export const postButton = (page: Page) => page.getByRole("button", { name: "Post review" });

export const shownReview = (page: Page, name: string) =>
  page.getByRole("article", { name: `Review by ${name}` });

/** The page's own message about what was just done. */
export const notice = (page: Page) => page.getByRole("status").first();

/** A word of letters only that no other tour has, and that is no typing error away from another tour's. */
export const unique = () =>
  [...randomBytes(18)].map((byte) => "abcdefghijklmnop"[byte % 16]!).join("");

/**
 * Opens the search for that word once the server, which looks every few seconds, has noticed so many tours. It asks
 * without the page, which takes a browser thirty times as long.
 */
export async function openSearch(page: Page, word: string, count = 1): Promise<void> {
  const address = `/?q=${word}`;
  const found = async () => {
    const html = await (await page.request.get(address)).text();
    return /role="status">(\d+)/.exec(html)?.[1];
  };
  await expect.poll(found, { timeout: 60_000 }).toBe(String(count));
  await page.goto(address);
}

/** The button that opens the navigation on phones. */
export const menuButton = (page: Page) => page.getByRole("button", { name: "Menu" });

/**
 * Opens the navigation of a logged-in user if it is behind a button. After a log-in the address changes a moment
 * before the page does, so this waits for the header.
 */
export async function openMenu(page: Page): Promise<void> {
  await page.locator("#menu").waitFor({ state: "attached" });
  const button = menuButton(page);
  if (await button.isVisible()) await button.click();
}

/** Checks the page with axe and these options. Axe runs in the page, and so only where scripts do. */
export async function expectAccessible(
  page: Page,
  options: Parameters<AxeBuilder["options"]>[0] = {},
): Promise<void> {
  if (test.info().project.use.javaScriptEnabled === false) return;
  const { violations } = await new AxeBuilder({ page })
    // Without this, axe collects what it finds in frames, of which the site has none, in a further browser tab.
    .setLegacyMode()
    // Without this, a page's whole content comes back, because most of it passes.
    .options({ ...options, resultTypes: ["violations"] })
    .analyze();
  const found = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
  expect.soft(found, page.url()).toEqual([]);
}

/**
 * Everything that can be pressed on the page and is less than `least` CSS pixels wide or high, as HTML; not links
 * within text (WCAG 2.5.8).
 */
export const smallTargets = (page: Page, least = 24) =>
  page.evaluate((least) => {
    const selector = "a[href], button, input:not([type=hidden]), select, textarea, summary";
    const isInText = (target: Element) =>
      getComputedStyle(target).display === "inline" &&
      target.parentElement!.textContent.trim() !== target.textContent.trim();
    return [...document.querySelectorAll(selector)]
      .filter((target) => target.checkVisibility() && !isInText(target))
      .filter((target) => {
        // If a label is around it, the label is what people press.
        const { width, height } = (target.closest("label") ?? target).getBoundingClientRect();
        return Math.min(width, height) < least;
      })
      .map(({ outerHTML }) => outerHTML.slice(0, 200));
  }, least);

/** Adds up every layout shift, from the first paint on, of the pages that are opened from now on. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shared = globalThis as unknown as { shifted: number };
    shared.shifted = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shared.shifted += (entry as unknown as { value: number }).value;
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** How far things on the page have moved since. */
export const shifts = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { shifted: number }).shifted);

/** Presses Tab until the element has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let steps = 0; steps < 40; steps++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  await expect(target).toBeFocused();
}
