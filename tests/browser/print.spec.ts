import type { Page } from "@playwright/test";
import { CONFIRMED } from "#models/booking";
import {
  insertReviews,
  makeBookedExplorer,
  makeBooking,
  makeReview,
  makeTour,
  makeUser,
} from "../support/factories";
import { expect, NO_SCRIPTS, test } from "./support";

// How pages are printed (app/ui/styles/print.css).

const HOUR_MS = 60 * 60 * 1_000;
const COMMENT = "The view from the tower.";

/** Things that can only be pressed. */
const PRESSED = [
  "button",
  "form",
  "input",
  "select",
  "textarea",
  "nav",
  ".button",
  ".chips",
  ".no-print",
  ".site-header",
  ".site-footer",
  "details:not([open]).fold > summary",
].join();

/** A tour with more reviews and departures than are seen at once; Ann has reviewed it, and has another one to review. */
async function scene() {
  const guide = await makeUser();
  const fields = { createdById: guide._id, bookingUrl: "https://book.example.test/" };
  const tour = await makeTour({ title: "Tower", ...fields });
  const waiting = await makeTour({ title: "Waiting", ...fields });
  const ann = await makeBookedExplorer(waiting, { name: "Ann" });
  await insertReviews(tour._id, 20);
  const review = await makeReview(ann, tour, { comment: COMMENT });
  const at = (hours: number) => new Date(Date.now() + hours * HOUR_MS);
  for (const hours of [-2, 24, 48, 72, 96, 120, 144, 168])
    await makeBooking(ann, tour, { date: at(hours), status: CONFIRMED });
  return { guide, tour, waiting, ann, reviewPath: `/reviews/${review._id.toString()}` };
}

/** The visible elements that the selector names, each by its first words. */
const seen = (page: Page, selector: string) =>
  page
    .locator(selector)
    .evaluateAll((found) =>
      found
        .filter((element) => element.checkVisibility())
        .map((element) => `${element.tagName} ${element.textContent.slice(0, 40)}`),
    );

test.describe("on paper", { tag: NO_SCRIPTS }, () => {
  test("nothing that can only be pressed is printed, and all that is read", async ({
    page,
    logIn,
  }) => {
    const { guide, tour, waiting, ann, reviewPath } = await scene();
    for (const [user, path, text] of [
      [ann, `/tours/${tour.slug}`, COMMENT],
      [ann, `/tours/${waiting.slug}`, "Waiting"],
      [ann, reviewPath, COMMENT],
      [ann, "/me", COMMENT],
      [ann, "/me/account", "Access tokens"],
      [guide, "/guide", COMMENT],
      [guide, `/guides/${guide._id.toString()}`, COMMENT],
      [guide, "/?q=zzzzqq", "No tour matches"],
    ] as const) {
      await logIn(user);
      await page.emulateMedia({ media: "screen" });
      await page.goto(path);
      expect(await seen(page, PRESSED), path).not.toEqual([]);
      await page.emulateMedia({ media: "print" });
      expect(await seen(page, PRESSED), path).toEqual([]);
      await expect(page.getByRole("main").getByText(text).first(), path).toBeVisible();
    }
  });
});
