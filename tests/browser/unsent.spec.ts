import type { BrowserContext, Page } from "@playwright/test";
import { Review } from "#models/review";
import { Session } from "#models/session";
import {
  makeBookedExplorer,
  makeReview,
  makeUser,
  PASSWORD,
  PASSWORD_HASH,
} from "../support/factories";
import { makeWorld } from "../support/world";
import {
  EITHER,
  expect,
  expectAccessible,
  NO_SCRIPTS,
  notice,
  postButton,
  scriptsReady,
  shifts,
  star,
  test,
  watchShifts,
} from "./support";

// Nothing that somebody types is lost: not when the session ends, not when no answer comes, not by leaving the page.

const COMMENT = "Two hours on the water.\nWe would “sail” <again>.";

const comment = (page: Page) => page.getByLabel("Comment");
const main = (page: Page) => page.getByRole("main");

async function write(page: Page, stars: number, text = COMMENT): Promise<void> {
  await star(page, stars).check();
  await comment(page).fill(text);
}

async function expectWritten(page: Page, stars: number, text = COMMENT): Promise<void> {
  await expect(comment(page)).toHaveValue(text);
  await expect(star(page, stars)).toBeChecked();
}

async function logInAs(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(password);
  await main(page).getByRole("button", { name: "Log in" }).click();
}

/** Blocks all requests to the site, as without a connection. */
const goOffline = (context: BrowserContext) => context.setOffline(true);

test.describe("a session that ends while somebody writes", () => {
  test(
    "takes the review through the log-in",
    { tag: EITHER },
    async ({ page, openToReview, scripts }) => {
      const { tour, explorer: ann } = await openToReview({ name: "Ann" });
      await page.goto(`/tours/${tour.slug}?sort=highest`);
      await write(page, 4);
      await Session.deleteMany({ userId: ann._id });
      await postButton(page).click();

      const note = page.getByRole("status");
      await expect(note).toHaveText(
        "You were logged out. Log in to post your review. We’ve kept it.",
      );
      await expect(note).toBeFocused();
      await expect(page.getByRole("button", { name: "Log out" })).toHaveCount(0);
      await expectAccessible(page);
      await logInAs(page, ann.email, "wrong");
      await expect(page.getByRole("alert")).toContainText("password is wrong");
      await expect(page.getByRole("alert")).toBeFocused();
      expect(await Review.exists({ tourId: tour._id })).toBeNull();
      await logInAs(page, ann.email);

      await expect(page).toHaveURL(`/tours/${tour.slug}#write`);
      await expectWritten(page, 4);
      await expect(page.locator("#write")).toBeInViewport();
      await expect(notice(page)).toHaveText("Not posted yet. Check it and press Post review.");
      // Without scripts, the browser goes to the heading that the address names.
      if (scripts) await expect(notice(page)).toBeFocused();
      // It waits for its author, and is not posted automatically.
      expect(await Review.exists({ tourId: tour._id })).toBeNull();
      expect(await Session.findOne({ userId: ann._id }).lean()).toMatchObject({ data: {} });
      await postButton(page).click();
      await expect(notice(page)).toContainText("Thank you, your review is live.");
      expect(await Review.findOne({ tourId: tour._id }).lean()).toMatchObject({
        rating: 4,
        comment: COMMENT,
      });
    },
  );

  test(
    "shows it to a user who cannot post it, to be copied",
    { tag: NO_SCRIPTS },
    async ({ page, logIn, ownReview }) => {
      const { tour, explorer: ann, path } = await ownReview();
      const other = await makeUser();
      for (const [address, writer, button] of [
        [`/tours/${tour.slug}`, await makeBookedExplorer(tour), "Post review"],
        [`${path}/edit`, ann, "Save changes"],
      ] as const) {
        await logIn(writer);
        await page.goto(address);
        await write(page, 3, `Typed at ${button}`);
        await Session.deleteMany({ userId: writer._id });
        await page.getByRole("button", { name: button }).click();
        await logInAs(page, other.email);
        const unsent = page.getByRole("region", { name: "Your text was not posted" });
        await expect(unsent).toContainText(`Typed at ${button}`);
        await expect(unsent).toContainText("3 out of 5 stars");
        await Session.deleteMany({ userId: other._id });
      }
    },
  );

  test(
    "keeps it for an hour at most",
    { tag: NO_SCRIPTS },
    async ({ page, openToReview, context }) => {
      const { tour, explorer } = await openToReview();
      const ofAnn = { userId: explorer._id };
      const path = `/tours/${tour.slug}`;
      const waitFor = (ms: number) => {
        const until = new Date(Date.now() + ms).toISOString();
        const waiting = { rating: "3", comment: "Waits", tag: "", to: path, until };
        return Session.updateOne(ofAnn, { "data.waiting": waiting });
      };
      await waitFor(60_000);
      await page.goto("/");
      await page.goto(path);
      await expectWritten(page, 3, "Waits");
      await waitFor(-1);
      const late = await context.newPage();
      await late.goto(path);
      await expect(comment(late)).toHaveValue("");
      expect(await Session.findOne(ofAnn).lean()).toMatchObject({ data: {} });
    },
  );
});

// Without scripts the browser itself reports this, and goes back to the form.
test.describe("a site that does not answer", () => {
  test("keeps form and page as they are, and accepts a second try", async ({
    page,
    context,
    openToReview,
  }) => {
    const { tour } = await openToReview({ name: "Ann" });
    await write(page, 4);
    await goOffline(context);
    await postButton(page).click();
    const alert = page.getByRole("alert");
    await expect(alert).toContainText("Your text is still here");
    await expect(alert).toBeFocused();
    await expectWritten(page, 4);
    await expectAccessible(page);
    const tryAgain = page.getByRole("button", { name: "Try again" });
    const inVain = async () => {
      const failed = page.waitForEvent("requestfailed", (sent) => sent.method() === "POST");
      await tryAgain.click();
      await failed;
      await expect(tryAgain).toBeEnabled();
    };
    // Still no connection: the page says so again.
    await inVain();
    await expect(alert).toBeFocused();
    await context.setOffline(false);
    // A server that accepts connections and never answers.
    await page.route("**/tours/*.data*", (route) => route.abort("timedout"));
    await inVain();
    await expectWritten(page, 4);
    await page.unroute("**/tours/*.data*");
    await tryAgain.click();
    await expect(notice(page)).toContainText("Thank you, your review is live.");
    expect(await Review.countDocuments({ tourId: tour._id })).toBe(1);
  });

  test("keeps them for a browser that asks for nothing before it must", async ({
    page,
    context,
    openToReview,
  }) => {
    // As one that saves data, or whose connection was lost while the page was loaded.
    await page.addInitScript(() =>
      Object.defineProperty(navigator, "connection", { value: { saveData: true } }),
    );
    await openToReview();
    await write(page, 4);
    await goOffline(context);
    await postButton(page).click();
    await expect(page.getByRole("alert")).toContainText("Your text is still here");
    await expectWritten(page, 4);
  });

  test("leaves each form in which somebody may have written for long as it is, and accepts a second try", async ({
    page,
    open,
    logIn,
    context,
  }) => {
    test.slow();
    const { review, cases, author, guide, operator } = await makeWorld();
    const path = `/reviews/${review._id.toString()}`;
    const suspended = `/sanctions/${cases.suspension}`;
    const decision = `/operator/cases/${cases.open}?decision=remove`;
    for (const [user, address, field, answer] of [
      [author, `${path}/edit`, "Comment", "Review updated successfully."],
      [guide, `${path}/reply`, "Your reply", "Your reply was published."],
      [operator, `/report?url=${path}`, "Tell us more", "Choose a reason."],
      [operator, `/cases/${cases.statement}`, "Why is it wrong?", "You have appealed against"],
      [operator, suspended, "Why is it wrong?", "You have appealed. We write to you"],
      [operator, decision, "Explanation", "Choose a ground."],
      [operator, `/operator/cases/${cases.decided}/misuse`, "Explanation", "Choose what to do."],
      [operator, `/operator/sanctions/${cases.warning}`, "Explanation", "Choose what to do."],
    ] as const)
      await test.step(address, async () => {
        await logIn(user);
        await open(address);
        const words = page.getByLabel(field);
        await words.fill(COMMENT);
        await goOffline(context);
        const send = main(page).getByRole("button", { name: /^(Send|Decide|Save|Continue)/ });
        await send.click();
        await expect(page.getByRole("alert")).toContainText("Your text is still here");
        await expect(page.getByRole("alert")).toBeFocused();
        await expect(words).toHaveValue(COMMENT);
        await context.setOffline(false);
        await page.getByRole("button", { name: /^(Send|Decide|Save|Continue|Try again)/ }).click();
        await expect(main(page)).toContainText(answer);
        if (answer.startsWith("Choose")) await expect(words).toHaveValue(COMMENT);
      });
  });

  test("is named on the page that a link leads to, which can be tried again", async ({
    page,
    open,
    logIn,
    context,
  }) => {
    await logIn(await makeUser());
    await open("/");
    // Its scripts are there, as of a page that was visited before.
    await page.getByRole("link", { name: "Your reviews" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your reviews");
    await page.goBack();
    await expect(page.getByRole("link", { name: "Your reviews" })).toBeVisible();
    await goOffline(context);
    await page.getByRole("link", { name: "Your reviews" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("We got no answer");
    await expect(page).toHaveTitle("Error: We got no answer · Tour Reviews");
    await expectAccessible(page);
    await context.setOffline(false);
    await page.getByRole("link", { name: "Try again" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your reviews");

    await open("/tours/porto-sarrava-by-lantern");
    const title = await page.getByRole("heading", { level: 1 }).innerText();
    await goOffline(context);
    await page.getByText("Order: Newest").click();
    await page.getByRole("link", { name: "Lowest" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("We got no answer");
    await expect(page).toHaveURL(/#reviews$/);
    await context.setOffline(false);
    await page.getByRole("link", { name: "Try again" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  });

  test("leaves the reviews that are shown", async ({ page, open, context }) => {
    await open("/tours/porto-sarrava-by-lantern");
    const reviews = page.getByRole("article");
    await expect(reviews).toHaveCount(20);
    await goOffline(context);
    await page.getByRole("link", { name: "More reviews" }).click();
    await expect(page.getByRole("alert")).toHaveText(
      "We got no answer. Check your connection and try again.",
    );
    await expect(reviews).toHaveCount(20);
    await context.setOffline(false);
    await page.getByRole("link", { name: "More reviews" }).click();
    await expect(reviews).toHaveCount(40);
    await expect(page.getByRole("alert")).toHaveCount(0);
  });
});

test.describe("a draft", () => {
  const found = (page: Page) => page.getByText("Your draft is back.");

  test("is found on coming back, is discarded by a button, and ends with the post", async ({
    page,
    open,
    openToReview,
  }) => {
    const { tour } = await openToReview({ name: "Ann" });
    const path = `/tours/${tour.slug}`;
    await write(page, 4);
    await page.goto("/me");
    const waiting = page.getByRole("region", { name: "Waiting for your review" });
    await waiting.getByRole("link", { name: "Continue your draft of" }).click();
    await expect(found(page)).toBeVisible();
    await expectWritten(page, 4);
    await expect(comment(page)).toHaveAccessibleDescription(/of 5,000/);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Discard draft" }).click();
    await expect(comment(page)).toHaveValue("");
    await expect(star(page, 4)).not.toBeChecked();
    await open(path);
    await expect(comment(page)).toHaveValue("");

    await write(page, 5);
    await page.goto(path);
    await expectWritten(page, 5);
    await postButton(page).click();
    await expect(notice(page)).toContainText("Thank you, your review is live.");
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  });

  test("is kept of what was typed before the scripts ran, until the account is deleted", async ({
    page,
    open,
    openToReview,
  }) => {
    const { tour } = await openToReview({ name: "Ann", passwordHash: PASSWORD_HASH });
    const path = `/tours/${tour.slug}`;
    let load = () => {};
    const loading = new Promise<void>((resolve) => (load = resolve));
    await page.route("**/build/**/*.js", async (route) => {
      await loading;
      await route.continue();
    });
    await page.goto(path, { waitUntil: "commit" });
    await write(page, 4);
    load();
    await scriptsReady(page);
    await page.goto("/me");
    await open(path);
    await expectWritten(page, 4);

    await open("/me/account/delete");
    await page.getByLabel("Your password").fill(PASSWORD);
    await page.getByRole("button", { name: "Delete my account" }).click();
    await expect(notice(page)).toContainText("Your account is deleted.");
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  });

  test("of an edit is kept with the state that it was written for", async ({
    page,
    open,
    ownReview,
  }) => {
    const { review, ...own } = await ownReview();
    const path = `${own.path}/edit`;
    await open(path);
    await write(page, 5);
    await page.getByRole("link", { name: "Cancel" }).click();
    await page.goto("/me");
    await expect(page.getByText("Draft of a change")).toBeVisible();
    await Review.updateOne({ _id: review._id }, { comment: "Changed elsewhere" });
    await page.goto(path);
    await expect(found(page)).toBeVisible();
    await expectWritten(page, 5);
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByRole("region", { name: "The review as it is now" })).toContainText(
      "Changed elsewhere",
    );
    await expect(page.getByRole("alert")).toContainText("This review has changed since you opened");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(notice(page)).toHaveText("Review updated successfully.");
    await page.goto(path);
    await expect(found(page)).toHaveCount(0);
  });

  test("is shown to nobody else, and removed by the log-out", async ({
    page,
    open,
    logIn,
    openToReview,
  }) => {
    const { tour, explorer: ann } = await openToReview();
    const path = `/tours/${tour.slug}`;
    await write(page, 4);
    await logIn(await makeBookedExplorer(tour));
    await open(path);
    await expect(comment(page)).toHaveValue("");
    await logIn(ann);
    await page.goto(path);
    await expectWritten(page, 4);
    await page.getByRole("button", { name: "Log out" }).click();
    await expect(page).toHaveURL("/");
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  });

  test("moves nothing when it is found", async ({ page, openToReview }) => {
    const { tour } = await openToReview();
    await makeReview(await makeBookedExplorer(tour), tour);
    await write(page, 4);
    await watchShifts(page);
    await page.goto(`/tours/${tour.slug}`);
    await expect(found(page)).toBeVisible();
    expect(await shifts(page)).toBeCloseTo(0, 3);
  });

  test("is not needed for the form to work", async ({ page, openToReview }) => {
    await page.addInitScript(() =>
      Object.defineProperty(globalThis, "localStorage", {
        get() {
          throw new DOMException("none here", "SecurityError");
        },
      }),
    );
    await openToReview();
    await write(page, 4);
    await postButton(page).click();
    await expect(notice(page)).toContainText("Thank you, your review is live.");
  });
});

test(
  "going back after posting shows no form that would post again",
  { tag: EITHER },
  async ({ page, openToReview }) => {
    const { tour } = await openToReview({ name: "Ann" });
    await page.goto("/");
    await page.goto(`/tours/${tour.slug}`);
    await write(page, 4);
    await postButton(page).click();
    await expect(notice(page)).toContainText("Thank you, your review is live.");
    await page.goBack();
    await expect(page.getByText("You have already reviewed this tour")).toBeVisible();
    await expect(postButton(page)).toHaveCount(0);
  },
);

test("a page of a site that is not available keeps its title and id, and can be tried again", async ({
  page,
  open,
}) => {
  await open("/errors/503");
  await expect(
    page.getByText(/If this keeps happening, quote this ID: [-0-9a-f]{36}$/),
  ).toBeVisible();
  await expect(page).toHaveTitle("Error: The site is not available right now · Tour Reviews");
  const tryAgain = page.getByRole("link", { name: "Try again" });
  await expect(tryAgain).toBeVisible();
  await page.route("/errors/503", (route) =>
    route.continue({ url: new URL("/", page.url()).href }),
  );
  await tryAgain.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Guided tours/);
});
