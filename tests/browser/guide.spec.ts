import type { Page } from "@playwright/test";
import { Booking } from "../../models/booking";
import { Completion } from "../../models/completion";
import { Notification } from "../../models/notification";
import { Review } from "../../models/review";
import type { TourDocument } from "../../models/tour";
import { User, type UserDocument } from "../../models/user";
import { mailsPath } from "../support/app";
import {
  makeBooking,
  makeBookedExplorer,
  makeReview,
  makeTour,
  makeUser,
} from "../support/factories";
import { expect, FORMS, expectAccessible, notice, star, test } from "./support";

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

test.describe("overview", () => {
  test("shows the own tours with chart, reviews and departures", async ({ page, logIn }) => {
    const { guide, tour, explorer } = await makeOpenDeparture();
    const quiet = await makeTour({ title: "A Quiet Walk", createdById: guide._id });
    await makeBooking(await makeUser({ name: "Uma" }), quiet, {
      status: "PENDING",
      date: inTime(3 * DAY_MS),
    });
    await makeBooking(await makeUser({ name: "Pia" }), quiet, { date: ago(3 * DAY_MS) });
    const foreign = await makeTour({ title: "Somebody Else's Tour", date: ago(HOUR_MS) });
    await makeReview(await makeBookedExplorer(foreign), foreign, { comment: "Not for this guide" });
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
    await expect(chart).toBeVisible();
    await expect(chart).toHaveAccessibleName(/Fewer than five reviews a month/);
    await expect(chart.locator("polyline")).toHaveCount(0);
    await expect(chart.locator("circle")).toHaveCount(2);
    await expect(chart.locator(".chart-count")).toHaveText(["1", "1"]);
    const months = tours.nth(1).getByRole("table").getByRole("row");
    await expect(months).toHaveCount(3);
    await expect(months.last()).toContainText("5.0 out of 5");
    await expect(months.last()).toContainText("1 review");

    const reviews = page
      .getByRole("region", { name: "Reviews", exact: true })
      .getByRole("listitem");
    await expect(reviews.locator("strong")).toHaveText(["Olaf", "Nele"]);
    await expect(page.getByText("1 review in the last 7 days.")).toBeVisible();
    await expect(reviews.getByText("New", { exact: true })).toHaveCount(1);
    await expect(reviews.nth(0)).toContainText("2 out of 5 stars");
    await expect(reviews.nth(0).getByText("Wet.")).toHaveText("Wet.\nCold.");
    await expect(page.getByText("Not for this guide")).toHaveCount(0);
    await expect(page.getByText("Somebody Else's Tour")).toHaveCount(0);

    // What needs action first, then what is new, then the ratings over time, then all departures.
    await expect(
      page.getByRole("main").locator("section > h2, section > div:first-child > h2"),
    ).toHaveText(["To be completed", "Reviews", "Tours", "Departures"]);
    await expect(departures(page).getByRole("heading", { level: 3 })).toHaveText([
      "Upcoming",
      "Last 30 days",
    ]);
    await expect(completeButton(page)).toHaveCount(1);
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
  });

  test("folds what comes after the next five departures and three reviews", async ({
    page,
    logIn,
  }) => {
    const guide = await makeUser();
    const tour = await makeTour({ title: "Walk", createdById: guide._id });
    const ann = await makeUser({ name: "Ann" });
    const bob = await makeUser({ name: "Bob" });
    const soon = inTime(DAY_MS);
    await makeBooking(bob, tour, { status: "CANCELLED", date: soon });
    for (let days = 0; days < 7; days++)
      await makeBooking(ann, tour, {
        status: "PENDING",
        date: new Date(soon.getTime() + days * DAY_MS),
      });
    for (let n = 1; n <= 4; n++)
      await makeReview(await makeUser({ name: `Number ${n}` }), tour, {
        createdAt: ago(n * DAY_MS),
      });
    await logIn(guide);
    await page.goto("/guide");
    const upcoming = departures(page).getByText("1 pending");
    await expect(upcoming.filter({ visible: true })).toHaveCount(5);
    // Pending before cancelled, whoever booked first.
    await upcoming.first().click();
    await expect(departures(page).locator(".bookings").first().locator(".badge")).toHaveText([
      "Pending",
      "Cancelled",
    ]);
    await page.getByText("Later departures").click();
    await expect(upcoming.filter({ visible: true })).toHaveCount(7);
    const author = (name: string) => page.locator(".reviews strong").getByText(name);
    await expect(author("Number 3")).toBeVisible();
    await expect(author("Number 4")).toBeHidden();
    await page.getByText("More reviews").click();
    await expect(author("Number 4")).toBeVisible();
  });

  test("has page numbers within what they page", async ({ page, logIn }) => {
    const { guide, tour, explorer } = await makeOpenDeparture();
    for (let days = 1; days <= 12; days++)
      await makeBooking(explorer, tour, { status: "PENDING", date: inTime(days * DAY_MS) });
    await logIn(guide);
    await page.goto("/guide");
    const second = page.getByRole("link", { name: "Page 2" });
    await expect(second).toHaveCount(0);
    await page.getByText("Later departures").click();
    await second.click();
    await expect(page).toHaveURL("/guide?upcoming=2#upcoming");
    // Too few for a fold.
    await expect(departures(page).getByText("1 pending")).toHaveCount(2);
    await expect(page.getByRole("link", { name: "Page 1" })).toBeVisible();
  });

  test("leads from each review to its page, and from there on to the guide's own", async ({
    page,
    logIn,
  }) => {
    const { guide, tour } = await makeOpenDeparture();
    const { _id } = await makeReview(await makeBookedExplorer(tour, { name: "Nele" }), tour);
    await logIn(guide);
    await page.goto("/guide");
    await page.getByRole("link", { name: "See the review by Nele" }).click();
    await expect(page).toHaveURL(`/reviews/${_id.toString()}`);
    await page.goto("/guide");
    await page.getByRole("link", { name: "Your public page" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Gwen Guide");
    await page.getByRole("link", { name: "See the review by Nele" }).click();
    await expect(page).toHaveURL(`/reviews/${_id.toString()}`);
  });

  test("shows the reviews of a tour and of a number of stars", async ({ page, logIn, scripts }) => {
    const { guide, tour } = await makeOpenDeparture();
    const other = await makeTour({ title: "A Quiet Walk", createdById: guide._id });
    for (let n = 0; n < 24; n++)
      await makeReview(await makeUser({ name: `Number ${n}` }), n === 7 ? other : tour, {
        ...{ rating: n % 12 === 0 ? 2 : 5, createdAt: ago(n * HOUR_MS) },
      });
    await logIn(guide);
    await page.goto("/guide");
    const reviews = page.getByRole("region", { name: "Reviews", exact: true });
    const names = reviews.locator(".reviews > li strong");
    await expect(names.filter({ visible: true })).toHaveCount(3);
    await expect(reviews.getByLabel("Stars").locator("option")).toHaveText([
      ...["All", "5 stars (22)", "4 stars (0)", "3 stars (0)", "2 stars (2)", "1 star (0)"],
    ]);
    await reviews.getByLabel("Order").selectOption("Newest first");
    await reviews.getByLabel("Stars").selectOption("2 stars (2)");
    await reviews.getByRole("button", { name: "Show" }).click();
    await expect(names).toHaveText(["Number 0", "Number 12"]);
    await expect(reviews.getByText("2 of 24 reviews")).toBeVisible();
    await expect(page).toHaveURL("/guide?tour=&stars=2&sort=newest#reviews");

    await reviews.getByLabel("Tour").selectOption("A Quiet Walk");
    await reviews.getByLabel("Stars").selectOption("All");
    await reviews.getByRole("button", { name: "Show" }).click();
    await expect(names).toHaveText(["Number 7"]);
    await reviews.getByLabel("Stars").selectOption("1 star (0)");
    await reviews.getByRole("button", { name: "Show" }).click();
    await expect(reviews.getByText("There are no such reviews.")).toBeVisible();
    await page.goBack();
    await expect(names).toHaveText(["Number 7"]);
    // Without scripts a browser may show the page with what was last chosen on it.
    if (scripts) await expect(reviews.getByLabel("Stars")).toHaveValue("");
    await expect(reviews.getByLabel("Tour")).toHaveValue(other._id.toString());

    await reviews.getByRole("link", { name: "Show all reviews" }).click();
    await expect(reviews.getByLabel("Tour")).toHaveValue("");
    await reviews.getByRole("link", { name: "Earlier reviews" }).click();
    await expect(names).toHaveText([20, 21, 22, 23].map((n) => `Number ${n}`));
    await reviews.getByRole("link", { name: "Newest reviews" }).click();
    await expect(names.filter({ visible: true })).toHaveCount(20);
  });

  test("explains to somebody without tours what it is for", async ({ page, logIn }) => {
    await logIn(await makeUser());
    await page.goto("/");
    await expect(page.getByRole("link", { name: "My tours" })).toHaveCount(0);
    await page.goto("/guide");
    await expect(page.getByText("You do not lead a tour yet.")).toBeVisible();
  });
});

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

  test("turns the confirmed bookings of that date, and no others", async ({ page, logIn }) => {
    const { guide, tour, explorer } = await makeOpenDeparture();
    const [second, pending, cancelled, later] = [
      await makeUser(),
      await makeUser(),
      await makeUser(),
      await makeUser(),
    ];
    await makeBooking(second, tour, { status: "CONFIRMED", date: tour.date! });
    await makeBooking(pending, tour, { status: "PENDING" });
    await makeBooking(cancelled, tour, { status: "CANCELLED" });
    await makeBooking(later, tour, { status: "CONFIRMED", date: inTime(DAY_MS) });
    await logIn(guide);
    await page.goto("/guide");
    await expect(page.getByRole("region", { name: "To be completed" })).toContainText(
      "2 confirmed, 1 pending, 1 cancelled",
    );
    await completeButton(page).click();
    await expect(notice(page)).toContainText("2 explorers can now review it.");
    const people = [explorer, second, pending, cancelled, later];
    expect(await Promise.all(people.map((user) => statusOf(user, tour)))).toEqual([
      "COMPLETED",
      "COMPLETED",
      "PENDING",
      "CANCELLED",
      "CONFIRMED",
    ]);
  });

  test("leaves out who did not come, until it is undone; reviews stay", async ({
    page,
    logIn,
    context,
  }) => {
    const { guide, tour, explorer } = await makeOpenDeparture();
    const namesakes = [await makeUser({ name: "Ann" }), await makeUser({ name: "Ann" })];
    for (const user of namesakes) await makeBooking(user, tour, { status: "CONFIRMED" });
    const others = await makeTour({ title: "A Quiet Walk", createdById: guide._id });
    await makeBooking(explorer, others, { status: "CONFIRMED", date: ago(3 * HOUR_MS) });
    await logIn(guide);
    await page.goto("/guide");
    // Which of the buttons it is, for who does not see the card around it.
    for (const title of ["Harbour at Dawn", "A Quiet Walk"])
      await expect(
        page.getByRole("button", { name: new RegExp(`^Mark as completed ${title} .*\\d:\\d\\d`) }),
      ).toHaveCount(1);
    await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(0);
    await page.getByRole("checkbox", { name: "Ann (2 of 2) did not come" }).check();
    await page.getByRole("button", { name: /^Mark as completed Harbour/ }).click();
    await expect(notice(page)).toContainText(
      "2 explorers can now review it. One explorer did not come.",
    );
    await expectAccessible(page);
    const people = [explorer, ...namesakes];
    const statuses = () => Promise.all(people.map((user) => statusOf(user, tour)));
    expect(await statuses()).toEqual(["COMPLETED", "COMPLETED", "NO_SHOW"]);
    await expect(departures(page)).toContainText("2 completed, 1 did not come");

    await context.clearCookies();
    await logIn(namesakes[1]!);
    await page.goto(`/tours/${tour.slug}`);
    await expect(button(page, "Post review")).toHaveCount(0);
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
    await expect(completeButton(page)).toHaveCount(2);
    await expect(page.getByText("Written meanwhile")).toBeVisible();
  });

  test("can no longer be undone after ten minutes, and says so", async ({ page, logIn }) => {
    const { guide, tour, explorer } = await makeOpenDeparture();
    await logIn(guide);
    await page.goto("/guide");
    await completeButton(page).click();
    await expect(page.getByRole("button", { name: /^Undo/ })).toBeVisible();
    await Completion.updateOne({ tourId: tour._id }, { completedAt: ago(11 * 60_000) });
    await page.getByRole("button", { name: /^Undo/ }).click();
    await expect(page.getByRole("alert")).toHaveText("This can only be undone within ten minutes");
    expect(await statusOf(explorer, tour)).toBe("COMPLETED");
  });

  test("names all explorers of a large departure where the guide asks for it", async ({
    page,
    logIn,
  }) => {
    const { guide, tour } = await makeOpenDeparture();
    for (let n = 0; n < 60; n++)
      await makeBooking(await makeUser({ name: `Guest ${n}` }), tour, { status: "CONFIRMED" });
    await logIn(guide);
    await page.goto("/guide");
    await page.getByText("Tick the explorers who did not come.").click();
    await expect(page.getByRole("checkbox")).toHaveCount(50);
    await page.getByRole("checkbox", { name: "Guest 3 did not come" }).check();
    await page.getByRole("link", { name: "Name all of them" }).click();
    await expect(page.getByRole("checkbox")).toHaveCount(61);
    for (const name of ["Guest 3", "Guest 59"])
      await page.getByRole("checkbox", { name: `${name} did not come`, exact: true }).check();
    await completeButton(page).click();
    await expect(notice(page)).toContainText(
      "59 explorers can now review it. 2 explorers did not come.",
    );
  });

  test("twice at once does no harm", async ({ page, logIn }) => {
    const { guide, tour, explorer } = await makeOpenDeparture();
    await logIn(guide);
    await page.goto("/guide");
    await completeButton(page).dblclick();
    await expect(notice(page)).toHaveText(/is marked as completed|was already completed/);
    await expect(completeButton(page)).toHaveCount(0);
    expect(await statusOf(explorer, tour)).toBe("COMPLETED");
  });

  test("from a page that is out of date says so", async ({ page, logIn, context }) => {
    const { guide } = await makeOpenDeparture();
    await logIn(guide);
    const other = await context.newPage();
    for (const tab of [page, other]) await tab.goto("/guide");
    await completeButton(page).click();
    await expect(notice(page)).toContainText("is marked as completed.");
    await completeButton(other).click();
    await expect(notice(other)).toHaveText(
      "This departure was already completed. Nothing was changed.",
    );
  });

  test("works with the keyboard alone", async ({ page, logIn }) => {
    const { guide, tour, explorer } = await makeOpenDeparture();
    await logIn(guide);
    await page.goto("/guide");
    await expect(completeButton(page)).toBeVisible();
    for (let steps = 0; steps < 30; steps++) {
      await page.keyboard.press("Tab");
      if (await completeButton(page).evaluate((element) => element === document.activeElement))
        break;
    }
    await expect(completeButton(page)).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(notice(page)).toContainText("is marked as completed.");
    expect(await statusOf(explorer, tour)).toBe("COMPLETED");
  });
});

test.describe("e-mails", () => {
  test("their settings are saved and shown", async ({ page, logIn }) => {
    const { createdById: _id } = await makeTour();
    await logIn({ _id });
    await page.goto("/guide");
    await page.getByRole("link", { name: "E-mail settings" }).click();
    const choice = (name: string) => page.getByRole("radio", { name, exact: true });
    await expect(choice("Each review")).toBeChecked();
    for (const [name, stored] of [
      ["Once a day", "daily"],
      ["None", "none"],
      ["Each review", "each"],
    ] as const) {
      await choice(name).check();
      await button(page, "Save").click();
      await expect(notice(page)).toHaveText("Your e-mail settings are saved.");
      expect(await mailsOf({ _id })).toBe(stored);
      await page.goto("/guide/mail");
      await expect(choice(name)).toBeChecked();
      await expect(page.getByText("Your e-mail settings are saved.")).toHaveCount(0);
    }
  });

  test("their settings work with the keyboard alone", async ({ page, logIn }) => {
    const { createdById: _id } = await makeTour();
    await logIn({ _id });
    await page.goto("/guide/mail");
    const chosen = page.getByRole("radio", { name: "Each review" });
    await expect(chosen).toBeVisible();
    for (let steps = 0; steps < 20; steps++) {
      await page.keyboard.press("Tab");
      if (await chosen.evaluate((element) => element === document.activeElement)) break;
    }
    await page.keyboard.press("ArrowDown");
    await expect(page.getByRole("radio", { name: "Once a day" })).toBeChecked();
    await page.keyboard.press("Enter");
    await expect(notice(page)).toHaveText("Your e-mail settings are saved.");
    expect(await mailsOf({ _id })).toBe("daily");
  });

  test("a review's mail is captured in HTML and text", async ({ page, logIn }) => {
    const title = "Roofs & <b>Bells</b>";
    const tour = await makeTour({ title });
    await logIn(await makeBookedExplorer(tour, { name: "Ann" }));
    const id = await postReview(page, tour, "Loud.\n<i>Lovely</i>.");
    await page.goto(mailsPath(id));
    const subject = `New 4-star review of ${title}`;
    await expect(page.getByRole("heading", { level: 2 })).toHaveText(subject);
    await expect(page.getByRole("link", { name: subject }).first()).toHaveAttribute(
      "aria-current",
      "true",
    );
    const html = page.frameLocator("iframe.mail-preview");
    await expect(html.getByText("Ann reviewed your tour")).toBeVisible();
    await expect(html.getByText(title)).toBeVisible();
    await expect(html.getByText("4 out of 5", { exact: false }).last()).toBeVisible();
    await expect(html.getByText("Loud.")).toBeVisible();
    await expect(html.getByText("<i>Lovely</i>.")).toBeVisible();
    await expect(html.getByRole("link", { name: "See the tour’s page" })).toHaveAttribute(
      "href",
      `${process.env.APP_URL}/tours/${tour.slug}`,
    );
    await expect(html.getByRole("link", { name: "Read the review" })).toHaveAttribute(
      "href",
      `${process.env.APP_URL}/reviews/${id}`,
    );
    const text = page.locator(".mail-text");
    await expect(text).toContainText(`Ann reviewed your tour "${title}".`);
    await expect(text).toContainText("Rating: 4 out of 5  ★★★★☆");
    await expect(text).toContainText("> Loud.\n> <i>Lovely</i>.");
    await expect(text).toContainText(`${process.env.APP_URL}/tours/${tour.slug}`);
    // Opened on its own, the mail runs no script, and no other site can show it in a frame.
    const own = await page.request.get(`/dev/mail/${id}`);
    expect(own.headers()["content-security-policy"]).toContain("default-src 'none'");
    expect(await own.text()).toContain("&lt;i&gt;Lovely&lt;/i&gt;");
  });

  test("a captured mail's link leads to a button that stops them; the link alone does not", async ({
    page,
    logIn,
    context,
  }) => {
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

    // The next review is on the page and in no mail.
    await context.clearCookies();
    const next = await makeBookedExplorer(tour, { name: "Next" });
    await logIn(next);
    await page.goto(`/tours/${tour.slug}`);
    await star(page, 5).check();
    await button(page, "Post review").click();
    await expect(notice(page)).toContainText("Thank you. Yours is the");
    expect(await Notification.countDocuments({ guideId: guide._id })).toBe(1);
  });

  test("a forged link stops nothing", async ({ page }) => {
    const { createdById } = await makeTour();
    const response = await page.goto(`/unsubscribe/${createdById.toString()}${"x".repeat(43)}`);
    expect(response?.status()).toBe(404);
    await expect(page.getByRole("main")).toContainText("This link is not valid.");
    await expect(button(page, "Stop these e-mails")).toHaveCount(0);
  });
});
