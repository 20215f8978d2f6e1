import { Case } from "../../models/case";
import { Operator } from "../../models/operator";
import { User, type UserDocument } from "../../models/user";
import { confirmOperator } from "../support/app";
import { makeBookedExplorer, makeReview, makeTour, makeUser, PASSWORD } from "../support/factories";
import { expect, expectAccessible, notice, test, unique } from "./support";

// An author is warned, then suspended; appeals by the page that the log-in leads to, and is let in again.

async function makeOperatorNamed(name: string) {
  const operator = await makeUser({ name });
  await Operator.create({ _id: operator._id, since: new Date() });
  return operator;
}

/** A case about a review, in which it was removed. */
async function scene() {
  const tour = await makeTour({ title: `Harbour ${unique()}` });
  const author = await makeBookedExplorer(tour, { name: "Evi Explorer" });
  const review = await makeReview(author, tour, { rating: 1, comment: "Call him at 555-0100." });
  const operator = await makeOperatorNamed("Olga Operator");
  const at = new Date();
  const decision = { at, operatorId: operator._id, action: "redact" as const, onAppeal: false };
  const [found] = await Case.insertMany([
    {
      ...{ kind: "review" as const, reviewId: review._id, tourId: tour._id, authorId: author._id },
      ...{ state: "decided" as const, rank: 1 as const, since: at, openedAt: at, version: 2 },
      ...{ reports: 1, reasons: ["personal-data" as const], tag: "as reported", appeals: [] },
      decisions: [{ ...decision, ground: "personal-data" as const, explanation: "A number." }],
      snapshot: { rating: 1, text: "Call him at 555-0100.", at },
    },
  ]);
  return { author, operator, path: `/operator/cases/${found!._id.toString()}` };
}

test("an operator warns and suspends an author, who appeals without a log-in and is let in again", async ({
  page,
  context,
  logIn,
  open,
}) => {
  const { author, operator, path } = await scene();
  const decideAs = async (user: UserDocument, address: string) => {
    await logIn(user);
    await confirmOperator(user._id);
    await open(address);
  };
  await decideAs(operator, path);

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
  await decideAs(await makeOperatorNamed("Otto Operator"), "/operator");
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
