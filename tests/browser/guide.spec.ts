import type { Page } from "@playwright/test";
import { Booking } from "#models/booking";
import { Notification } from "#models/notification";
import { Review } from "#models/review";
import type { TourDocument } from "#models/tour";
import { User, type UserDocument } from "#models/user";
import { mailsPath } from "../support/app";
import {
  makeBooking,
  makeBookedExplorer,
  makeReview,
  makeTour,
  makeUser,
} from "../support/factories";
import { expect, FORMS, expectAccessible, NO_SCRIPTS, notice, star, test } from "./support";

// What guides see of their tours, do there, and get by e-mail.

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

const ago = (ms: number) => new Date(Date.now() - ms);
const inTime = (ms: number) => ago(-ms);
const departures = (page: Page) => page.getByRole("region", { name: "Departures" });
const completeButton = (page: Page) => page.getByRole("button", { name: "Mark as completed" });
const button = (page: Page, name: string) => page.getByRole("main").getByRole("button", { name });
const statusOf = async (user: Pick<UserDocument, "_id">, tour: TourDocument) =>
  (await Booking.findOne({ userId: user._id, tourId: tour._id }).lean())?.status;
const mailsOf = async (user: Pick<UserDocument, "_id">) =>
  (await User.findById(user._id))?.reviewMails;

/** A tour that began two hours ago, with somebody who took part in it. */
async function makeOpenDeparture(title = "Harbour at Dawn") {
  const guide = await makeUser({ name: "Gwen Guide" });
  const tour = await makeTour({ title, createdById: guide._id, date: ago(2 * HOUR_MS) });
  const explorer = await makeUser({ name: "Evi Explorer" });
  await makeBooking(explorer, tour, { status: "CONFIRMED" });
  return { guide, tour, explorer };
}

/** Has an explorer post a review by the form, and returns its id once the guide's mail is captured. */
async function postReview(page: Page, tour: TourDocument, comment: string): Promise<string> {
  await page.goto(`/tours/${tour.slug}`);
  await star(page, 4).check();
  await page.getByLabel("Comment").fill(comment);
  await button(page, "Post review").click();
  await expect(notice(page)).toContainText("Thank you. Yours is the");
  await expect
    .poll(() => Notification.findOne({ "inputs.tourSlug": tour.slug }).lean())
    .toMatchObject({ state: "captured" });
  return (await Review.findOne({ tourId: tour._id }).orFail())._id.toString();
}

test(
  "a guide's page shows their tours, reviews and departures",
  { tag: NO_SCRIPTS },
  async ({ page, logIn }) => {
    const { guide, tour, explorer } = await makeOpenDeparture();
    const quiet = await makeTour({ title: "A Quiet Walk", createdById: guide._id });
    await makeBooking(await makeUser({ name: "Uma" }), quiet, {
      status: "PENDING",
      date: inTime(3 * DAY_MS),
    });
    await makeBooking(await makeUser({ name: "Pia" }), quiet, { date: ago(3 * DAY_MS) });
    await makeReview(await makeBookedExplorer(tour, { name: "Olaf" }), tour, {
      rating: 2,
      comment: "Wet.\nCold.",
      createdAt: ago(70 * DAY_MS),
    });
    await makeReview(await makeBookedExplorer(tour, { name: "Nele" }), tour, { rating: 5 });
    await logIn(guide);
    await page.goto("/");
    await page.getByRole("link", { name: "My tours" }).click();

    const tours = page.getByRole("region", { name: "Tours", exact: true }).locator("> ul > li");
    await expect(tours.getByRole("heading", { level: 3 })).toHaveText([
      "A Quiet Walk",
      "Harbour at Dawn",
    ]);
    await expect(tours.nth(0)).toContainText("No reviews in the last 12 months.");
    await expect(tours.nth(1)).toContainText("3.5 out of 5 (2 reviews)");
    const chart = tours.nth(1).getByRole("img", { name: /^Rating of Harbour at Dawn/ });
    await expect(chart).toHaveAccessibleName(/Fewer than five reviews a month/);
    await expect(chart.locator("polyline")).toHaveCount(0);
    await expect(chart.locator("circle")).toHaveCount(2);
    await expect(chart.locator(".chart-count")).toHaveText(["1", "1"]);
    const months = tours.nth(1).getByRole("table").getByRole("row");
    await expect(months).toHaveCount(3);
    await expect(months.last()).toContainText("5.0 out of 5");

    const reviews = page
      .getByRole("region", { name: "Reviews", exact: true })
      .getByRole("listitem");
    await expect(reviews.locator("strong")).toHaveText(["Olaf", "Nele"]);
    await expect(page.getByText("1 review in the last 7 days.")).toBeVisible();
    await expect(reviews.getByText("New", { exact: true })).toHaveCount(1);
    await expect(reviews.nth(0).getByText("Wet.")).toHaveText("Wet.\nCold.");

    // What needs action first, then what is new, then the ratings over time, then all departures.
    await expect(
      page.getByRole("main").locator("section > h2, section > div:first-child > h2"),
    ).toHaveText(["To be completed", "Reviews", "Tours", "Departures"]);
    const open = page
      .getByRole("region", { name: "To be completed" })
      .getByRole("listitem")
      .filter({ has: completeButton(page) });
    await expect(open).toContainText("Harbour at Dawn");
    await expect(open).toContainText("1 confirmed");
    await expect(open).toContainText(explorer.name);
    await departures(page).getByText("1 pending").click();
    await expect(departures(page).getByText("Uma")).toBeVisible();
    await expect(departures(page).getByText("Pia")).toBeHidden();
  },
);

test.describe("completing a departure", () => {
  test("lets its explorer post a review", { tag: FORMS }, async ({ page, logIn, context }) => {
    const { guide, tour, explorer } = await makeOpenDeparture();
    await logIn(explorer);
    await page.goto(`/tours/${tour.slug}`);
    await expect(button(page, "Post review")).toHaveCount(0);

    await context.clearCookies();
    await logIn(guide);
    await page.goto("/guide");
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
    await expect(notice(page)).toHaveText("Harbour at Dawn is to be completed again.");
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

  test(
    "a captured mail's link leads to a button that stops them; the link alone does not",
    { tag: NO_SCRIPTS },
    async ({ page, logIn, context }) => {
      const { guide, tour } = await makeOpenDeparture();
      await logIn(await makeBookedExplorer(tour));
      const id = await postReview(page, tour, "Mail me");
      await context.clearCookies();
      await page.goto(mailsPath(id));
      const opened = context.waitForEvent("page");
      await page
        .frameLocator("iframe.mail-preview")
        .getByRole("link", { name: "Choose which e-mails you get, or stop them" })
        .click();
      const tab = await opened;
      await expect(tab).toHaveURL(/\/unsubscribe\/[\w-]+$/);
      await expect(tab.getByText("You get an e-mail about each new review")).toBeVisible();
      await tab.reload();
      expect((await mailsOf(guide)) ?? "each").toBe("each");

      await tab.getByRole("button", { name: "Stop these e-mails" }).click();
      await expect(notice(tab)).toHaveText("You are unsubscribed.");
      await expect(tab.getByText("You get no e-mails about new reviews")).toBeVisible();
      await expect(tab.getByRole("button", { name: "Stop these e-mails" })).toHaveCount(0);
      expect(await mailsOf(guide)).toBe("none");
      await logIn(guide);
      await tab.getByRole("link", { name: "Choose in your e-mail settings" }).click();
      await expect(tab.getByRole("radio", { name: "None" })).toBeChecked();
    },
  );
});
