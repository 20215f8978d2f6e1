import type { Page } from "@playwright/test";
import { createTokenFor } from "~/accounts/tokens.server";
import { Notification } from "#models/notification";
import { mailsPath } from "../support/app";
import {
  as,
  makeBooking,
  makeBookedExplorer,
  makeReview,
  makeTour,
  makeUser,
  PASSWORD,
} from "../support/factories";
import { expect, NO_SCRIPTS, test } from "./support";

// Texts of people in Arabic, Hebrew and Persian, among our English. Plain texts of e-mails:
// tests/emails/plain-text.unit.test.ts.

test.describe.configure({ mode: "parallel" });

/** Samples that are in every text of this world that somebody wrote. */
const SAMPLES = { arabic: "جولة", hebrew: "סיור", persian: "گردش" };
const DAY = 24 * 60 * 60 * 1_000;

async function makeWorld() {
  const guide = await makeUser({ name: `${SAMPLES.hebrew} רון (Ron).` });
  const fields = {
    createdById: guide._id,
    title: `${SAMPLES.persian} شبانه GPS.`,
    location: `${SAMPLES.hebrew} תל אביב.`,
    description: `${SAMPLES.arabic} مع مرشد Ron.\n\nAlso in English.\n\n${SAMPLES.hebrew} בלילה.`,
    date: new Date(Date.now() + 9 * DAY),
  };
  const tour = await makeTour(fields);
  const waiting = await makeTour({ ...fields, title: `${SAMPLES.persian} دوم.` });
  const coming = await makeTour({ ...fields, title: `${SAMPLES.persian} سوم.` });
  const explorer = await makeBookedExplorer(tour, { name: `${SAMPLES.arabic} ليلى Smith.` });
  await makeBooking(explorer, waiting, { date: new Date(Date.now() - DAY) });
  await makeBooking(explorer, coming, { status: "CONFIRMED" });
  await makeBooking(explorer, tour, { status: `${SAMPLES.arabic}.`, date: fields.date });
  await makeBooking(explorer, tour, {
    status: "CONFIRMED",
    date: new Date(Date.now() - 3_600_000),
  });
  const comment = `${SAMPLES.arabic} رائعة مع GPS.\nAnd in English, too.`;
  const review = await makeReview(explorer, tour, { comment });
  await createTokenFor(as(explorer), {
    tokenName: `${SAMPLES.persian} من.`,
    currentPassword: PASSWORD,
  });
  return { guide, explorer, tour, waiting, review: review._id.toString(), comment };
}

type World = Awaited<ReturnType<typeof makeWorld>>;

/** A captured e-mail about the review; returns its id. */
async function capture({ guide, explorer, tour, comment }: World): Promise<string> {
  const now = new Date();
  const { name: guideName, email: guideEmail } = guide;
  const { title: tourTitle, slug: tourSlug } = tour;
  const of = { guideName, guideEmail, explorerName: explorer.name, tourTitle, tourSlug };
  const times = { createdAt: now, dueAt: now, retryUntil: now, endedAt: now };
  const mail = await Notification.create({
    kind: "review",
    state: "captured",
    guideId: guide._id,
    explorerId: explorer._id,
    inputs: { ...of, rating: 5, comment },
    ...times,
  });
  return mail._id.toString();
}

/** The texts and fields of the page that contain a sample and are not isolated from their surroundings. */
const unisolated = (page: Page) =>
  page.evaluate((samples) => {
    const isSample = (text: string) => samples.some((sample) => text.includes(sample));
    const bare = (text: string) => text.replace(/\u2068[^\u2069]*\u2069/g, "");
    const found: string[] = [];
    const walker = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement!;
      if (parent.closest("script, style, bdi, [dir=auto]")) continue;
      if (isSample(bare(node.textContent!))) found.push(parent.outerHTML.slice(0, 200));
    }
    for (const field of document.querySelectorAll("input"))
      if (isSample(field.value) && field.dir !== "auto") found.push(field.outerHTML);
    for (const meta of document.querySelectorAll("meta"))
      // An element that contains nothing but one user's text needs no isolation.
      if (isSample(bare(meta.content)) && /^[ -~]/.test(meta.content)) found.push(meta.outerHTML);
    return found;
  }, Object.values(SAMPLES));

/** Whether the page shows a sample at all. */
const shows = (page: Page) =>
  page.evaluate(
    (samples) => samples.some((sample) => document.documentElement.outerHTML.includes(sample)),
    Object.values(SAMPLES),
  );

test("every text from right to left is isolated", { tag: NO_SCRIPTS }, async ({ page, logIn }) => {
  const world = await makeWorld();
  const { guide, explorer, tour, waiting, review } = world;
  const mail = await capture(world);
  const search = `/?q=${encodeURIComponent(SAMPLES.persian)}`;
  const tours = [`/tours/${tour.slug}`, `/tours/${tour.slug}?stars=4`, `/tours/${waiting.slug}`];
  const reviews = ["", "/edit", "/delete"].map((page) => `/reviews/${review}${page}`);
  const others = [`/guides/${guide._id.toString()}`, "/me", "/me/account"];
  // The second page opens only with the cookie that the first one has set.
  const mails = [mailsPath(mail), `/dev/mail/${mail}`];
  for (const [visitor, paths] of [
    [explorer, [search, `${search}xyz`, ...tours, ...reviews, ...others, ...mails]],
    [guide, ["/guide", "/guide/mail"]],
  ] as const) {
    await page.context().clearCookies();
    await logIn(visitor);
    for (const path of paths) {
      await page.goto(path);
      expect(await shows(page), path).toBe(true);
      expect(await unisolated(page), path).toEqual([]);
    }
  }
});

test("each paragraph has its own direction", { tag: NO_SCRIPTS }, async ({ page, logIn }) => {
  const { explorer, tour, review } = await makeWorld();
  await logIn(explorer);
  await page.goto(`/tours/${tour.slug}`);
  const article = page.getByRole("article");
  const paragraphs = page.locator(".description p");
  for (const text of [
    page.locator("h1 bdi"),
    page.locator(".facts bdi").first(),
    page.locator(".facts bdi").last(),
    article.locator("strong bdi"),
    article.locator(".comment"),
    paragraphs.first(),
    paragraphs.last(),
  ])
    await expect(text).toHaveCSS("direction", "rtl");
  await expect(paragraphs.nth(1)).toHaveCSS("direction", "ltr");
  await expect(article.locator(".comment")).toHaveCSS("unicode-bidi", "plaintext");
  await page.goto(`/reviews/${review}/edit`);
  await expect(page.getByLabel("Comment")).toHaveCSS("direction", "rtl");
});
