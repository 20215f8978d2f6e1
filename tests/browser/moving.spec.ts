import type { Locator, Page } from "@playwright/test";
import { Types } from "mongoose";
import { EDIT_WINDOW_MS } from "~/lib/review-limits";
import { AccessToken } from "#models/access-token";
import { Session } from "#models/session";
import { Tour } from "#models/tour";
import {
  makeBookedExplorer,
  makeBooking,
  makeReview,
  makeTour,
  makeUser,
} from "../support/factories";
import { expect, menuButton, NO_SCRIPTS, notice, openSearch, star, test } from "./support";

// Moving between pages: by the header and by links, announced to everybody, on every screen.

const DEMO_TOUR = "/tours/porto-sarrava-by-lantern";

const navigation = (page: Page) => page.getByRole("navigation", { name: "Account" });
const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const main = (page: Page) => page.getByRole("main");

/** Expects the page under that heading to be shown, and the heading to have the focus. */
async function expectArrival(page: Page, title: string | RegExp): Promise<void> {
  await expect(heading(page)).toHaveText(title);
  await expect(heading(page)).toBeFocused();
}

/** How much wider than the window the page is, in pixels. */
const sticksOut = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test.describe("the header", () => {
  test.use({ viewport: { width: 320, height: 640 } });

  test("is one row for everybody", { tag: NO_SCRIPTS }, async ({ page, logIn }) => {
    const guide = await makeUser({ name: "Gwendolyn ".repeat(8).trim() });
    await makeTour({ createdById: guide._id });
    // A row of 44 px, its padding of 8 px and the line below it; two rows would be 105 px.
    const expectOneRow = async () =>
      expect((await page.getByRole("banner").boundingBox())!.height).toBeLessThan(70);
    for (const { user, links } of [
      { user: null, links: ["Log in", "Sign up"] },
      { user: await makeUser({ name: "Ann" }), links: ["Your reviews", "Account of Ann"] },
      { user: guide, links: ["Your tours", "Your reviews", `Account of ${guide.name}`] },
    ]) {
      if (user) await logIn(user);
      await page.goto("/");
      await expectOneRow();
      expect(await sticksOut(page)).toBe(0);
      if (user) {
        await expect(navigation(page)).toBeHidden();
        await menuButton(page).click();
        await expect(navigation(page).getByRole("button", { name: "Log out" })).toBeInViewport();
      }
      await expect(navigation(page).getByRole("link")).toHaveText(
        links.map((name) => new RegExp(name)),
      );
      for (const link of await navigation(page).getByRole("link").all())
        await expect(link).toBeInViewport({ ratio: 1 });
      expect(await sticksOut(page)).toBe(0);
    }
    // Where they have room, the links are in the row.
    await page.setViewportSize({ width: 800, height: 600 });
    await expect(menuButton(page)).toBeHidden();
    await expect(navigation(page).getByRole("link")).toHaveCount(3);
    await expect(navigation(page).getByRole("button", { name: "Log out" })).toBeInViewport({
      ratio: 1,
    });
    await expectOneRow();
  });

  test("has a menu that closes on Escape, and on going on", async ({ page, logIn, open }) => {
    await logIn(await makeUser({ name: "Ann" }));
    await open("/");
    await menuButton(page).focus();
    await page.keyboard.press("Enter");
    await expect(navigation(page)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(navigation(page)).toBeHidden();
    await expect(menuButton(page)).toBeFocused();

    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await expect(navigation(page).getByRole("link", { name: "Your reviews" })).toBeFocused();
    await page.evaluate(() => Object.assign(globalThis, { samePage: true }));
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL("/me");
    await expect(heading(page)).toHaveText("Your reviews");
    expect(await page.evaluate(() => "samePage" in globalThis)).toBe(true);
    await expect(navigation(page)).toBeHidden();
  });
});

/** Holds the answers to the page's scripts back until the returned function is called. */
async function hold(page: Page): Promise<() => void> {
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\.data(\?|$)/, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

test.describe("the focus", () => {
  test("goes to the heading of the next page, and back", async ({ page, logIn, open }) => {
    await logIn(await makeUser({ name: "Ann" }));
    await open("/");
    await expect(page.locator("body")).toBeFocused();
    await main(page).getByRole("listitem").getByRole("link").first().click();
    await expect(page).toHaveURL(/\/tours\//);
    await expect(heading(page)).toBeFocused();
    await expect(heading(page)).toHaveCSS("outline-style", "none");
    await page.goBack();
    await expectArrival(page, "Guided tours, reviewed by explorers");
    // By a link in the header, which stays.
    await navigation(page).getByRole("link", { name: "Your reviews" }).click();
    await expectArrival(page, "Your reviews");
  });

  test("goes to what the address names, and to the heading of an error", async ({
    page,
    open,
    logIn,
  }) => {
    const [tour, gone] = [await makeTour({ title: "Old Walls" }), await makeTour()];
    const ann = await makeBookedExplorer(tour);
    await makeBooking(ann, gone);
    await logIn(ann);
    await open("/me");
    await page.getByRole("link", { name: "Write a review of Old Walls" }).click();
    await expect(page.getByRole("heading", { name: "Write a review" })).toBeFocused();
    await page.goBack();
    await expect(heading(page)).toBeFocused();
    await Tour.deleteOne({ _id: gone._id });
    await page.getByRole("link", { name: `Write a review of ${gone.title}` }).click();
    await expectArrival(page, "Page not found");
    await page.getByRole("link", { name: "See all tours" }).click();
    await expectArrival(page, "Guided tours, reviewed by explorers");
  });

  test("stays when one sorts and filters, and moves up with a page of a list", async ({
    page,
    open,
    logIn,
  }) => {
    await logIn(await makeUser());
    await open("/");
    const newest = main(page).getByRole("button", { name: "Newest" });
    await newest.click();
    await expect(newest).toHaveAttribute("aria-current", "true");
    await expect(page).toHaveURL("/?sort=newest");
    await expect(newest).toBeFocused();
    await page.getByRole("link", { name: "Next", exact: true }).click();
    await expect(page).toHaveURL("/?sort=newest&page=2");
    await expect(heading(page)).toBeFocused();

    await open(DEMO_TOUR);
    const four = main(page).getByRole("link", { name: /^4 stars/ });
    await four.click();
    await expect(four).toHaveAttribute("aria-current", "true");
    await expect(four).toBeFocused();
  });
});

test("titles say what a page shows", { tag: NO_SCRIPTS }, async ({ page, logIn }) => {
  const tour = await makeTour({ title: "Old Walls" });
  const ann = await makeBookedExplorer(tour);
  const own = await makeReview(ann, tour, { rating: 4 });
  const settled = await makeReview(ann, await makeTour({ title: "Dunes" }), {
    createdAt: new Date(Date.now() - 2 * EDIT_WINDOW_MS),
  });
  await logIn(ann);
  const path = `/tours/${tour.slug}`;
  for (const [address, title] of [
    ["/", /^Guided tours and their reviews, page 1 of \d+$/],
    ["/?q=lantern", /^\d+ tours? for lantern$/],
    [path, /^Old Walls$/],
    [`${path}?stars=4&sort=lowest`, /^4-star reviews of Old Walls, lowest first$/],
    [`${path}?stars=4&comments=1`, /^4-star reviews with comments of Old Walls$/],
    [`${path}?sort=highest&after=x`, /^Reviews of Old Walls, highest first, continued$/],
    [`/reviews/${own._id.toString()}/edit`, /^Edit your review of Old Walls$/],
    [`/reviews/${own._id.toString()}/delete`, /^Delete your review of Old Walls$/],
    [`/reviews/${settled._id.toString()}/edit`, /^Error: This review can no longer be edited$/],
    ["/me", /^Your reviews$/],
  ] as const) {
    await page.goto(address);
    const whole = new RegExp(`${title.source.slice(0, -1)} · Tour Reviews$`);
    await expect(page, address).toHaveTitle(whole);
  }
});

test("searching keeps the focus in the field, and what is typed meanwhile", async ({
  page,
  open,
  logIn,
}) => {
  await logIn(await makeUser());
  await open("/");
  const field = page.getByRole("searchbox");
  const release = await hold(page);
  await field.fill("lantern");
  await field.press("Enter");
  await page.keyboard.type(" walk");
  release();
  await expect(page).toHaveURL("/?q=lantern");
  await expect(heading(page)).toHaveText(/tours? for lantern$/);
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("lantern walk");
  await field.press("Enter");
  await expect(page).toHaveURL("/?q=lantern+walk");
  await expect(field).toBeFocused();
  await page.goBack();
  await expect(page).toHaveURL("/?q=lantern");
  await expect(field).toHaveValue("lantern");
  await page.getByRole("link", { name: "Show all" }).click();
  await expect(page).toHaveURL("/");
  await expect(field).toHaveValue("");
});

test.describe("waiting", () => {
  test("for a page is shown", async ({ page, open, logIn }) => {
    await logIn(await makeUser({ name: "Ann" }));
    await open("/");
    const line = page.locator(".progress");
    await expect(line).toHaveCount(0);
    const release = await hold(page);
    await navigation(page).getByRole("link", { name: "Your reviews" }).click();
    await expect(line).toHaveCSS("opacity", "1");
    await expect(main(page)).toHaveAttribute("aria-busy", "true");
    release();
    await expect(heading(page)).toHaveText("Your reviews");
    await expect(line).toHaveCount(0);
    await expect(main(page)).not.toHaveAttribute("aria-busy");
  });

  test("for a form keeps the focus on its button, which sends it once", async ({
    page,
    logIn,
    open,
  }) => {
    const ann = await makeUser({ name: "Ann" });
    await logIn(ann);
    await open("/me/account");
    const release = await hold(page);
    let posts = 0;
    page.on("request", (request) => void (posts += Number(request.method() === "POST")));
    const button = page.getByRole("region", { name: "Profile" }).getByRole("button");
    await button.click();
    await expect(button).toHaveText("Saving …");
    await expect(button).toHaveAttribute("aria-disabled", "true");
    await expect(button).toBeFocused();
    await page.keyboard.press("Enter");
    await button.click({ force: true });
    await page.getByLabel("Name", { exact: true }).press("Enter");
    release();
    await expect(notice(page)).toHaveText("Nothing was changed.");
    expect(posts).toBe(1);
  });
});

test("a page that is left before an answer has ended is no error", async ({
  page,
  logIn,
  open,
}) => {
  await page.addInitScript(() => {
    const { fetch } = window;
    // Nothing of the answer is missing but its end.
    window.fetch = async (address, options) => {
      const answer = await fetch(address, options);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(bytes);
          const { signal } = options!;
          signal!.addEventListener("abort", () => controller.error(signal!.reason));
        },
      });
      return new Response(body, answer);
    };
  });
  await logIn(await makeUser());
  await open("/me/account");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByRole("alert")).toBeFocused();
  await navigation(page).getByRole("link", { name: "Your reviews" }).click();
  await expectArrival(page, "Your reviews");
});

test("a message goes with the next page and the next form, and can be dismissed", async ({
  page,
  logIn,
  open,
}) => {
  const message = page.getByText("Nothing was changed.");
  await logIn(await makeUser({ name: "Ann" }));
  const saveProfile = async () => {
    await page.getByRole("button", { name: "Save profile" }).click();
    await expect(message).toBeVisible();
  };
  await open("/me/account");
  await saveProfile();
  await navigation(page).getByRole("link", { name: "Your reviews" }).click();
  await expect(heading(page)).toHaveText("Your reviews");
  await expect(message).toHaveCount(0);

  await open("/me/account");
  await saveProfile();
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByRole("alert")).toBeFocused();
  await expect(message).toHaveCount(0);

  await saveProfile();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(message).toHaveCount(0);
  await expect(main(page)).toBeFocused();
  // The next message appears all the same.
  await saveProfile();
});

test.describe("colours", { tag: NO_SCRIPTS }, () => {
  const style = (target: Locator, property: string) =>
    target.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

  test("that a reader forces still show what is selected", async ({ page, logIn }) => {
    await page.emulateMedia({ forcedColors: "active" });
    const tour = await makeTour();
    await logIn(await makeBookedExplorer(tour));
    await page.goto("/");
    const chip = (name: string) => main(page).getByRole("button", { name, exact: true });
    expect(await style(chip("Best rated"), "background-color")).not.toBe(
      await style(chip("Newest"), "background-color"),
    );
    const search = main(page).getByRole("button", { name: "Search" });
    const withText = await search.screenshot();
    await search.evaluate(({ style }) =>
      style.setProperty("-webkit-text-fill-color", "transparent"),
    );
    expect(await search.screenshot(), "the text is seen").not.toEqual(withText);
    await page.goto(`${DEMO_TOUR}?stars=4`);
    expect(await style(page.locator(".stars-on").first(), "fill")).not.toBe(
      await style(page.locator(".stars-off").first(), "fill"),
    );
    const menu = (label: string) => main(page).locator("summary", { hasText: `${label}: ` });
    expect(await style(menu("Stars"), "outline-style")).toBe("solid");
    expect(await style(menu("Order"), "outline-style")).toBe("none");

    await page.goto(`/tours/${tour.slug}`);
    const drawn = (stars: number) => page.locator(".star-input svg").nth(stars - 1);
    await star(page, 3).check();
    await page.mouse.move(0, 0);
    expect(await style(drawn(3), "fill")).not.toBe(await style(drawn(4), "fill"));
    expect(await style(drawn(1), "fill")).toBe(await style(drawn(3), "fill"));
    const box = await page.locator(".star-input label").first().boundingBox();
    expect(Math.min(box!.width, box!.height)).toBeGreaterThanOrEqual(44);
  });

  test("show what a field is for", async ({ page }) => {
    await page.goto("/");
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const [text, field] = await page.getByRole("searchbox").evaluate((element) => {
        const { color, opacity } = getComputedStyle(element, "::placeholder");
        return [opacity === "1" ? color : "", getComputedStyle(element).backgroundColor];
      });
      const [lighter, darker] = [text, field].map(luminance).sort((a, b) => b - a);
      expect((lighter! + 0.05) / (darker! + 0.05), colorScheme).toBeGreaterThanOrEqual(4.5);
    }
  });
});

/** The relative luminance of a computed colour (WCAG 2). */
function luminance(color: string): number {
  const [red, green, blue] = color.match(/\d+/g)!.map((part) => {
    const share = Number(part) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

test("words of 200 letters widen no page", { tag: NO_SCRIPTS }, async ({ page, logIn }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const word = `q${new Types.ObjectId().toString()}`.padEnd(200, "w");
  const guide = await makeUser({ name: word, email: `${word}@example.test` });
  const tour = await makeTour({
    createdById: guide._id,
    title: word,
    location: word,
    description: `${word} ${word}`,
    date: new Date(),
  });
  const ann = await makeBookedExplorer(tour, { name: word, email: `a${word}@example.test` });
  await makeBooking(ann, tour, { status: word });
  await makeBooking(ann, await makeTour({ title: word }));
  const review = await makeReview(ann, tour, { comment: word });
  const [createdAt, expiresAt] = [new Date(), new Date(Date.now() + 60_000)];
  await AccessToken.create({ userId: ann._id, name: word, hash: word, createdAt, expiresAt });
  const path = `/reviews/${review._id.toString()}`;
  const look = async (...addresses: string[]) => {
    for (const address of addresses) {
      await page.goto(address);
      expect(await sticksOut(page), address).toBe(0);
    }
  };
  await look(`/tours/${tour.slug}`, `/?q=${word}`);
  // The list of tours finds words by how they begin.
  await openSearch(page, word.slice(0, 25), 2);
  await look(page.url());
  await logIn(ann);
  await look("/me", "/me/account", "/me/sessions", "/me/account/delete");
  await look(`${path}/edit`, `${path}/delete`, `/tours/${tour.slug}`);
  await menuButton(page).click();
  await expect(navigation(page).getByRole("link", { name: word })).toBeInViewport();
  expect(await sticksOut(page)).toBe(0);
  await logIn(guide);
  await look("/guide/mail", "/guide");
  for (const summary of await main(page).locator("summary").all()) await summary.click();
  expect(await sticksOut(page)).toBe(0);
});

test("the log-in page says what for", { tag: NO_SCRIPTS }, async ({ page, logIn }) => {
  const user = await makeUser();
  const reviewPath = `/reviews/${user._id.toString()}`;
  const reason = main(page).locator(".lead");
  for (const [path, why] of [
    ["/me", "Log in to see your reviews."],
    ["/me/account", "Log in to see your account."],
    ["/guide", "Log in to manage your tours."],
    [`${reviewPath}/edit`, "Log in to edit your review."],
    [`${reviewPath}/delete`, "Log in to delete your review."],
  ] as const) {
    await page.goto(path);
    await expect(heading(page)).toHaveText("Log in");
    await expect(reason).toHaveText(why);
  }
  await page.goto("/login?redirectTo=/me/something");
  await expect(reason).toHaveText("The page /me/something needs you to log in.");
  // A page that everybody may read needs no log-in.
  await page.goto(`/login?redirectTo=${DEMO_TOUR}`);
  await expect(heading(page)).toHaveText("Log in");
  await expect(reason).toHaveCount(0);

  await logIn(user);
  await page.goto("/");
  await Session.deleteMany({ userId: user._id });
  await navigation(page).getByRole("link", { name: "Your reviews" }).click();
  await expect(reason).toHaveText("You were logged out. Log in to see your reviews.");
});

test("a tour's page is where its link leads, whatever its slug", async ({ page, open, logIn }) => {
  const guide = await makeUser();
  await logIn(await makeUser());
  // Those of tests/tours/slugs.http.test.ts that scripts could read in another way than the server.
  const slugs = ["x.data", "_root.data", "_index", "...", "a+b", "a&b=c", "100%"];
  slugs.push("a\\b", "<b>", "cafe\u0301", "b/c", "a%2Fb");
  for (const slug of slugs) await makeTour({ slug, title: `Of “${slug}”`, createdById: guide._id });
  await open(`/guides/${guide._id.toString()}`);
  await page.evaluate(() => Object.assign(window, { marked: true }));
  for (const title of slugs.map((slug) => `Of “${slug}”`)) {
    await page.getByRole("link", { name: title, exact: true }).click();
    await expect(heading(page)).toHaveText(title);
    // No page was loaded again: the scripts know where the link leads.
    expect(await page.evaluate(() => "marked" in window)).toBe(true);
    await page.goBack();
  }
});

test("a page that is shown again as it was left is brought up to date", async ({
  page,
  logIn,
  open,
}) => {
  const tour = await makeTour({ title: "Old Town Walk" });
  const review = await makeReview(await makeBookedExplorer(tour), tour);
  const restore = () =>
    page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
  await open(`/reviews/${review._id.toString()}`);
  await logIn(await makeUser());
  await Tour.updateOne({ _id: tour._id }, { title: "Harbour at Dawn" });
  await restore();
  await expect(heading(page)).toHaveText("Harbour at Dawn");
  await expect(page.getByRole("button", { name: "Log out" })).toBeAttached();
});
