import type { Page } from "@playwright/test";
import type { Types } from "mongoose";
import { newCase } from "~/moderation/reports/stored-report.server";
import { Case, type CaseDocument } from "#models/case";
import { Notification, type AccountNotification } from "#models/notification";
import { Operator } from "#models/operator";
import { RemovedReview } from "#models/removed-review";
import { Review } from "#models/review";
import { Session } from "#models/session";
import { Tour } from "#models/tour";
import { type UserDocument } from "#models/user";
import { confirmOperator } from "../support/app";
import {
  makeBookedExplorer,
  makeReply,
  makeReview,
  makeTour,
  makeUser,
  PASSWORD,
} from "../support/factories";
import {
  EITHER,
  expect,
  FORMS,
  expectAccessible,
  NO_SCRIPTS,
  notice,
  test,
  unique,
} from "./support";

// A review is reported by a visitor, decided about by an operator, and its author appeals; an author is warned, then
// suspended.

async function scene() {
  const guide = await makeUser({ name: "Gwen Guide" });
  const tour = await makeTour({ title: `Harbour ${unique()}`, createdById: guide._id });
  await makeReview(await makeBookedExplorer(tour), tour, { rating: 5 });
  const author = await makeBookedExplorer(tour, { name: "Evi Explorer" });
  const review = await makeReview(author, tour, { rating: 1, comment: "Call him at 555-0100." });
  const operator = await makeOperator("Olga Operator");
  return { guide, tour, author, review, operator, page: `/reviews/${review._id.toString()}` };
}

async function makeOperator(name: string) {
  const operator = await makeUser({ name });
  await Operator.create({ _id: operator._id, since: new Date() });
  return operator;
}

/** Stores a case in which an operator has decided so about the scene's review. */
async function makeDecided(
  { tour, author, review, operator }: Awaited<ReturnType<typeof scene>>,
  action: "redact" | "remove",
) {
  const at = new Date();
  const snapshot = { rating: 1, text: review.comment!, at };
  const ids = { reviewId: review._id, tourId: tour._id, authorId: author._id };
  const item = { kind: "review" as const, ...ids, tag: "as reported", snapshot };
  const ground = "hateful" as const;
  const decision = { at, operatorId: operator._id, action, ground, explanation: "It insults." };
  const found = { ...newCase(item, at), state: "decided" as const, version: 2 };
  await Case.insertMany([{ ...found, decisions: [{ ...decision, onAppeal: false }] }]);
  return found._id;
}

const caseOf = async (reviewId: Types.ObjectId) =>
  (await Case.findOne({ reviewId }).sort({ openedAt: -1 }).lean<CaseDocument>())!;

const mailTo = async (email: string) =>
  (
    (await Notification.find({ "mail.to.email": email })
      .sort({ createdAt: -1 })
      .limit(1)
      .lean()) as AccountNotification[]
  )[0]!.mail!;

/** The path of the link to a case in an e-mail. */
const linkIn = (text: string) => /\/cases\/[\w-]+/.exec(text)![0];

const main = (page: Page) => page.getByRole("main");
const heading = (page: Page) => page.getByRole("heading", { level: 1 });

/** Fills in the form of a report, and sends it. */
async function sendReport(page: Page, reason: string, words: string): Promise<void> {
  await page.getByLabel(reason).check();
  await page.getByLabel("Tell us more").fill(words);
  await page.getByLabel("I believe in good faith").check();
  await page.getByRole("button", { name: "Send the report" }).click();
  await expect(heading(page)).toHaveText("Your report");
  await expect(main(page)).toContainText("We have not decided yet.");
}

/** Decides on the page of a case, with that ground unless there is none to choose. */
async function decide(page: Page, choice: string, ground: string | null, explanation: string) {
  await page.getByRole("link", { name: choice }).first().click();
  if (ground) await page.getByLabel("Ground", { exact: true }).selectOption(ground);
  await page.getByLabel("Explanation").fill(explanation);
  if (ground) {
    await page.getByRole("button", { name: "Continue to the summary" }).click();
    const summary = page.getByRole("form", { name: "Check your decision" });
    await expect(summary).toContainText(explanation);
    await expectAccessible(page);
    await summary.getByRole("button", { name: /^Remove the / }).click();
  } else await page.getByRole("button", { name: "Decide and notify the people involved" }).click();
  await expect(notice(page)).toHaveText("Your decision was stored.");
}

test(
  "a visitor reports a review, an operator removes it, its author appeals and gets it back",
  { tag: FORMS },
  async ({ page, context, logIn, open }) => {
    const { tour, author, review, operator, page: address } = await scene();
    // By a visitor without an account.
    const email = `rita-${unique()}@example.test`;
    await open(`/tours/${tour.slug}`);
    const card = page.getByRole("article", { name: "Review by Evi Explorer" });
    await card.locator(".review-menu > summary").click();
    await card.getByRole("link", { name: "Report the review by Evi Explorer" }).click();
    await expect(main(page)).toContainText("Call him at 555-0100.");
    await page.getByRole("button", { name: "Send the report" }).click();
    await expect(page.getByRole("alert")).toContainText("Choose a reason.");
    await expectAccessible(page);
    await page.getByLabel("Your e-mail address").fill(email);
    await sendReport(page, "It shares personal information", "It is my number.");
    await expectAccessible(page);
    await expect(page.getByText("We have also e-mailed this link")).toBeVisible();
    await expect(page.getByRole("heading", { name: "Next steps" })).toBeVisible();
    const receipt = page.url();

    // By the e-mail's link, whose reader is asked first.
    const { text } = await mailTo(email);
    await page.goto(/\/receipts\/[\w-]+/.exec(text)![0]);
    await expect(heading(page)).toHaveText("Did you send this report?");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Yes, show my report" }).click();
    await expect(page).toHaveURL(receipt);

    // By an operator, who gives the password first.
    await logIn(operator);
    const { _id: caseId } = await caseOf(review._id);
    await Session.updateMany({ userId: operator._id }, { $unset: { "data.operatorUntil": true } });
    await open(`/operator/cases/${caseId.toString()}`);
    await page.getByLabel("Your password", { exact: true }).fill("walk the old town 2026");
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(heading(page)).toHaveText("A reported review");
    await expect(main(page)).toContainText("It is my number.");
    await page.getByRole("link", { name: "Remove the words", exact: false }).first().click();
    await expect(main(page)).toContainText("in place of the words");
    const choice = "Remove the review: it is not genuine";
    await page.getByRole("link", { name: choice }).click();
    await expect(main(page)).toContainText("its stars do not count");
    await page.getByRole("button", { name: "Continue to the summary" }).click();
    await expect(page.getByRole("alert")).toContainText("Choose a ground.");
    await expectAccessible(page);
    await decide(page, choice, "personal-data", "It gives away a number.");
    expect((await Tour.findById(tour._id).orFail()).avgRating).toBe(5);
    expect((await page.goto(address))!.status()).toBe(410);

    // The reporter sees this without an account.
    await context.clearCookies();
    await page.goto(receipt);
    await expect(main(page)).toContainText("It gives away a number.");
    await expect(main(page)).not.toContainText("555-0100");

    // The author comes by the e-mail's link, without a log-in.
    await open(linkIn((await mailTo(author.email)).text));
    await expect(main(page)).toContainText("Call him at 555-0100.");
    await page.getByLabel("Why is it wrong?").fill("It is the harbour master’s public number.");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Send the appeal" }).click();
    await expect(page.getByText("You have appealed against the decision.")).toBeVisible();

    // Another operator decides, as there is one.
    await Operator.deleteOne({ _id: operator._id });
    const second = await makeOperator("Otto Operator");
    await logIn(second);
    await open(`/operator/cases/${caseId.toString()}`);
    await expect(main(page)).toContainText("harbour master’s public number");
    const why = "A public number is no personal data.";
    await decide(page, "Show the review again as it was", null, why);
    await page.goto(address);
    await expect(page.getByRole("article")).toContainText("Call him at 555-0100.");
    expect((await Tour.findById(tour._id).orFail()).avgRating).toBe(3);
  },
);

test(
  "a redaction shows when and why the words were removed; the rating stays",
  { tag: NO_SCRIPTS },
  async ({ page, logIn, open }) => {
    const { review, operator, author, page: address, tour } = await scene();
    await page.goto(`/report?url=${encodeURIComponent(address)}`);
    await sendReport(page, "It is insulting or hateful", "Rude.");
    await logIn(operator);
    await open(`/operator/cases/${(await caseOf(review._id))._id.toString()}`);
    // Every page of an operator's counts the cases that wait.
    const reports = page.getByRole("banner").getByRole("link", { name: /^Reports/ });
    await expect(reports).toHaveText(/^Reports\d+\+? waiting for you$/);
    await decide(page, "Remove the words: they are unlawful", "hateful", "It insults.");
    for (const shown of [address, `/tours/${tour.slug}`]) {
      await page.goto(shown);
      const card = page.getByRole("article", { name: "Review by Evi Explorer" });
      await expect(card).toContainText(/The words were removed on \d+ \w+ \d{4}: insulting/);
      const rule = card.getByRole("link", { name: "insulting or hateful" });
      await expect(rule).toHaveAttribute("href", "/about/reviews#content");
      await expect(card).not.toContainText("555-0100");
    }
    expect((await Tour.findById(tour._id).orFail()).avgRating).toBe(3);
    await logIn(author);
    await page.goto("/me");
    await expect(main(page)).toContainText(/The words were removed on \d+ \w+ \d{4}: insulting/);
    await page.getByRole("link", { name: "See the decision, or appeal" }).click();
    await expect(main(page)).toContainText("It insults.");
  },
);

test(
  "an operator reads what waits and what is decided, and searches in that",
  { tag: EITHER },
  async ({ page, logIn, open }) => {
    const made = await scene();
    const other = await scene();
    await makeDecided(made, "remove");
    await makeDecided(other, "redact");
    await logIn(made.operator);
    await open("/operator");
    const tabs = page.getByRole("navigation", { name: "Cases" });
    const tab = (name: string) => tabs.getByRole("link", { name });
    const cases = main(page).getByRole("link", { name: "A review of " });
    await expect(tab("Waiting")).toHaveAttribute("aria-current", "page");
    await expect(cases.filter({ hasText: made.tour.title })).toHaveCount(0);

    const colour = (name: string) =>
      tab(name).evaluate((link) => getComputedStyle(link).backgroundColor);
    expect(await colour("Waiting")).not.toBe(await colour("Decided"));

    await tab("Decided").click();
    await expect(tab("Decided")).toHaveAttribute("aria-current", "page");
    await expect(main(page)).toContainText("These cases are decided, the latest first.");
    const search = page.getByRole("searchbox", { name: "Search decided cases" });
    const word = made.tour.title.split(" ")[1]!;
    await search.fill(word);
    await search.press("Enter");
    await expect(cases).toHaveText([`A review of ${made.tour.title}`]);
    await expect(search).toHaveValue(word);
    await expect(main(page)).toContainText("Call him at 555-0100.");
    await expectAccessible(page);

    await search.fill(unique());
    await search.press("Enter");
    await expect(main(page)).toContainText("No decided case is found.");
    await page.getByRole("link", { name: "Show all" }).click();
    await expect(cases.filter({ hasText: other.tour.title })).toBeVisible();
    await tab("Waiting").click();
    await expect(tab("Waiting")).toHaveAttribute("aria-current", "page");
    await expect(search).toHaveCount(0);
  },
);

test(
  "a reply is reported and removed; its guide reads why",
  { tag: NO_SCRIPTS },
  async ({ page, logIn, open }) => {
    const { guide, review, operator, page: address } = await scene();
    await makeReply(guide, review, { text: "You know where I live." });
    await page.goto(address);
    await page.locator(".review-menu > summary").click();
    await page.getByRole("link", { name: "Report the reply" }).click();
    await expect(main(page)).toContainText("You know where I live.");
    await sendReport(page, "It puts somebody’s life or safety in danger", "A threat.");
    await logIn(operator);
    await open("/operator");
    await expect(page.getByText("Danger to life").first()).toBeVisible();
    await open(`/operator/cases/${(await caseOf(review._id))._id.toString()}`);
    await decide(page, "Remove the reply", "danger", "It is a threat.");
    await page.goto(address);
    await expect(page.locator(".reply")).toHaveCount(0);
    await page.goto(linkIn((await mailTo(guide.email)).text));
    await expect(main(page)).toContainText("It is a threat.");
    const field = page.getByRole("textbox", { name: "Your reply" });
    const expectRemoved = async (whose: string) => {
      await page.goto(address);
      const removed = new RegExp(
        `${whose} was removed by a decision on \\d+ \\w+ \\d{4}: danger to somebody’s life or safety`,
      );
      await expect(page.getByRole("region", { name: whose })).toContainText(removed);
      await expect(field).toHaveCount(0);
      // Nor is it asked for where the guide answers one review after the other.
      await page.goto(`/guide?reply=${review._id.toString()}`);
      const row = page.locator(".reviews > li").filter({ hasText: "Evi Explorer" });
      await expect(row).toContainText(removed);
      await expect(row.getByRole("link", { name: "Reply" })).toHaveCount(0);
      await expect(field).toHaveCount(0);
      await page.goto(`${address}/reply`);
      await expect(main(page)).toContainText("This reply was removed by a decision");
    };
    await logIn(guide);
    await expectRemoved("Your reply");
    const next = await makeUser({ name: "Nora Next" });
    await Tour.updateOne({ _id: review.tourId }, { createdById: next._id });
    await logIn(next);
    await expectRemoved("The reply of the guide before you");
  },
);

test(
  "an author finds a removed review on their own page, and deletes it for good",
  { tag: NO_SCRIPTS },
  async ({ page, logIn, open }) => {
    const world = await scene();
    const { author, tour } = world;
    const { _id } = world.review;
    await RemovedReview.create({
      _id,
      tourId: tour._id,
      userId: author._id,
      removedAt: new Date(),
      caseId: await makeDecided(world, "remove"),
      review: { comment: "Rude." },
    });
    await Review.deleteOne({ _id });
    await Tour.updateOne({ _id: tour._id }, { removedReviews: 1 });
    await logIn(author);
    await page.goto(`/tours/${tour.slug}`);
    await expect(main(page)).toContainText("Your review was removed by a decision.");
    await open("/me");
    await page.getByRole("link", { name: "See the decision, or appeal" }).click();
    await expect(main(page)).toContainText("It insults.");
    const remove = page.getByRole("button", { name: "Delete my review" });
    await remove.click();
    await expect(page.getByRole("alert")).toContainText("Tick this if you want to delete");
    await page.getByLabel("Delete my review for good").check();
    await remove.click();
    await expect(main(page)).toContainText("has been deleted meanwhile");
    expect((await RemovedReview.findById(_id).lean())!.review).toBeNull();
    await page.goto("/me");
    await expect(page.getByRole("link", { name: /See the decision/ })).toHaveCount(0);
  },
);

test("an operator warns and suspends an author, who appeals without a log-in and is let in again", async ({
  page,
  context,
  logIn,
  open,
}) => {
  const world = await scene();
  const { author, operator } = world;
  const caseId = await makeDecided(world, "redact");
  const decideAs = async (user: UserDocument, address: string) => {
    await logIn(user);
    await confirmOperator(user._id);
    await open(address);
  };
  await decideAs(operator, `/operator/cases/${caseId.toString()}`);

  await page.getByRole("link", { name: "Warn or suspend the author" }).click();
  await expect(main(page)).toContainText("Evi Explorer");
  await expect(page.getByLabel("Suspend the account")).toBeDisabled();
  const explain = async (words: string, said: string) => {
    await page.getByLabel("Explanation").fill(words);
    await page.getByRole("button", { name: /^(Send the warning|Decide and notify them)$/ }).click();
    await expect(notice(page)).toHaveText(said);
  };
  await page.getByLabel("Warn: nothing else happens").check();
  await explain("Two numbers in a week.", "The warning was sent.");
  await page.getByLabel("Suspend the account").check();
  await page.getByLabel("For how long").selectOption("30");
  await explain("Another number after the warning.", "The suspension has begun.");
  await expect(main(page)).toContainText("which has not ended yet");
  await expectAccessible(page);

  // The author's log-in, with the right password.
  await context.clearCookies();
  const tryToLogIn = async () => {
    await open("/login");
    await page.getByLabel("E-mail address").fill(author.email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Log in" }).click();
  };
  await tryToLogIn();
  await expect(heading(page)).toHaveText("Your account is suspended");
  await expect(main(page)).toContainText("Another number after the warning.");
  await expect(page.getByRole("link", { name: "Download your data" })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Why is it wrong?").fill("It is the harbour master’s number.");
  await page.getByRole("button", { name: "Send the appeal" }).click();
  await expect(page.getByText("You have appealed.")).toBeVisible();
  const address = page.url();

  // Another operator, as there is one.
  await Operator.deleteOne({ _id: operator._id });
  await decideAs(await makeOperator("Otto Operator"), "/operator");
  await page.getByRole("link", { name: "Suspension: Evi Explorer" }).last().click();
  await expect(main(page)).toContainText("harbour master’s number");
  await expectAccessible(page);
  await page.getByLabel("Take it back: it ends at once").check();
  await explain("A public number is no personal data.", "Your decision was stored.");

  await context.clearCookies();
  await page.goto(address);
  await expect(main(page)).toContainText("A public number is no personal data.");
  await expect(page.getByRole("button", { name: "Delete my account" })).toHaveCount(0);
  await tryToLogIn();
  await expect(page).not.toHaveURL(/login/);
  await page.goto("/me");
  await expect(heading(page)).toHaveText("Your reviews");
});
