import type { Page } from "@playwright/test";
import type { Types } from "mongoose";
import { Case, type CaseDocument } from "#models/case";
import { Notification, type AccountNotification } from "#models/notification";
import { Operator } from "#models/operator";
import { RemovedReview } from "#models/removed-review";
import { Review } from "#models/review";
import { Session } from "#models/session";
import { Tour } from "#models/tour";
import { User, type UserDocument } from "#models/user";
import { confirmOperator } from "../support/app";
import {
  makeBookedExplorer,
  makeReply,
  makeReview,
  makeTour,
  makeUser,
  PASSWORD,
} from "../support/factories";
import { expect, FORMS, expectAccessible, NO_SCRIPTS, notice, test, unique } from "./support";

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
  const decision = { at, operatorId: operator._id, action, onAppeal: false };
  const [found] = await Case.insertMany([
    {
      kind: "review" as const,
      reviewId: review._id,
      tourId: tour._id,
      authorId: author._id,
      state: "decided" as const,
      rank: 1 as const,
      since: at,
      openedAt: at,
      version: 2,
      reports: 1,
      reasons: ["hateful" as const],
      tag: "as reported",
      appeals: [],
      decisions: [{ ...decision, ground: "hateful" as const, explanation: "It insults." }],
      snapshot: { rating: 1, text: review.comment!, at },
    },
  ]);
  return found!._id;
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

const reportsLink = (page: Page) =>
  page.getByRole("banner").getByRole("link", { name: /^Reports/ });

/** The path of the link to a case in an e-mail. */
const linkIn = (text: string) => /\/cases\/[\w-]+/.exec(text)![0];

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
    await expect(page.getByRole("main")).toContainText("Call him at 555-0100.");
    await page.getByRole("button", { name: "Send the report" }).click();
    await expect(page.getByRole("alert")).toContainText("Choose a reason.");
    await expectAccessible(page);
    await page.getByLabel("It gives away somebody’s personal data").check();
    await page.getByLabel("Tell us more").fill("It is my number.");
    await page.getByLabel("Your e-mail address").fill(email);
    await page.getByLabel("I believe in good faith").check();
    await page.getByRole("button", { name: "Send the report" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your report");
    await expect(page.getByRole("main")).toContainText("We have not decided yet.");
    await expectAccessible(page);
    await expect(page.getByText("We have also e-mailed this link")).toBeVisible();
    await expect(page.getByRole("heading", { name: "Next steps" })).toBeVisible();
    const receipt = page.url();

    // By the e-mail's link, whose reader is asked first.
    const { text } = await mailTo(email);
    await page.goto(/\/receipts\/[\w-]+/.exec(text)![0]);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Did you send this report?");
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
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("A reported review");
    await expect(page.getByRole("main")).toContainText("It is my number.");
    await page.getByRole("link", { name: "Remove the words", exact: false }).first().click();
    await expect(page.getByRole("main")).toContainText("in place of the words");
    await page.getByRole("link", { name: "Remove the review: it is not genuine" }).click();
    await expect(page.getByRole("main")).toContainText("its stars do not count");
    await page.getByRole("button", { name: "Decide and tell everybody" }).click();
    await expect(page.getByRole("alert")).toContainText("Choose a ground.");
    await expectAccessible(page);
    await page.getByLabel("Ground", { exact: true }).selectOption("personal-data");
    await page.getByLabel("Explanation").fill("It gives away a number.");
    await page.getByRole("button", { name: "Decide and tell everybody" }).click();
    await expect(notice(page)).toHaveText("Your decision was stored.");
    expect((await Tour.findById(tour._id).orFail()).avgRating).toBe(5);
    expect((await page.goto(address))!.status()).toBe(404);

    // What the reporter sees, without an account.
    await context.clearCookies();
    await page.goto(receipt);
    await expect(page.getByRole("main")).toContainText("It gives away a number.");
    await expect(page.getByRole("main")).not.toContainText("555-0100");

    // The author comes by the e-mail's link, without a log-in.
    await open(linkIn((await mailTo(author.email)).text));
    await expect(page.getByRole("main")).toContainText("Call him at 555-0100.");
    await page.getByLabel("Why is it wrong?").fill("It is the harbour master’s public number.");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Send the appeal" }).click();
    await expect(page.getByText("You have appealed against the decision.")).toBeVisible();

    // Another operator decides, as there is one.
    await Operator.deleteOne({ _id: operator._id });
    const second = await makeOperator("Otto Operator");
    await logIn(second);
    await open(`/operator/cases/${caseId.toString()}`);
    await expect(page.getByRole("main")).toContainText("harbour master’s public number");
    await page.getByRole("link", { name: "Show the review again as it was" }).click();
    await page.getByLabel("Explanation").fill("A public number is no personal data.");
    await page.getByRole("button", { name: "Decide and tell everybody" }).click();
    await expect(notice(page)).toHaveText("Your decision was stored.");
    await page.goto(address);
    await expect(page.getByRole("article")).toContainText("Call him at 555-0100.");
    expect((await Tour.findById(tour._id).orFail()).avgRating).toBe(3);
  },
);

test(
  "a redaction shows when and why the words were removed; the rating stays",
  { tag: NO_SCRIPTS },
  async ({ page, logIn, open }) => {
    const { guide, review, operator, page: address, tour } = await scene();
    await page.goto(`/report?url=${encodeURIComponent(address)}`);
    await page.getByLabel("It is insulting or hateful").check();
    await page.getByLabel("Tell us more").fill("Rude.");
    await page.getByLabel("I believe in good faith").check();
    await page.getByRole("button", { name: "Send the report" }).click();
    await expect(page.getByRole("main")).toContainText("We have not decided yet.");
    await logIn(operator);
    await open(`/operator/cases/${(await caseOf(review._id))._id.toString()}`);
    // What waits is counted on every page of an operator's.
    await expect(reportsLink(page)).toHaveText(/^Reports\d+\+? waiting for you$/);
    await page.getByRole("link", { name: "Remove the words: they are unlawful" }).click();
    await page.getByLabel("Ground", { exact: true }).selectOption("hateful");
    await page.getByLabel("Explanation").fill("It insults.");
    await page.getByRole("button", { name: "Decide and tell everybody" }).click();
    await expect(notice(page)).toHaveText("Your decision was stored.");
    for (const shown of [address, `/tours/${tour.slug}`]) {
      await page.goto(shown);
      const card = page.getByRole("article", { name: "Review by Evi Explorer" });
      await expect(card).toContainText(
        /The words were removed on \d+ \w+ \d{4}: insulting or hateful/,
      );
      await expect(card.getByRole("link", { name: "insulting or hateful" })).toHaveAttribute(
        "href",
        "/about/reviews#content",
      );
      await expect(card).not.toContainText("555-0100");
    }
    await page.goto(`/guides/${guide._id.toString()}`);
    const row = page.locator(".reviews > li").filter({ hasText: "Evi Explorer" });
    await expect(row).toContainText("The words were removed on");
    expect((await Tour.findById(tour._id).orFail()).avgRating).toBe(3);
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
    await expect(page.getByRole("main")).toContainText("You know where I live.");
    await page.getByLabel("It puts somebody’s life or safety in danger").check();
    await page.getByLabel("Tell us more").fill("A threat.");
    await page.getByLabel("I believe in good faith").check();
    await page.getByRole("button", { name: "Send the report" }).click();
    await expect(page.getByRole("main")).toContainText("We have not decided yet.");
    await logIn(operator);
    await open("/operator");
    await expect(page.getByText("Danger to life").first()).toBeVisible();
    await open(`/operator/cases/${(await caseOf(review._id))._id.toString()}`);
    await page.getByRole("link", { name: "Remove the reply", exact: true }).click();
    await page.getByLabel("Ground", { exact: true }).selectOption("danger");
    await page.getByLabel("Explanation").fill("It is a threat.");
    await page.getByRole("button", { name: "Decide and tell everybody" }).click();
    await expect(notice(page)).toHaveText("Your decision was stored.");
    await page.goto(address);
    await expect(page.locator(".reply")).toHaveCount(0);
    await page.goto(linkIn((await mailTo(guide.email)).text));
    await expect(page.getByRole("main")).toContainText("It is a threat.");
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
      await expect(page.getByRole("main")).toContainText("This reply was removed by a decision");
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
    await expect(page.getByRole("main")).toContainText("Your review was removed by a decision.");
    await open("/me");
    await page.getByRole("link", { name: "See the decision, or appeal" }).click();
    await expect(page.getByRole("main")).toContainText("It insults.");
    await page.getByRole("button", { name: "Delete my review" }).click();
    await expect(page.getByRole("main")).toContainText("has been deleted meanwhile");
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
  await expect(page.getByRole("main")).toContainText("Evi Explorer");
  await expect(page.getByLabel("Suspend the account")).toBeDisabled();
  await page.getByRole("button", { name: "Decide and tell them" }).click();
  await expect(page.getByRole("alert")).toContainText("Choose what to do.");
  await expectAccessible(page);
  await page.getByLabel("Warn: nothing else happens").check();
  await page.getByLabel("Explanation").fill("Two numbers in a week.");
  await page.getByRole("button", { name: "Decide and tell them" }).click();
  await expect(notice(page)).toHaveText("The warning was sent.");
  await page.getByLabel("Suspend the account").check();
  await page.getByLabel("For how long").selectOption("30");
  await page.getByLabel("Explanation").fill("Another number after the warning.");
  await page.getByRole("button", { name: "Decide and tell them" }).click();
  await expect(notice(page)).toHaveText("The suspension has begun.");
  await expect(page.getByRole("main")).toContainText("which has not ended yet");
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
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your account is suspended");
  await expect(page.getByRole("main")).toContainText("Another number after the warning.");
  await expect(page.getByRole("link", { name: "Download your data" })).toBeVisible();
  await page.getByRole("button", { name: "Delete my account" }).click();
  await expect(page.getByRole("alert")).toContainText("Tick this if you want to delete");
  await expectAccessible(page);
  expect(await User.exists({ _id: author._id })).not.toBeNull();
  await page.getByLabel("Why is it wrong?").fill("It is the harbour master’s number.");
  await page.getByRole("button", { name: "Send the appeal" }).click();
  await expect(page.getByText("You have appealed.")).toBeVisible();
  const address = page.url();

  // Another operator, as there is one.
  await Operator.deleteOne({ _id: operator._id });
  await decideAs(await makeOperator("Otto Operator"), "/operator");
  await page.getByRole("link", { name: "Suspension: Evi Explorer" }).last().click();
  await expect(page.getByRole("main")).toContainText("harbour master’s number");
  await expectAccessible(page);
  await page.getByLabel("Take it back: it ends at once").check();
  await page.getByLabel("Explanation").fill("A public number is no personal data.");
  await page.getByRole("button", { name: "Decide and tell them" }).click();
  await expect(notice(page)).toHaveText("Your decision was stored.");

  await context.clearCookies();
  await page.goto(address);
  await expect(page.getByRole("main")).toContainText("A public number is no personal data.");
  await expect(page.getByRole("button", { name: "Delete my account" })).toHaveCount(0);
  await tryToLogIn();
  await expect(page).not.toHaveURL(/login/);
  await page.goto("/me");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("My reviews");
});
