import type { Page } from "@playwright/test";
import { Notification } from "#models/notification";
import { Reply } from "#models/reply";
import { Review } from "#models/review";
import {
  makeBookedExplorer,
  makeReply,
  makeReview,
  makeTour,
  makeUser,
} from "../support/factories";
import { expect, FORMS, expectAccessible, NO_SCRIPTS, notice, test } from "./support";

// The conversation below a review: its tour's guide replies, and everybody reads it.

const HOUR_MS = 60 * 60 * 1_000;

const field = (page: Page) => page.getByRole("textbox", { name: "Your reply" });

async function scene() {
  const guide = await makeUser({ name: "Gwen Guide" });
  const tour = await makeTour({ title: "Harbour at Dawn", createdById: guide._id });
  const author = await makeBookedExplorer(tour, { name: "Evi Explorer" });
  const review = await makeReview(author, tour, { rating: 2, comment: "Too early for me." });
  return { guide, tour, author, review, page: `/reviews/${review._id.toString()}` };
}

test(
  "a guide replies on the review's page, changes the reply and withdraws it",
  { tag: FORMS },
  async ({ page, logIn, open }) => {
    const { guide, author, review, page: address, tour } = await scene();
    await logIn(guide);
    await open(address);
    await page.getByRole("button", { name: "Publish the reply" }).click();
    await expect(page.getByRole("alert")).toContainText("Write your reply.");
    await field(page).fill("Sorry!\nWe start at 6 now.");
    await page.getByRole("button", { name: "Publish the reply" }).click();
    await expect(notice(page)).toHaveText("Your reply was published.");
    const shown = page.getByRole("article").locator(".reply");
    await expect(shown).toContainText("Response from Gwen Guide, your guide");
    await expect(shown).toContainText("We start at 6 now.");
    await expectAccessible(page);
    const told = await Notification.findOne({ owner: author._id.toString() }).orFail().lean();
    expect(JSON.stringify(told)).toContain("A reply to your review of Harbour at Dawn");

    await page.getByRole("link", { name: "Change it" }).click();
    await expect(field(page)).toHaveValue("Sorry!\nWe start at 6 now.");
    await expectAccessible(page);
    await field(page).fill("We start at 7 now.");
    await page.getByRole("button", { name: "Save the reply" }).click();
    await expect(notice(page)).toHaveText("Your reply was published.");
    await expect(shown).toContainText("edited");
    await expect(shown).toContainText("We start at 7 now.");

    for (const elsewhere of [`/tours/${tour.slug}`, `/guides/${guide._id.toString()}`, "/guide"]) {
      await page.goto(elsewhere);
      await expect(page.locator(".reply"), elsewhere).toContainText("We start at 7 now.");
    }
    await page.goto(address);
    await page.locator("summary", { hasText: "Withdraw this reply" }).click();
    await page.getByRole("button", { name: "Withdraw this reply for good" }).click();
    await expect(notice(page)).toHaveText("The reply was withdrawn.");
    await expect(shown).toHaveCount(0);
    expect((await Reply.findById(review._id).lean())!.text).toBeNull();
  },
);

test("where scripts run, a dialog asks before a reply is withdrawn", async ({
  page,
  logIn,
  open,
}) => {
  const { guide, review, page: address } = await scene();
  await makeReply(guide, review, { text: "Sorry!" });
  await logIn(guide);
  await open(address);
  const withdraw = page.locator("summary", { hasText: "Withdraw this reply" });
  const question = page.getByRole("dialog", { name: "Withdraw this reply?" });
  for (const keep of [
    () => question.getByRole("button", { name: "Keep the reply" }).click(),
    () => page.keyboard.press("Escape"),
  ]) {
    await withdraw.click();
    await expect(question.getByRole("button", { name: "Keep the reply" })).toBeFocused();
    await expectAccessible(page);
    await keep();
    await expect(question).toBeHidden();
    await expect(withdraw).toBeFocused();
  }
  await withdraw.click();
  await question.getByRole("button", { name: "Withdraw this reply for good" }).click();
  await expect(notice(page)).toHaveText("The reply was withdrawn.");
});

test(
  "an author reads the reply, also that it is older than the review",
  { tag: NO_SCRIPTS },
  async ({ page, logIn }) => {
    const { guide, author, review, page: address } = await scene();
    await makeReply(guide, review, {
      text: "Thank you, Evi.",
      createdAt: new Date(Date.now() - HOUR_MS),
    });
    await logIn(author);
    await page.goto("/me");
    await expect(page.locator(".reply")).toContainText("Thank you, Evi.");
    await expect(page.getByText("The review was changed after this reply.")).toHaveCount(0);
    await Review.updateOne({ _id: review._id }, { editedAt: new Date() });
    await page.goto(address);
    await expect(page.locator(".reply")).toContainText("The review was changed after this reply.");
    // Only the guide can reply.
    await expect(field(page)).toHaveCount(0);
    await page.goto(`${address}/reply`);
    await expect(page.getByRole("main")).toContainText("Only the tour's guide can reply");
  },
);

test("a guide answers one review after the other on the page of all tours, and stays there", async ({
  page,
  logIn,
  open,
}) => {
  const { guide, tour, review } = await scene();
  // Newer than Evi's.
  for (let n = 0; n < 6; n++)
    await makeReview(await makeBookedExplorer(tour, { name: `Number ${n}` }), tour, {
      rating: 1 + (n % 5),
      comment: n === 5 ? null : `Words ${n}`,
    });
  await logIn(guide);
  await open("/guide?past=1");
  const reviews = page.getByRole("region", { name: "Reviews", exact: true });
  const names = reviews.locator(".reviews > li .review-head strong");
  const order = ["Number 4", "Number 3", "Number 2", "Number 1", "Number 0", "Evi Explorer"];
  await expect(names).toHaveText([...order, "Number 5"]);
  await expect(names.filter({ visible: true })).toHaveCount(3);
  const third = reviews.getByRole("listitem").filter({ hasText: "Number 2" });
  await page.getByRole("link", { name: "Reply to Number 2" }).click();
  await field(page).fill("Thank you.");
  await page.getByRole("button", { name: "Publish the reply to Number 2" }).click();
  await expect(notice(page)).toHaveText("Your reply was published.");
  // It stays where it was.
  await expect(names).toHaveText([...order, "Number 5"]);
  await expect(third.locator(".reply")).toContainText("Thank you.");
  await expect(third).toBeInViewport();
  await expect(field(page)).toHaveCount(0);
  await expectAccessible(page);

  await third.getByRole("link", { name: "Edit the reply to Number 2" }).click();
  await field(page).fill("Thank you very much.");
  await page.getByRole("button", { name: "Save the reply" }).click();
  await expect(names).toHaveText([...order, "Number 5"]);
  await expect(third.locator(".reply")).toContainText("Thank you very much.");
  // It asks first.
  await third.locator("summary", { hasText: "Withdraw the reply to Number 2" }).click();
  await expect(third.locator(".reply")).toHaveCount(1);
  await third.getByRole("button", { name: "Withdraw the reply to Number 2 for good" }).click();
  await expect(notice(page)).toHaveText("The reply was withdrawn.");
  await expect(names).toHaveText([...order, "Number 5"]);
  await expect(third.locator(".reply")).toHaveCount(0);

  // One from behind the fold, which stays open.
  await page.getByText("More reviews").click();
  const folded = reviews.locator(`#review-${review._id.toString()}`);
  await page.getByRole("link", { name: "Reply to Evi Explorer" }).click();
  await folded.getByRole("textbox").fill("Come again!");
  await page.getByRole("button", { name: "Publish the reply to Evi Explorer" }).click();
  await expect(notice(page)).toHaveText("Your reply was published.");
  expect((await Reply.findById(review._id).lean())!.text).toBe("Come again!");
  await expect(names).toHaveText([...order, "Number 5"]);
  await expect(folded).toBeInViewport();
});

test("a draft of a reply meets the one that was published meanwhile", async ({
  page,
  logIn,
  open,
}) => {
  const { guide, review, page: address } = await scene();
  await logIn(guide);
  await open(`${address}/reply`);
  await field(page).fill("A draft.");
  await makeReply(guide, review, { text: "From the other tab." });
  await open(`${address}/reply`);
  await expect(field(page)).toHaveValue("A draft.");
  await page.getByRole("button", { name: "Save the reply" }).click();
  await expect(page.getByRole("alert").first()).toContainText(
    "This reply has changed since you opened it.",
  );
  expect((await Reply.findById(review._id).lean())!.text).toBe("From the other tab.");
});
