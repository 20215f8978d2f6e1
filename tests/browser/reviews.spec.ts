import type { Page } from "@playwright/test";
import { EDIT_WINDOW_MS } from "~/lib/review-limits";
import { Notification } from "#models/notification";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { makeBookedExplorer, makeReview, makeTour, makeUser } from "../support/factories";
import {
  EITHER,
  expect,
  FORMS,
  NO_SCRIPTS,
  notice,
  PHONE,
  postButton,
  shownReview,
  star,
  test,
} from "./support";

const HOUR_MS = 60 * 60 * 1_000;
const COMMENT = "Best walk of the year.\nWe would do it <b>again</b>.";

const ago = (ms: number) => new Date(Date.now() - ms);

test.describe("posting", () => {
  test(
    "an explorer posts a review, sees it, and the guide is told",
    { tag: FORMS },
    async ({ page, openToReview }) => {
      const { tour, explorer: ann } = await openToReview({ name: "Ann" });
      await star(page, 4).check();
      await page.getByLabel("Comment").fill(`  ${COMMENT}\n`);
      await postButton(page).click();

      await expect(notice(page)).toContainText("Thank you, your review is live.");
      await expect(notice(page)).toBeInViewport();
      const review = shownReview(page, "Ann");
      await expect(review).toContainText("4 out of 5 stars");
      await expect(review.getByText("Best walk of the year.")).toHaveText(COMMENT);
      await expect(review).toContainText("Verified booking");
      await expect(review).not.toContainText("edited");
      await expect(page.getByText("(1 review)")).toBeVisible();
      expect(await Review.findOne({ tourId: tour._id }).lean()).toMatchObject({
        rating: 4,
        comment: COMMENT,
        userId: ann._id,
      });
      await expect
        .poll(() => Notification.findOne({ "inputs.tourSlug": tour.slug }).lean())
        .toMatchObject({ state: "captured", inputs: { explorerName: "Ann", rating: 4 } });
      // The message is told once.
      await page.reload();
      await expect(page.getByText("Thank you.")).toHaveCount(0);
    },
  );

  test("keys that are pressed before a slow page's scripts run do not break it", async ({
    page,
    openToReview,
    context,
  }) => {
    const { tour } = await openToReview();
    const browser = await context.newCDPSession(page);
    await browser.send("Emulation.setCPUThrottlingRate", { rate: 8 });
    for (let visit = 0; visit < 2; visit++) {
      await page.goto(`/tours/${tour.slug}`, { waitUntil: "commit" });
      await star(page, 1).focus();
      for (let key = 0; key < 10; key++) await page.keyboard.press("ArrowRight");
      await expect(page.getByRole("radio", { checked: true })).toHaveCount(1);
      // The scripts run: only they count the characters.
      await expect(async () => {
        await page.getByLabel("Comment").fill("");
        await page.getByLabel("Comment").fill("four");
        await expect(page.getByLabel("Comment")).toHaveAccessibleDescription(/^4 of/, {
          timeout: 500,
        });
      }).toPass();
    }
  });

  test("shows all errors, with the input kept", { tag: EITHER }, async ({ page, openToReview }) => {
    const { tour } = await openToReview();
    const long = "x".repeat(5_001);
    await page.getByLabel("Comment").fill(long);
    // The browser itself would ask for the stars.
    await page
      .locator("form.review-form")
      .evaluate((form: HTMLFormElement) => (form.noValidate = true));
    await postButton(page).click();

    const summary = page.getByRole("alert");
    await expect(summary.getByRole("link")).toHaveText([
      "Choose a rating from 1 to 5 stars.",
      "Your comment is 1 character too long.",
    ]);
    await expect(summary).toBeFocused();
    await expect(page.getByLabel("Comment")).toHaveValue(long);
    for (const field of [page.getByLabel("Comment"), page.getByRole("radiogroup")])
      await expect(field).toHaveAttribute("aria-invalid", "true");
    await expect(page.getByLabel("Comment")).toHaveAccessibleDescription(/1 character too long/);
    expect(await Review.exists({ tourId: tour._id })).toBeNull();

    await page.getByLabel("Comment").fill("Shorter");
    await star(page, 5).check();
    await postButton(page).click();
    await expect(notice(page)).toContainText("Thank you, your review is live.");
  });

  test(
    "sending the form twice makes one review and no error",
    { tag: NO_SCRIPTS },
    async ({ page, openToReview, context }) => {
      const { tour } = await openToReview({ name: "Dora" });
      const other = await context.newPage();
      for (const tab of [page, other]) {
        await tab.goto(`/tours/${tour.slug}`);
        await star(tab, 5).check();
        await tab.getByLabel("Comment").fill("Once");
      }
      for (const tab of [page, other]) {
        await postButton(tab).click();
        await expect(notice(tab)).toContainText("Thank you, your review is live.");
      }
      await expect(shownReview(other, "Dora")).toHaveCount(1);
      expect(await Review.countDocuments({ tourId: tour._id })).toBe(1);
    },
  );

  test("a comment that is too long is counted once, and said twice", async ({
    page,
    openToReview,
  }) => {
    await openToReview();
    await star(page, 4).check();
    // The site stores it without the blank.
    await page.getByLabel("Comment").fill(`${"x".repeat(5_199)} `);
    await postButton(page).click();
    await expect(page.getByRole("alert")).toHaveText(
      /^There is a problem\s*Your comment is 199 characters too long\.$/,
    );
    await expect(page.getByText("Your comment is 199 characters too long.")).toHaveCount(2);
    await expect(page.getByText("too long")).toHaveCount(2);
  });

  test("one’s own review is not reported", { tag: NO_SCRIPTS }, async ({ page, ownReview }) => {
    const { tour, path } = await ownReview();
    await makeReview(await makeBookedExplorer(tour, { name: "Ben" }), tour);
    for (const address of [path, `/tours/${tour.slug}`]) {
      await page.goto(address);
      const own = page.getByRole("article", { name: "Review by Ann" });
      await own.locator(".review-menu > summary").click();
      await expect(own.getByRole("link", { name: "Share the review by Ann" })).toBeVisible();
      await expect(own.getByRole("link", { name: /^Report/ })).toHaveCount(0);
    }
    const other = page.getByRole("article", { name: "Review by Ben" });
    await other.locator(".review-menu > summary").click();
    await expect(other.getByRole("link", { name: "Report the review by Ben" })).toBeVisible();
  });

  test("a counter follows the comment", async ({ page, openToReview }) => {
    await openToReview();
    const comment = page.getByLabel("Comment");
    await expect(comment).toHaveAccessibleDescription("Optional, up to 5,000 characters.");
    await comment.fill("ten 🎉 signs");
    await expect(comment).toHaveAccessibleDescription("11 of 5,000 characters");
    // Past the bound it warns, before anything is sent.
    await comment.fill("😀".repeat(5_012));
    await expect(comment).toHaveAccessibleDescription(
      "5,012 of 5,000 characters. Your comment is 12 characters too long.",
    );
    await expect(comment).toHaveAttribute("aria-invalid", "true");
    await expect(page.locator("[aria-live]", { hasText: "too long" })).toBeAttached();
    await comment.fill("short");
    await expect(comment).toHaveAccessibleDescription("5 of 5,000 characters");
    await expect(comment).not.toHaveAttribute("aria-invalid");
  });

  test(
    "the word for the chosen stars stands beside them",
    { tag: PHONE },
    async ({ page, openToReview }) => {
      const { tour } = await openToReview();
      const words = ["Poor", "Fair", "Good", "Very good", "Excellent"];
      const expectWord = async (chosen: string | undefined) => {
        for (const word of words)
          await expect(page.locator(".star-words").getByText(word, { exact: true })).toBeVisible({
            visible: word === chosen,
          });
      };
      // Also where the link to the form has chosen them.
      await page.goto(`/tours/${tour.slug}?rating=2#write`);
      await expectWord("Fair");
      await page.goto(`/tours/${tour.slug}`);
      await expectWord(undefined);
      for (const [index, word] of words.entries()) {
        await star(page, index + 1).check();
        await page.getByRole("heading", { name: "Write a review" }).hover();
        await expectWord(word);
      }
    },
  );

  test("says what will happen once it is posted", { tag: NO_SCRIPTS }, async ({ page, logIn }) => {
    const form = page.locator("form", { has: postButton(page) });
    const open = async (reviewMails: "each" | "daily" | "none", name: string) => {
      const guide = await makeUser({ name: "Gwen", reviewMails });
      const tour = await makeTour({ createdById: guide._id });
      await logIn(await makeBookedExplorer(tour, { name }));
      await page.goto(`/tours/${tour.slug}`);
    };
    await open("each", "Dora <D>");
    await expect(form).toContainText("Your review is public and shows the name Dora <D>.");
    await expect(form).toContainText("We’ll e-mail Gwen about it.");
    await expect(form).toContainText("You can edit it for 24 hours, and delete it at any time.");
    await expect(form.getByRole("link", { name: "Change your name" })).toHaveAttribute(
      "href",
      "/me/account",
    );
    await open("daily", "");
    await expect(form).toContainText("Your review is public and shows the name An explorer.");
    await expect(form).toContainText("We’ll e-mail Gwen about it once a day.");
    await open("none", "Dora");
    await expect(form).toContainText("shows the name Dora.");
    await expect(form).not.toContainText("e-mail");
  });
});

test.describe("who may review", () => {
  const section = (page: Page) => page.locator("section", { has: page.locator("#write") });

  test(
    "what was typed for a tour that was reviewed meanwhile is not lost",
    { tag: EITHER },
    async ({ page, openToReview }) => {
      const { tour, explorer: ann } = await openToReview({ name: "Ann" });
      // By another tab.
      const { _id } = await makeReview(ann, tour, { rating: 2, comment: "Meh" });
      const typed = "Second <thoughts>\n\nin two paragraphs";
      await star(page, 5).check();
      await page.getByLabel("Comment").fill(typed);
      await postButton(page).click();
      await expect(page.getByRole("alert")).toHaveText("You have already reviewed this tour");
      await expect(page.getByRole("alert")).toBeFocused();
      const unsent = page.getByRole("region", { name: "Your text was not posted" });
      await expect(unsent).toContainText("in two paragraphs");
      await expect(section(page).getByRole("link", { name: "See your review" })).toHaveAttribute(
        "href",
        `/reviews/${_id.toString()}#review-${_id.toString()}`,
      );
      await unsent.getByRole("button", { name: "Edit it with this text" }).click();
      await expect(page).toHaveURL(`/reviews/${_id.toString()}/edit`);
      await expect(page).toHaveTitle(/^Edit your review/);
      await expect(page.getByLabel("Comment")).toHaveValue(typed);
      await expect(star(page, 5)).toBeChecked();
      await expect(page.getByRole("region", { name: "The review as it is now" })).toContainText(
        "Meh",
      );
      // Nothing is saved before its author does it.
      expect(await Review.findById(_id).lean()).toMatchObject({ rating: 2, comment: "Meh" });
      await page.getByRole("button", { name: "Save changes" }).click();
      await expect(notice(page)).toHaveText("Review updated successfully.");
      expect(await Review.findById(_id).lean()).toMatchObject({ rating: 5, comment: typed });
    },
  );
});

test.describe("edit window", () => {
  test(
    "inside it an author edits, and the mean follows",
    { tag: FORMS },
    async ({ page, ownReview, scripts }) => {
      const { tour } = await ownReview({ createdAt: ago(HOUR_MS / 2) });
      await makeReview(await makeBookedExplorer(tour), tour, { rating: 4 });
      await page.goto(`/tours/${tour.slug}`);
      const review = shownReview(page, "Ann");
      const until = /^You can edit this until \d\d:\d\d (today|tomorrow) \(UTC\)$/;
      await expect(review.getByText(until)).toBeVisible();
      await review.getByRole("link", { name: "Edit your review" }).click();
      await expect(page.getByText(until)).toBeVisible();
      await expect(star(page, 2)).toBeChecked();
      await star(page, 5).check();
      await page.getByLabel("Comment").fill("");
      await page.getByRole("button", { name: "Save changes" }).click();
      await expect(notice(page)).toHaveText("Review updated successfully.");
      // Without scripts its button could do nothing.
      await expect(page.getByRole("button", { name: "Dismiss" })).toBeVisible({ visible: scripts });
      await expect(review).toContainText("5 out of 5 stars");
      await expect(review).toContainText("edited");
      await expect(review).not.toContainText("Meh");
      expect(await Tour.findById(tour._id).lean()).toMatchObject({
        avgRating: 4.5,
        reviewCount: 2,
      });
    },
  );

  test(
    "at its end, a form that was opened in time is refused once it is over",
    { tag: FORMS },
    async ({ page, ownReview }) => {
      const { review, path } = await ownReview({ createdAt: ago(EDIT_WINDOW_MS - 60_000) });
      await page.goto(`${path}/edit`);
      await expect(page.getByText(/^You can edit this until .* (today|tomorrow)/)).toBeVisible();
      await star(page, 1).check();
      // The minute passes.
      await Review.updateOne({ _id: review._id }, { createdAt: ago(EDIT_WINDOW_MS + 1) });
      await page.getByRole("button", { name: "Save changes" }).click();
      await expect(page.getByRole("main")).toContainText(
        "Reviews can only be edited within 24 hours of posting",
      );
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(
        "This review can no longer be edited",
      );
      expect(await Review.findById(review._id).lean()).toMatchObject({ rating: 2 });
    },
  );

  test("after it the page refuses, and deleting is still possible", async ({ page, ownReview }) => {
    const { tour, path } = await ownReview({ createdAt: ago(EDIT_WINDOW_MS + 1) });
    expect((await page.goto(`${path}/edit`))?.status()).toBe(403);
    await page.goto(`/tours/${tour.slug}`);
    const review = shownReview(page, "Ann");
    await expect(review.getByRole("link", { name: "Edit your review" })).toHaveCount(0);
    await expect(review).toContainText("Too late to edit (24 hours)");
    await review.getByRole("link", { name: "Delete your review" }).click();
    await page.getByRole("button", { name: "Delete my review" }).click();
    await expect(notice(page)).toHaveText("Review deleted successfully.");
    await expect(page.getByText("Nobody has reviewed this tour yet.")).toBeVisible();
    expect(await Tour.findById(tour._id).lean()).toMatchObject({ avgRating: 0, reviewCount: 0 });
  });
});

test.describe("deleting", () => {
  test(
    "asks first and says what it does to the mean",
    { tag: FORMS },
    async ({ page, ownReview, scripts, open }) => {
      const { tour } = await ownReview({ rating: 5 });
      await makeReview(await makeBookedExplorer(tour), tour, { rating: 2 });
      await open(`/tours/${tour.slug}`);
      await shownReview(page, "Ann").getByRole("link", { name: "Delete your review" }).click();
      const question = page.getByRole(scripts ? "dialog" : "main");
      await expect(question).toContainText("changes from 3.5 to 2.0, with 1 review left");
      // To keep it comes first.
      await expect(question.getByText(/^(Keep|Delete) my review$/)).toHaveText([
        /^Keep/,
        /^Delete/,
      ]);
      if (scripts) await expect(question.getByText("Keep my review")).toBeFocused();
      await question.getByText("Keep my review").click();
      await expect(page).toHaveURL(scripts ? new RegExp(`/tours/${tour.slug}`) : /#review-/);
      const ask = shownReview(page, "Ann").getByRole("link", { name: "Delete your review" });
      if (scripts) await expect(ask).toBeFocused();
      await ask.click();
      await page.getByRole("button", { name: "Delete my review" }).click();
      await expect(notice(page)).toHaveText("Review deleted successfully.");
      await expect(shownReview(page, "Ann")).toHaveCount(0);
      expect(await Tour.findById(tour._id).lean()).toMatchObject({ avgRating: 2, reviewCount: 1 });
    },
  );
});

test("deleting one's own review on /me leads to the next one there", async ({
  page,
  logIn,
  open,
}) => {
  const ann = await makeUser({ name: "Ann" });
  for (const title of ["First", "Second", "Third"])
    await makeReview(ann, await makeTour({ title }), { comment: `${title} comment` });
  await logIn(ann);
  await open("/me");
  const written = page.getByRole("region", { name: "Written by you" });
  const titles = written.getByRole("heading", { level: 3 });
  await expect(titles).toHaveText(["Third", "Second", "First"]);
  for (const [deleted, next] of [
    ["Third", "Second"],
    ["First", "Second"],
  ]) {
    await written.getByRole("link", { name: `Delete your review of ${deleted}` }).click();
    await page.getByRole("button", { name: "Delete my review" }).click();
    await expect(notice(page)).toHaveText("Review deleted successfully.");
    await expect(page).toHaveURL(/\/me#written-/);
    await expect(written.getByText(`${deleted} comment`)).toHaveCount(0);
    await expect(written.getByRole("listitem").filter({ hasText: next })).toBeFocused();
  }
});

test("others see nothing to change a review with, and read why", async ({ page, logIn }) => {
  const tour = await makeTour();
  const review = await makeReview(await makeBookedExplorer(tour, { name: "Ann" }), tour);
  for (const other of [await makeBookedExplorer(tour), { _id: tour.createdById }]) {
    await logIn(other);
    await page.goto(`/tours/${tour.slug}`);
    await expect(shownReview(page, "Ann")).toBeVisible();
    // The menu with the links to share and to report is closed.
    await expect(shownReview(page, "Ann").getByRole("link")).toHaveText(["Booking not checked"]);
    for (const way of ["edit", "delete"]) {
      await page.goto(`/reviews/${review._id.toString()}/${way}`);
      const reason = `You can only ${way} your own reviews`;
      await expect(page.getByRole("main")).toContainText(reason);
    }
  }
});
