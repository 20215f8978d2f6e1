import { Absence } from "#models/absence";
import { Booking } from "#models/booking";
import { type AccountNotification, Notification } from "#models/notification";
import { makeBooking, makeTour, makeUser } from "../support/factories";
import { EITHER, expect, expectAccessible, notice, test, unique } from "./support";

// A guide says that an explorer did not come; the explorer is asked, objects, and reviews the tour.

const HOUR = 60 * 60 * 1_000;
const ago = (ms: number) => new Date(Date.now() - ms);
const SAY_SO = "I was there, or the guide wasn’t";

test(
  "an explorer objects by the link of an e-mail, without a log-in, and can review the tour",
  { tag: EITHER },
  async ({ page, context, logIn, open }) => {
    const guide = await makeUser({ name: "Gwen Guide" });
    const tour = await makeTour({ title: `Night Walk ${unique()}`, createdById: guide._id });
    const explorer = await makeUser({ name: "Ann" });
    await makeBooking(explorer, tour, { status: "CONFIRMED", date: ago(4 * HOUR) });
    const status = async () =>
      (await Booking.findOne({ userId: explorer._id }).orFail().lean()).status;
    await logIn(guide);
    await open("/guide");
    await page.getByText("Some did not come").click();
    await page.getByRole("checkbox", { name: "Ann did not come" }).check();
    await page.getByRole("button", { name: /^Mark as completed/ }).click();
    await expect(notice(page)).toContainText("One explorer did not come.");
    await context.clearCookies();

    // Eleven minutes later.
    const said = { at: ago(11 * 60_000), tellAt: ago(60_000) };
    await Absence.updateOne({ userId: explorer._id }, { $set: said });
    const mailTo = (user: typeof guide) =>
      Notification.findOne({ owner: user._id.toString() }).lean<AccountNotification>();
    // Within 15 seconds.
    await expect.poll(() => mailTo(explorer), { timeout: 60_000 }).not.toBeNull();
    const [address] = /http\S+\/absences\/\S+/.exec((await mailTo(explorer))!.mail!.text)!;

    await open(new URL(address).pathname);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Did you take this tour?");
    await expect(page.getByRole("main")).toContainText(
      `Gwen Guide says that you did not come to ${tour.title} on `,
    );
    await expectAccessible(page);
    expect(await status()).toBe("NO_SHOW");
    await page.getByRole("button", { name: SAY_SO }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Thank you for telling us");
    await expectAccessible(page);
    expect(await status()).toBe("COMPLETED");
    await logIn(explorer);
    await page.getByRole("link", { name: "Review the tour" }).click();
    await expect(page.getByRole("button", { name: "Post review" })).toBeVisible();

    await context.clearCookies();
    await logIn(guide);
    await open("/guide");
    const said2 = page.getByRole("region", { name: "Disputed no-shows" });
    await expect(said2).toContainText("Ann");
    await expect(said2).toContainText(tour.title);
    await expectAccessible(page);
    expect((await mailTo(guide))!.mail!.subject).toContain("Ann says that they came to");
  },
);
