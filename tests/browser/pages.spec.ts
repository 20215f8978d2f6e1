import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { HtmlValidate } from "html-validate";
import { findUser, PAGES, TOUR } from "./all-pages";
import {
  expect,
  expectAccessible,
  NO_SCRIPTS,
  PHONE,
  shifts,
  smallTargets,
  test,
  watchShifts,
} from "./support";

// Every page, with the demo data: accessible, valid, still, and looked at.

test.describe.configure({ mode: "parallel" });

/** The screenshots in README.md. UPDATE_PICTURES=1 takes all of them again. */
const README_PICTURES: Record<string, string> = {
  "tours - desktop - light": "docs/tours.png",
  "tour, write a review - phone - light": "docs/tour-phone.png",
  "my reviews - phone - dark": "docs/my-reviews-phone-dark.png",
  "guide - desktop - light": "docs/guide.png",
  "a decision, for its author - phone - light": "docs/decision-phone.png",
};

const html = new HtmlValidate({
  extends: ["html-validate:recommended"],
  rules: {
    // React writes these in its own way, and browsers read them all the same.
    "attr-case": "off",
    "attribute-boolean-style": "off",
    "attribute-empty-style": "off",
    "doctype-style": "off",
    "void-style": "off",
    // Scripts and styles of our own origin need no hash.
    "require-sri": "off",
    "long-title": "off",
    "no-trailing-whitespace": "off",
    // Boxes of one name are one answer with several values.
    "form-dup-name": ["error", { shared: ["radio", "button", "reset", "submit", "checkbox"] }],
  },
});

/** By the log-in that sees them, or none: one visit a page, in which all that needs scripts is looked at. */
const VISITORS = [...new Set(Object.values(PAGES).map(({ as }) => as))];

/**
 * Of each kind of page one is opened on a phone, because the widths of phones are checked for every page; for pictures,
 * all of them.
 */
const ON_PHONES = process.env.UPDATE_PICTURES
  ? Object.keys(PAGES)
  : ["tours", "tour", "log in", "tour, write a review", "account", "review, own", "guide"];

for (const visitor of VISITORS)
  test(
    `pages of ${visitor ?? "everybody"}: accessible, still, on every width`,
    { tag: PHONE },
    async ({ page, logIn, open, isMobile }, testInfo) => {
      test.slow();
      if (visitor) await logIn({ _id: await findUser(visitor) });
      await watchShifts(page);
      const size = page.viewportSize()!;
      for (const [name, { as, path }] of Object.entries(PAGES)) {
        if (as !== visitor || (isMobile && !ON_PHONES.includes(name))) continue;
        await test.step(name, async () => {
          await page.setViewportSize(size);
          await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
          await open(await path());
          await fits(page);
          expect.soft(await smallTargets(page), name).toEqual([]);
          // To three decimals: a row of cards may grow by a pixel while its page is being streamed.
          expect.soft(await shifts(page), name).toBeCloseTo(0, 3);
          // A phone has the same colours: axe's slowest check runs only once, in both schemes.
          await expectAccessible(page, {
            rules: { ...RULES, "color-contrast": { enabled: !isMobile } },
          });
          await page.emulateMedia({ colorScheme: "dark" });
          if (!isMobile) await expectAccessible(page, { runOnly: ["color-contrast"] });
          if (process.env.UPDATE_PICTURES)
            await takePictures(page, `${name} - ${testInfo.project.name}`);
          for (const size of isMobile ? [NARROW] : [WIDE, USUAL_PHONE, NARROW]) {
            await page.setViewportSize(size);
            await fits(page);
          }
        });
      }
    },
  );

test(
  "every page fits without scripts, also with text of twice the size on a phone",
  { tag: NO_SCRIPTS },
  async ({ page, logIn }) => {
    test.slow();
    const browser = await page.context().newCDPSession(page);
    const setFontSize = (standard: number) =>
      browser.send("Page.setFontSizes", { fontSizes: { standard, fixed: standard * 0.8125 } });
    for (const [name, { as, path }] of Object.entries(PAGES))
      await test.step(name, async () => {
        await page.context().clearCookies();
        if (as) await logIn({ _id: await findUser(as) });
        await setFontSize(16);
        await page.setViewportSize(WIDE);
        await page.goto(await path());
        await fits(page);
        expect.soft(await smallTargets(page), name).toEqual([]);
        for (const form of await page.locator('form:has(input[type="password"])').all())
          await expect.soft(form.locator('[autocomplete="username"]'), name).toHaveCount(1);
        await setFontSize(32);
        for (const size of [USUAL_PHONE, NARROW]) {
          await page.setViewportSize(size);
          await fits(page);
          expect.soft(await cutTexts(page), `${name}: nothing is cut`).toEqual([]);
        }
      });
  },
);

/** The widths of a desktop and of a phone, and the narrowest page that must not need scrolling sideways (WCAG 1.4.10). */
const WIDE = { width: 1440, height: 900 };
const USUAL_PHONE = { width: 390, height: 844 };
const NARROW = { width: 320, height: 640 };

/** The texts of which a part cannot be seen or scrolled to. */
const cutTexts = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("body *")]
      .filter((element) => {
        const { overflowX, clipPath } = getComputedStyle(element);
        const isShown = clipPath === "none" && element.clientWidth > 0 && element.innerText !== "";
        const isCut = overflowX === "hidden" || overflowX === "clip";
        return isShown && isCut && element.scrollWidth > element.clientWidth + 1;
      })
      .map((element) => `${element.className}: ${element.innerText.slice(0, 60)}`),
  );

/** Checks that nothing on the page is wider than the screen. */
async function fits(page: Page): Promise<void> {
  // Not the window's width, which a phone makes as large as the page.
  const { width } = page.viewportSize()!;
  const [needed, tooWide] = await page.evaluate((width) => {
    const outside = [...document.querySelectorAll("body *")]
      .filter((element) => element.getBoundingClientRect().right > width)
      .map((element) => `${element.tagName}.${element.className}`);
    return [document.documentElement.scrollWidth, outside.slice(-4).join(", ")] as const;
  }, width);
  const message = `nothing sticks out of ${page.url()} sideways, such as ${tooWide}`;
  expect.soft(needed, message).toBeLessThanOrEqual(width);
}

/** WCAG 2.5.3, which axe checks only on request. */
const RULES = { "label-content-name-mismatch": { enabled: true } };

/** The settings in which pages are checked and photographed. */
const LOOKS: Record<string, Parameters<Page["emulateMedia"]>[0]> = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  "forced colours": { colorScheme: "light", forcedColors: "active" },
  "320 px": { colorScheme: "light", forcedColors: "none" },
  print: { media: "print" },
};

/** Takes screenshots in `test-results/pages`, to be looked at, and those of the README. */
async function takePictures(page: Page, subject: string): Promise<void> {
  const size = page.viewportSize()!;
  for (const [look, media] of Object.entries(LOOKS)) {
    await page.emulateMedia(media);
    await page.setViewportSize(look === "320 px" ? NARROW : size);
    const picture = `${subject} - ${look}`;
    await page.screenshot({ path: `test-results/pages/${picture}.png`, fullPage: true });
    const inReadme = README_PICTURES[picture];
    if (!inReadme) continue;
    await page.evaluate(() => document.getElementById("write")?.scrollIntoView());
    await page.screenshot({ path: inReadme });
  }
  await page.emulateMedia({ media: "screen" });
}

test("every page is valid HTML", { tag: NO_SCRIPTS }, async ({ context, logIn }, testInfo) => {
  test.slow();
  const folder = testInfo.outputPath("pages");
  await mkdir(folder, { recursive: true });
  const frame = {
    "frame of a tour": { as: undefined, path: () => Promise.resolve(`/embed${TOUR}`) },
  };
  for (const [name, { as, path }] of Object.entries({ ...PAGES, ...frame })) {
    await context.clearCookies();
    if (as) await logIn({ _id: await findUser(as) });
    const body = await (await context.request.get(await path())).text();
    const { results } = await html.validateString(body);
    const messages = results.flatMap(({ messages }) =>
      messages.map(({ message, ruleId, line }) => `${line}: ${message} (${ruleId})`),
    );
    expect.soft(messages, name).toEqual([]);
    await writeFile(join(folder, `${name}.html`), body);
  }
  // Without java there is only the first checker.
  if (spawnSync("java", ["-version"]).error) return;
  const checker = createRequire(import.meta.url)("vnu-jar") as string;
  // One run for all pages, because it takes seconds to start.
  const { stderr, error } = spawnSync(
    "java",
    ["-jar", checker, "--errors-only", "--format", "json", folder],
    {
      encoding: "utf8",
    },
  );
  expect(error).toBeUndefined();
  const { messages } = JSON.parse(stderr) as { messages: NuMessage[] };
  // The checker does not know them yet.
  const wrong = messages.filter(
    ({ message }) => !message.startsWith("Bad value “speculationrules”"),
  );
  expect(wrong.map(({ url, message, extract }) => [basename(url), message, extract])).toEqual([]);
});

interface NuMessage {
  url: string;
  message: string;
  extract?: string;
}

/** Pages that one person may see in one visit. */
const VISITS = {
  explorer: ["tours", "tour, write a review", "my reviews", "edit review", "delete review"],
  guide: ["tours", "guide", "mail settings", "tour, own tour"],
};

for (const [name, pages] of Object.entries(VISITS))
  test(`scripts and styles of a visit are small: ${name}`, async ({ page, logIn, open }) => {
    const addresses = new Set<string>();
    // Everything that is fetched, including preloads.
    page.on("requestfinished", (request) => addresses.add(request.url()));
    for (const { as, path } of pages.map((name) => PAGES[name]!)) {
      if (as) await logIn({ _id: await findUser(as) });
      await open(await path());
      // Files that are only preloaded count, too.
      await page.waitForLoadState("networkidle");
    }
    const sizes = { js: 0, css: 0 };
    for (const address of addresses) {
      const [, type] = /\.(js|css)$/.exec(new URL(address).pathname) ?? [];
      if (type !== "js" && type !== "css") continue;
      // The server compresses what is larger than 1 KB; servers in front of it compress everything.
      sizes[type] += gzipSync(await (await page.request.get(address)).body()).length;
    }
    expect(sizes.js).toBeGreaterThan(10_000);
    expect(sizes.js).toBeLessThan(130 * 1024);
    expect(sizes.css).toBeGreaterThan(1_000);
    expect(sizes.css).toBeLessThan(15 * 1024);
  });
