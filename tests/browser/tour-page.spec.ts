import type { Page } from "@playwright/test";
import { Types } from "mongoose";
import { indexReviews } from "~/reviews/words/index-reviews.server";
import { rebuildRatings } from "~/reviews/ratings.server";
import { Review } from "#models/review";
import { ReviewIndex } from "#models/review-index";
import type { TourDocument } from "#models/tour";
import {
  makeBooking,
  makeBookedExplorer,
  makeReview,
  makeTour,
  keepPictures,
  makeUser,
} from "../support/factories";
import {
  EITHER,
  expect,
  expectAccessible,
  NO_SCRIPTS,
  notice,
  PHONE,
  postButton,
  scriptsReady,
  star,
  test,
} from "./support";

// A tour's page and the reviews on it, for their readers and for authors who have just written one.

const idOf = ({ _id }: { _id: Types.ObjectId }) => _id.toString();
const shownReview = (page: Page, name: string) =>
  page.getByRole("article", { name: `Review by ${name}` });

const SIZES = [
  [320, 640],
  [390, 844],
  [1366, 768],
  [1440, 900],
  [1920, 1080],
].map(([width, height]) => ({ width: width!, height: height! }));

/** Stores that many anonymous reviews of the tour, each older than the one before: "Comment 0" is the newest. */
async function makeReviews(tour: TourDocument, count: number) {
  const reviews = await Review.insertMany(
    Array.from({ length: count }, (_, n) => ({
      userId: new Types.ObjectId(),
      tourId: tour._id,
      rating: 4,
      comment: `Comment ${n}`,
      createdAt: new Date(Date.UTC(2026, 4, 1, 0, -n)),
    })),
  );
  await rebuildRatings({ tourIds: [tour._id] });
  return reviews;
}

/** Expects the page to point out the review: in view, focused and marked. */
async function expectFound(page: Page, name: string): Promise<void> {
  const review = shownReview(page, name);
  await expect(review).toBeFocused();
  await expect(review).not.toHaveCSS("box-shadow", "none");
  for (const part of [review.locator("strong"), review.locator("time").first()]) {
    await expect(part).toBeInViewport({ ratio: 1 });
    // Nothing covers it.
    const seen = await part.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const shown = document.elementFromPoint(left + width / 2, top + height / 2);
      return element === shown || element.contains(shown);
    });
    expect(seen).toBe(true);
  }
}

test.describe("a review's own page", () => {
  test(
    "is what a review's share link copies, or leads to",
    { tag: EITHER },
    async ({ page, open, scripts, context }) => {
      const tour = await makeTour();
      const review = await makeReview(await makeBookedExplorer(tour, { name: "Ann" }), tour);
      const share = page.getByRole("link", { name: "Share the review by Ann" });
      const openMenu = async () => {
        await open(`/tours/${tour.slug}`);
        await shownReview(page, "Ann").locator(".review-menu > summary").click();
      };
      const address = `${process.env.APP_URL}/reviews/${idOf(review)}`;
      if (scripts) {
        await context.grantPermissions(["clipboard-read", "clipboard-write"]);
        // A window that loses the focus for a moment may not copy: the link then leads to the review's page.
        await expect(async () => {
          await openMenu();
          await share.click();
          await expect(shownReview(page, "Ann")).toContainText("Link copied", { timeout: 1_000 });
        }).toPass();
        expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
      } else {
        await openMenu();
        await share.click();
        await expect(page).toHaveURL(address);
      }
    },
  );

  test("opens for an address whose review the tour's page does not show", async ({
    open,
    page,
  }) => {
    const tour = await makeTour();
    const reviews = await makeReviews(tour, 25);
    const last = idOf(reviews[24]!);
    await page.goto(`/tours/${tour.slug}#review-${last}`);
    await expect(page).toHaveURL(`/reviews/${last}#review-${last}`);
    await expect(page.getByText("Comment 24")).toBeVisible();
    await expect(page.getByRole("article")).toBeFocused();
    await page.getByRole("link", { name: "All 25 reviews of this tour" }).click();
    await expect(page).toHaveURL(`/tours/${tour.slug}#reviews`);
    // Neither for a review that the page shows nor for one that does not exist.
    for (const id of [idOf(reviews[3]!), new Types.ObjectId().toString()]) {
      await open(`/tours/${tour.slug}#review-${id}`);
      await expect(page).toHaveURL(`/tours/${tour.slug}#review-${id}`);
    }
  });
});

test.describe("after posting", () => {
  const post = async (page: Page, tour: TourDocument, stars: number) => {
    await page.goto(`/tours/${tour.slug}`);
    await star(page, stars).check();
    await page.getByLabel("Comment").fill("Fine.");
    await page.getByRole("button", { name: "Post review" }).click();
  };

  test(
    "one's review is in view, focused and marked, with what it did to the tour and what is next",
    { tag: PHONE },
    async ({ page, logIn }) => {
      const tour = await makeTour();
      await makeReviews(tour, 60);
      const ann = await makeBookedExplorer(tour, { name: "Ann" });
      await logIn(ann);
      const next = await makeTour({ title: "Salt & Sails" });
      await makeBooking(ann, next);
      await post(page, tour, 5);
      await expect(notice(page)).toContainText(
        "Thank you, your review is live. It’s the 61st; the rating stays at 4.0.",
      );
      await expect(notice(page)).toBeInViewport({ ratio: 1 });
      await expectFound(page, "Ann");
      await notice(page).getByRole("link", { name: "review Salt & Sails" }).click();
      await expect(page).toHaveURL(`/tours/${next.slug}#write`);
      // The message appears only once.
      await page.goto(`/tours/${tour.slug}`);
      await expect(shownReview(page, "Ann")).toBeVisible();
      await expect(page.getByText("Thank you")).toHaveCount(0);
    },
  );

  test(
    "the first, a better and a worse one are told apart",
    { tag: NO_SCRIPTS },
    async ({ page, logIn }) => {
      const tour = await makeTour();
      for (const [stars, words] of [
        [4, "It’s the first; the rating is now 4.0."],
        [5, "It’s the 2nd; the rating is now 4.5."],
        [1, "It’s the 3rd; the rating is now 3.3."],
      ] as const) {
        await logIn(await makeBookedExplorer(tour));
        await post(page, tour, stars);
        await expect(notice(page)).toHaveText(`Thank you, your review is live. ${words}`);
      }
    },
  );

  test(
    "the thanks stay true when others post meanwhile",
    { tag: NO_SCRIPTS },
    async ({ page, openToReview }) => {
      const { tour } = await openToReview({ name: "Ann" });
      await star(page, 2).check();
      // Between the post and the page after it.
      await page.route(
        `**/tours/${tour.slug}`,
        async (route) => {
          const answer = await route.fetch({ maxRedirects: 0 });
          await makeReview(await makeBookedExplorer(tour), tour, { rating: 5 });
          await route.fulfill({ response: answer });
        },
        { times: 1 },
      );
      await page.getByRole("button", { name: "Post review" }).click();
      await expect(notice(page)).toHaveText(
        "Thank you, your review is live. The tour now has 2 reviews; the rating is now 3.5.",
      );
      await expectFound(page, "Ann");
    },
  );
});

test.describe("the page of a tour", () => {
  test(
    "tells the facts first, then the description, the ratings, the form and the reviews",
    { tag: PHONE },
    async ({ page, logIn, isMobile }) => {
      const tour = await makeTour({
        title: "Harbour Lights",
        description: "First part.",
        location: "Porto",
        durationMinutes: 90,
        date: new Date(Date.UTC(2040, 4, 1)),
      });
      await makeReview(await makeUser({ name: "Ben" }), tour);
      await logIn(await makeBookedExplorer(tour));
      await page.goto(`/tours/${tour.slug}`);
      const parts = [
        page.getByRole("heading", { level: 1 }),
        page.getByRole("complementary", { name: "Price and dates" }),
        page.getByText("1.5 hours"),
        page.getByText("Tuesday 1 May 2040", { exact: true }),
        page.getByText("Porto", { exact: true }),
        page.getByRole("link", { name: "Gwen Guide" }),
        page.getByText("First part."),
        page.getByRole("region", { name: "Ratings" }),
        page.getByRole("heading", { name: "Write a review" }),
        page.getByRole("heading", { name: "Reviews", exact: true }),
        shownReview(page, "Ben"),
      ];
      const order = await Promise.all(
        parts.map((part) =>
          part.evaluate((element) => [...document.querySelectorAll("*")].indexOf(element)),
        ),
      );
      expect(order).toEqual([...order].sort((a, b) => a - b));

      const links = page.getByRole("navigation", { name: "On this page" });
      if (!isMobile) return expect(links).toBeHidden();
      for (const [name, target] of [
        ["Reviews", "#reviews"],
        ["Write a review", "#write"],
        ["Description", "#description"],
      ] as const) {
        await links.getByRole("link", { name }).click();
        await expect(page).toHaveURL(`/tours/${tour.slug}${target}`);
        await expect(page.locator(target)).toBeInViewport();
      }
    },
  );

  test(
    "leads to where the tour is booked, wherever it is read",
    { tag: PHONE },
    async ({ page, context, isMobile }) => {
      const bookingUrl = "https://tours.example.test/harbour";
      const tour = await makeTour({ description: "Long.\n\n".repeat(80), bookingUrl });
      await makeReview(await makeBookedExplorer(tour, { name: "Ben" }), tour);
      await context.route(bookingUrl, (route) => route.fulfill({ body: "Dates" }));
      await page.goto(`/tours/${tour.slug}`);
      const book = page.getByRole("link", { name: "See dates and book" });
      await expect(book).toBeInViewport({ ratio: 1 });
      await expect(page.getByText("on tours.example.test")).toBeVisible();
      await shownReview(page, "Ben").scrollIntoViewIfNeeded();
      await expect(book).toBeInViewport({ ratio: 1 });
      if (isMobile) {
        // It hides nothing of what has the focus.
        const footer = page.getByRole("contentinfo").getByRole("link").last();
        await footer.focus();
        await expect(book).toBeInViewport({ ratio: 1 });
        const [bar, last] = [await booking(page).boundingBox(), await footer.boundingBox()];
        expect(last!.y + last!.height).toBeLessThanOrEqual(bar!.y);
      }
      await book.click();
      await expect(page).toHaveURL(bookingUrl);
      expect(await page.evaluate(() => window.opener as unknown)).toBe(null);
    },
  );
});

/** The card of price, next departure and booking; a bar on phones. */
const booking = (page: Page) => page.getByRole("complementary", { name: "Price and dates" });

test.describe("price, next departure and booking", () => {
  const DATE = new Date(Date.UTC(new Date().getUTCFullYear() + 2, 4, 1, 9));
  const YEAR = DATE.getUTCFullYear();
  const FIELDS = {
    price: 65,
    currency: "EUR",
    date: DATE,
    bookingUrl: "https://tours.example.test/harbour?on={date}",
    description: "Long.\n\n".repeat(60),
  };

  test("stay in view in every window, with the day", { tag: EITHER }, async ({ page }) => {
    const tour = await makeTour(FIELDS);
    await makeReviews(tour, 25);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await page.goto(`/tours/${tour.slug}`);
      await expect(booking(page)).toContainText(/€65.*Next: .* 1 May/);
      const link = page.getByRole("link", { name: `See dates and book from 1 May ${YEAR}` });
      await expect(link).toHaveAttribute(
        "href",
        `https://tours.example.test/harbour?on=${YEAR}-05-01`,
      );
      // Nothing of it makes the page wider.
      const { scrollWidth } = await booking(page).evaluate(({ scrollWidth }) => ({ scrollWidth }));
      expect(scrollWidth).toBeLessThanOrEqual(size.width);
      for (const text of ["Comment 0", "Comment 19"]) {
        await page.getByText(text, { exact: true }).scrollIntoViewIfNeeded();
        await expect(link).toBeInViewport({ ratio: 1 });
      }
    }
  });

  test(
    "leave a phone to the form for a review",
    { tag: PHONE },
    async ({ page, logIn, open, isMobile }) => {
      const tour = await makeTour(FIELDS);
      await logIn(await makeBookedExplorer(tour));
      await open(`/tours/${tour.slug}`);
      const link = page.getByRole("link", { name: "See dates and book" });
      await expect(link).toBeInViewport({ ratio: 1 });
      await postButton(page).scrollIntoViewIfNeeded();
      await (isMobile ? expect(link).toBeHidden() : expect(link).toBeInViewport({ ratio: 1 }));
      await page.getByRole("heading", { level: 1 }).scrollIntoViewIfNeeded();
      await expect(link).toBeVisible();
    },
  );

  test("say that a tour of the past has no dates", { tag: NO_SCRIPTS }, async ({ page }) => {
    const tour = await makeTour({ ...FIELDS, date: new Date("2020-05-01T09:00Z") });
    await page.goto(`/tours/${tour.slug}`);
    await expect(booking(page)).toContainText("No dates at present");
    const link = page.getByRole("link", { name: "Look for new dates" });
    await expect(link).toHaveAttribute("href", "https://tours.example.test/harbour?on=");
  });
});

test.describe("the pictures of a tour", () => {
  const openWith = async (page: Page, count: number, size: { width: number; height: number }) => {
    const tour = await makeTour({ images: await keepPictures(count) });
    await page.setViewportSize(size);
    await page.goto(`/tours/${tour.slug}`);
    return tour;
  };
  const DESKTOP = { width: 1366, height: 768 };
  const list = (page: Page) => page.getByRole("region", { name: "Pictures" }).getByRole("list");

  test("may be one drawing, below which title, facts and price are in view", async ({ page }) => {
    await page.setViewportSize(DESKTOP);
    await page.goto("/tours/via-ferrata-to-the-lighthouse");
    const drawing = (await page.locator("main .cover").first().boundingBox())!;
    expect(drawing.y).toBeLessThan(150);
    const title = page.getByRole("heading", { level: 1 });
    expect(drawing.width).toBeCloseTo((await title.boundingBox())!.width, 0);
    for (const part of [
      title,
      page.getByText("From 14 years"),
      page.getByRole("complementary", { name: "Price and dates" }),
    ])
      await expect(part).toBeInViewport({ ratio: 1 });
  });

  test("stand on top: five where there is room", { tag: NO_SCRIPTS }, async ({ page }) => {
    for (const [count, seen] of [
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 4],
      [5, 5],
      [7, 5],
    ] as const) {
      await openWith(page, count, DESKTOP);
      await expect(list(page).getByRole("link")).toHaveCount(seen);
      const all = await list(page).boundingBox();
      expect(all!.y).toBeLessThan(150);
      await expect(page.getByRole("heading", { level: 1 })).toBeInViewport({ ratio: 1 });
      // They fill their rectangle.
      const boxes = await Promise.all(
        (await list(page).getByRole("link").all()).map((one) => one.boundingBox()),
      );
      const area = boxes.reduce((sum, box) => sum + box!.width * box!.height, 0);
      expect(area / (all!.width * all!.height)).toBeGreaterThan(0.95);
    }
    await expect(page.getByText("All 7 pictures")).toBeVisible();
  });

  test("are swiped on a phone", { tag: EITHER }, async ({ page }) => {
    for (const size of [
      { width: 390, height: 844 },
      { width: 320, height: 640 },
    ]) {
      await openWith(page, 5, size);
      const links = list(page).getByRole("link");
      await expect(links).toHaveCount(5);
      await expect(page.getByText("1 of 5")).toBeInViewport({ ratio: 1 });
      await expect(page.getByText("2 of 5")).not.toBeInViewport();
      await links.nth(1).scrollIntoViewIfNeeded();
      await expect(page.getByText("2 of 5")).toBeInViewport({ ratio: 1 });
      expect((await links.nth(1).boundingBox())!.width).toBe(size.width);
    }
  });

  test("open over the page, and give the focus back", async ({ page }) => {
    const tour = await makeTour({ images: await keepPictures(3) });
    await page.setViewportSize(DESKTOP);
    await page.goto(`/tours/${tour.slug}`);
    await scriptsReady(page);
    const second = list(page).getByRole("link").nth(1);
    await second.click();
    const viewer = page.getByRole("dialog", { name: `Pictures of ${tour.title}` });
    await expect(viewer.getByRole("status")).toHaveText("2 of 3");
    await expect(viewer.getByText("Hills in the evening, 2")).toBeInViewport();
    expect(await viewer.boundingBox()).toEqual({ x: 0, y: 0, ...DESKTOP });
    await expectAccessible(page);
    for (const [act, place] of [
      [() => page.keyboard.press("ArrowRight"), "3 of 3"],
      [() => page.keyboard.press("ArrowLeft"), "2 of 3"],
      [() => viewer.getByRole("button", { name: "Previous picture" }).click(), "1 of 3"],
      [() => viewer.getByRole("button", { name: "Previous picture" }).click(), "3 of 3"],
      [() => viewer.getByRole("button", { name: "Next picture" }).click(), "1 of 3"],
    ] as const) {
      await act();
      await expect(viewer.getByRole("status")).toHaveText(place);
    }
    await page.keyboard.press("Escape");
    await expect(viewer).toHaveCount(0);
    await expect(second).toBeFocused();
    await expect(page).toHaveURL(`/tours/${tour.slug}`);
  });

  test("have pages of their own", { tag: NO_SCRIPTS }, async ({ page }) => {
    const tour = await openWith(page, 3, DESKTOP);
    await list(page).getByRole("link").nth(1).click();
    await expect(page).toHaveURL(`/tours/${tour.slug}/pictures?n=2`);
    const heading = page.getByRole("heading", { level: 1 });
    await expect(heading).toHaveText("Picture 2 of 3");
    await expect(page.getByText("Hills in the evening, 2")).toBeVisible();
    await expect(page.locator("meta[name=robots]")).toHaveAttribute("content", "noindex");
    await page.getByRole("link", { name: "Next" }).click();
    await expect(heading).toHaveText("Picture 3 of 3");
    await expect(page.getByRole("link", { name: "Next" })).toHaveCount(0);
    await page.getByRole("link", { name: "Previous" }).click();
    await expect(heading).toHaveText("Picture 2 of 3");
    await page.getByRole("link", { name: "Back to the tour" }).click();
    await expect(page).toHaveURL(`/tours/${tour.slug}`);
    for (const [asked, shown] of [
      ["99", "Picture 3 of 3"],
      ["0", "Picture 1 of 3"],
      ["x", "Picture 1 of 3"],
    ]) {
      await page.goto(`/tours/${tour.slug}/pictures?n=${asked}`);
      await expect(heading).toHaveText(shown!);
    }
    await page.goto(`/tours/${(await makeTour()).slug}/pictures`);
    await expect(heading).toHaveText("No pictures");
  });
});

test.describe("the form for a review", () => {
  test(
    "is where its address leads, and names its tour",
    { tag: EITHER },
    async ({ page, logIn }) => {
      const tour = await makeTour({ description: "Long.\n\n".repeat(40) });
      await makeReviews(tour, 25);
      await logIn(await makeBookedExplorer(tour));
      for (const size of SIZES) {
        await page.setViewportSize(size);
        // Another document, so that it is opened afresh.
        await page.goto("/healthz");
        await page.goto(`/tours/${tour.slug}#write`);
        const heading = page.getByRole("heading", { name: `Write a review of ${tour.title}` });
        await expect.poll(async () => (await heading.boundingBox())!.y).toBeLessThan(100);
        await expect(heading).toBeInViewport({ ratio: 1 });
      }
    },
  );

  test("can be sent with its button after an error, in every window", async ({
    page,
    openToReview,
  }) => {
    await openToReview();
    await page.getByLabel("Comment").fill("x".repeat(5_200));
    await star(page, 4).check();
    await page.getByRole("button", { name: "Post review" }).click();
    await expect(page.getByRole("alert")).toBeFocused();
    for (const size of SIZES) {
      await page.setViewportSize(size);
      const button = page.getByRole("button", { name: "Post review" });
      await button.scrollIntoViewIfNeeded();
      await expect(button).toBeInViewport({ ratio: 1 });
      // Nothing but the page scrolls.
      const scrolled = await button.evaluate((element) => {
        const around: string[] = [];
        for (let one = element.parentElement; one && one !== document.body; one = one.parentElement)
          if (/auto|scroll/.test(getComputedStyle(one).overflowY)) around.push(one.className);
        return around;
      });
      expect(scrolled).toEqual([]);
    }
  });
});

test.describe("the reviews of a tour", () => {
  /** A tour with topics, of reviews in two languages. */
  async function tourWithTopics() {
    const tour = await makeTour();
    await makeReviews(tour, 8);
    const mentioned = [
      { word: "wooden boat", count: 3, mean: 3.4 },
      ...["anchovies", "breakwater", "captain", "swimming ladder", "lifejackets", "sunset"].map(
        (word) => ({ word, count: 4, mean: 4 }),
      ),
    ];
    const languages = [
      { tag: "en", count: 6 },
      { tag: "de", count: 2 },
    ];
    await indexReviews(tour._id);
    await ReviewIndex.updateOne({ _id: tour._id }, { mentioned, languages });
    return tour;
  }

  test(
    "begin near their heading, below one row of menus and one of topics",
    {
      tag: NO_SCRIPTS,
    },
    async ({ page }) => {
      const tour = await tourWithTopics();
      for (const [width, least] of [
        [390, 260],
        [320, 300],
        [1366, 260],
        [1440, 260],
      ] as const) {
        await page.setViewportSize({ width, height: 844 });
        await page.goto(`/tours/${tour.slug}`);
        const heading = (await page.locator("#reviews").boundingBox())!;
        const first = (await page.getByRole("article").first().boundingBox())!;
        expect(first.y - heading.y, `${width} px`).toBeLessThan(least);
        // The row of topics scrolls by itself, the page does not.
        const needed = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(needed).toBeLessThanOrEqual(width);
      }
      const topics = page.getByRole("navigation", { name: "Often mentioned" }).getByRole("link");
      await expect(topics.first()).toHaveAccessibleName(/^wooden boat ?, 3 reviews, 3\.4 stars$/);
      await expect(page.getByRole("searchbox")).toHaveAttribute(
        "placeholder",
        "Search reviews, such as wooden boat",
      );
    },
  );

  test(
    "are ordered and chosen in menus, each choice once",
    { tag: EITHER },
    async ({ page, open, scripts }) => {
      const tour = await tourWithTopics();
      await open(`/tours/${tour.slug}`);
      await page.getByText("Stars: All stars").click();
      await page.getByRole("link", { name: "4 stars 8", exact: true }).click();
      await expect(page).toHaveURL(`/tours/${tour.slug}?stars=4#reviews`);
      await expect(page.getByText("Stars: 4 stars")).toBeVisible();
      await expect(page.locator(".chips [aria-current=true]:visible")).toHaveCount(0);
      await expect(page.getByText("8 of 8 reviews")).toBeVisible();
      await page.getByText("Order: Newest").click();
      await page.keyboard.press(scripts ? "Escape" : "Enter");
      await expect(page.getByRole("link", { name: "Lowest" })).toBeHidden();
      await page.getByRole("link", { name: "Show all 8 reviews" }).click();
      await expect(page.getByText("Stars: All stars")).toBeVisible();
    },
  );

  test(
    "offer all of them and the topics where none is found",
    { tag: EITHER },
    async ({ page, open }) => {
      const tour = await tourWithTopics();
      await open(`/tours/${tour.slug}`);
      await page.getByRole("searchbox").fill("submarine");
      await page.getByRole("button", { name: "Search" }).click();
      await expect(page.getByText("No reviews mention “submarine”.")).toBeVisible();
      await expect(page.getByRole("link", { name: "anchovies" })).toHaveCount(1);
      await page.getByRole("link", { name: "Show all 8 reviews" }).last().click();
      await expect(page.getByRole("article")).toHaveCount(8);
    },
  );

  test(
    "of fewer than five have no orders, bars and search",
    { tag: NO_SCRIPTS },
    async ({ page }) => {
      const tour = await makeTour();
      for (const [count, shown] of [
        [4, 0],
        [1, 1],
      ] as const) {
        await makeReviews(tour, count);
        await page.goto(`/tours/${tour.slug}`);
        await expect(page.locator(".histogram")).toHaveCount(shown);
        await expect(page.locator(".menus")).toHaveCount(shown);
        await expect(page.getByRole("searchbox", { name: "Search reviews" })).toHaveCount(shown);
      }
    },
  );
});

test.describe("more reviews", () => {
  const more = (page: Page) => page.getByRole("link", { name: "More reviews" });

  test("show none twice after one's own is deleted below a longer list", async ({
    page,
    logIn,
    open,
  }) => {
    const tour = await makeTour();
    const author = await makeUser();
    const [, own] = await makeReviews(tour, 45);
    await Review.updateOne({ _id: own!._id }, { userId: author._id });
    await logIn(author);
    await open(`/tours/${tour.slug}`);
    const reviews = page.getByRole("article");
    const numbers = Array.from({ length: 45 }, (_, n) => n);
    const expectFirst = async (count: number) => {
      await expect(reviews).toHaveCount(count);
      expect(await reviews.locator(".comment").allInnerTexts()).toEqual(
        numbers.slice(0, count).map((n) => `Comment ${n}`),
      );
    };
    await more(page).click();
    await expectFirst(40);

    await reviews.getByRole("link", { name: "Delete your review" }).click();
    await page.getByRole("button", { name: "Delete my review" }).click();
    await expect(notice(page)).toHaveText("Review deleted successfully.");
    numbers.splice(1, 1);
    // Reviews that were loaded again must not be added twice, whenever they arrive.
    await page.waitForLoadState("networkidle");
    await expectFirst(20);
    for (const count of [40, 44]) {
      await more(page).click();
      await expectFirst(count);
    }
  });

  // Playwright's own click would first scroll to the link.
  const follow = (page: Page) =>
    page.getByRole("link", { name: "Tour Reviews" }).dispatchEvent("click");
  for (const [way, leave, isTold, isUser] of [
    ["another page", follow, true, true],
    ["another page, before the browser tells of the scrolling", follow, false, true],
    ["another document", (page: Page) => page.goto("/healthz"), true, true],
    ["another page, by who is not logged in", follow, true, false],
  ] as const)
    test(`are there again, and the place, after a visit to ${way}`, async ({
      page,
      open,
      logIn,
    }) => {
      if (isUser) await logIn(await makeUser());
      const tour = await makeTour();
      await makeReviews(tour, 65);
      await open(`/tours/${tour.slug}`);
      if (!isTold)
        await page.evaluate(() =>
          addEventListener("scroll", (event) => event.stopImmediatePropagation(), true),
        );
      const articles = page.getByRole("article");
      for (const count of [40, 60]) {
        await more(page).click();
        await expect(articles).toHaveCount(count);
      }
      const read = page.getByText("Comment 50");
      await read.scrollIntoViewIfNeeded();
      const placeOf = () => page.evaluate(() => window.scrollY);
      const place = await placeOf();
      expect(place).toBeGreaterThan(0);
      await leave(page);
      await expect(articles).toHaveCount(0);
      await page.goBack();
      await expect(articles).toHaveCount(60);
      await expect.poll(placeOf).toBeCloseTo(place, -1);
      await expect(read).toBeInViewport();
    });
});

test(
  "a long comment folds, and all of it is read, found and printed",
  { tag: NO_SCRIPTS },
  async ({ page }) => {
    const tour = await makeTour();
    const lines = Array.from({ length: 30 }, (_, n) => `Line ${n}.`).join("\n");
    await makeReview(await makeBookedExplorer(tour, { name: "Ann" }), tour, { comment: lines });
    const short = "Short, and on one line.";
    const review = await makeReview(await makeBookedExplorer(tour, { name: "Ben" }), tour, {
      comment: short,
    });
    await page.goto(`/tours/${tour.slug}`);
    const comment = shownReview(page, "Ann").locator(".comment");
    const height = () => comment.evaluate(({ clientHeight }) => clientHeight);
    const folded = await height();
    expect(await comment.evaluate((p) => p.scrollHeight)).toBeGreaterThan(2 * folded);
    await expect(comment).toContainText("Line 29.");
    await expect(shownReview(page, "Ben").getByRole("checkbox")).toHaveCount(0);

    await page.emulateMedia({ media: "print" });
    expect(await height()).toBeGreaterThan(2 * folded);
    await page.emulateMedia({ media: "screen" });
    expect(await height()).toBe(folded);
    await page.getByText("Read more").click();
    expect(await height()).toBeGreaterThan(2 * folded);
    await page.getByText("Show less").click();
    expect(await height()).toBe(folded);
    await page.getByRole("checkbox", { name: "Read more" }).press("Space");
    expect(await height()).toBeGreaterThan(2 * folded);

    // On its own page a review is never folded.
    await Review.updateOne({ _id: review._id }, { comment: lines });
    await page.goto(`/reviews/${idOf(review)}`);
    await expect(page.getByRole("checkbox")).toHaveCount(0);
  },
);
