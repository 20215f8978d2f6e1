import type { Page } from "@playwright/test";
import { Booking } from "#models/booking";
import type { TourDocument } from "#models/tour";
import { User, type UserDocument } from "#models/user";
import { makeBooking, makeTour, makeUser } from "../support/factories";
import { expect, FORMS, expectAccessible, notice, star, test } from "./support";

// The things that guides see of their tours, do there, and get by e-mail.

const HOUR_MS = 60 * 60 * 1_000;

const ago = (ms: number) => new Date(Date.now() - ms);
const departures = (page: Page) => page.getByRole("region", { name: "Departures" });
const completeButton = (page: Page) => page.getByRole("button", { name: "Mark as completed" });
const button = (page: Page, name: string) => page.getByRole("main").getByRole("button", { name });
const statusOf = async (user: Pick<UserDocument, "_id">, tour: TourDocument) =>
  (await Booking.findOne({ userId: user._id, tourId: tour._id }).lean())?.status;
const mailsOf = async (user: Pick<UserDocument, "_id">) =>
  (await User.findById(user._id))?.reviewMails;

/** A tour that began two hours ago, with somebody who took part in it. */
async function makeOpenDeparture() {
  const guide = await makeUser({ name: "Gwen Guide" });
  const title = "Harbour at Dawn";
  const tour = await makeTour({ title, createdById: guide._id, date: ago(2 * HOUR_MS) });
  const explorer = await makeUser({ name: "Evi Explorer" });
  await makeBooking(explorer, tour, { status: "CONFIRMED" });
  return { guide, tour, explorer };
}

/** Has an explorer post a review by the form. */
async function postReview(page: Page, tour: TourDocument, comment: string): Promise<void> {
  await page.goto(`/tours/${tour.slug}`);
  await star(page, 4).check();
  await page.getByLabel("Comment").fill(comment);
  await button(page, "Post review").click();
  await expect(notice(page)).toContainText("Thank you, your review is live.");
}

test.describe("completing a departure", () => {
  test("lets its explorer post a review", { tag: FORMS }, async ({ page, logIn, context }) => {
    const { guide, tour, explorer } = await makeOpenDeparture();
    await logIn(explorer);
    await page.goto(`/tours/${tour.slug}`);
    await expect(button(page, "Post review")).toHaveCount(0);

    await context.clearCookies();
    await logIn(guide);
    await page.goto("/guide");
    // First the things that need action, then what is new, then the ratings over time, then all departures.
    await expect(
      page.getByRole("main").locator("section > h2, section > div:first-child > h2"),
    ).toHaveText(["Departures to confirm", "Reviews", "Tours", "Departures"]);
    await completeButton(page).click();
    await expect(notice(page)).toHaveText(
      "Harbour at Dawn is marked as completed. One explorer can now review it.",
    );
    await expect(completeButton(page)).toHaveCount(0);
    await expect(departures(page)).toContainText("1 completed");

    await context.clearCookies();
    await logIn(explorer);
    await postReview(page, tour, "At last");
    await expect(page.getByRole("article", { name: `Review by ${explorer.name}` })).toContainText(
      "At last",
    );
  });

  test("leaves out who did not come, until it is undone; reviews stay", async ({
    page,
    logIn,
    context,
  }) => {
    const { guide, tour, explorer } = await makeOpenDeparture();
    const namesakes = [await makeUser({ name: "Ann" }), await makeUser({ name: "Ann" })];
    for (const user of namesakes) await makeBooking(user, tour, { status: "CONFIRMED" });
    await logIn(guide);
    await page.goto("/guide");
    await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(0);
    await page.getByText("Some did not come").click();
    await page.getByRole("checkbox", { name: "Ann (2 of 2) did not come" }).check();
    // Its name says which of the buttons it is.
    await page
      .getByRole("button", { name: /^Mark as completed Harbour at Dawn .*\d:\d\d/ })
      .click();
    await expect(notice(page)).toContainText(
      "2 explorers can now review it. One explorer did not come.",
    );
    await expectAccessible(page);
    const people = [explorer, ...namesakes];
    const statuses = () => Promise.all(people.map((user) => statusOf(user, tour)));
    expect(await statuses()).toEqual(["COMPLETED", "COMPLETED", "NO_SHOW"]);
    await expect(departures(page)).toContainText("2 completed, 1 did not come");

    await context.clearCookies();
    await logIn(explorer);
    await postReview(page, tour, "Written meanwhile");

    await context.clearCookies();
    await logIn(guide);
    await page.goto("/guide");
    const just = page.getByRole("region", { name: "Just completed" });
    await expect(just).toContainText("2 completed, 1 did not come");
    await just.getByRole("button", { name: /^Undo Harbour at Dawn .*\d:\d\d/ }).click();
    await expect(notice(page)).toHaveText(
      "Undone. You can mark Harbour at Dawn as completed again.",
    );
    expect(await statuses()).toEqual(["CONFIRMED", "CONFIRMED", "CONFIRMED"]);
    await expect(just).toHaveCount(0);
    await expect(completeButton(page)).toHaveCount(1);
    await expect(page.getByText("Written meanwhile")).toBeVisible();
  });
});

test.describe("e-mails", () => {
  test("their settings are saved and shown", { tag: FORMS }, async ({ page, logIn }) => {
    const { createdById: _id } = await makeTour();
    await logIn({ _id });
    await page.goto("/guide");
    await page.getByRole("link", { name: "E-mail settings" }).click();
    const choice = (name: string) => page.getByRole("radio", { name, exact: true });
    await expect(choice("Each review")).toBeChecked();
    for (const [name, stored] of [
      ["Once a day", "daily"],
      ["None", "none"],
    ] as const) {
      await choice(name).check();
      await button(page, "Save").click();
      await expect(notice(page)).toHaveText("Your e-mail settings are saved.");
      expect(await mailsOf({ _id })).toBe(stored);
      await page.goto("/guide/mail");
      await expect(choice(name)).toBeChecked();
    }
  });
});
