import mongoose, { Types } from "mongoose";
import { rebuildRatings } from "~/store/reviews/ratings.server";
import { Review } from "../../models/review";
import { makeBookedExplorer, makeReview, makeTour, makeUser } from "../support/factories";
import { expect, notice, openSearch, PICTURES, SCRIPTS, test, unique } from "./support";

test("a visitor finds a tour by words from its title, place and guide", async ({ page }) => {
  const word = unique();
  const guide = await makeUser({ name: `Jörg ${word}` });
  await makeTour({ title: `Über den Fluß (${word})`, createdById: guide._id });
  await makeTour({ title: `Another ${word}` });
  await openSearch(page, word, 2);
  await page.goto("/");
  await page.getByRole("searchbox", { name: "Search tours" }).fill(`uber ${word} JORG`);
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("status")).toContainText("1 tour for");
  await page.getByRole("main").getByRole("heading", { level: 2 }).getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Über den Fluß (${word})`);
});

test("a picture that does not load, or is none, leaves the initials and the landscape", async ({
  open,
  page,
}) => {
  await page.route(`${PICTURES}/**`, (route) =>
    route.request().url().endsWith("red.svg")
      ? route.fulfill({
          contentType: "image/svg+xml",
          body: '<svg xmlns="http://www.w3.org/2000/svg"><path fill="red" d="M0 0h999v999H0z"/></svg>',
        })
      : route.fulfill({ status: 404 }),
  );
  const tour = await makeTour();
  /** The cover and the guide's avatar as they look with this picture. */
  const look = async (image: string | null) => {
    // A different guide each time: the site remembers a guide's picture for half a minute.
    const guide = await makeUser({ name: "Gwen Guide", image });
    const set = { $set: { image, createdById: guide._id } };
    await mongoose.connection.collection("tours").updateOne({ _id: tour._id }, set);
    await open(`/tours/${tour.slug}`);
    const shots = [page.locator(".hero .cover"), page.locator(".facts .avatar")].map((element) =>
      element.screenshot().then((shot) => shot.toString("base64")),
    );
    return Promise.all(shots);
  };
  // The first page may do without the site's fonts (font-display: optional).
  await look(null);
  const without = await look(null);
  expect(await look(`${PICTURES}/gone.png`)).toEqual(without);
  expect(await look("http://img.example.test/unencrypted.png")).toEqual(without);
  expect(await look("no address")).toEqual(without);
  const [cover, avatar] = await look(`${PICTURES}/red.svg`);
  expect(cover).not.toBe(without[0]);
  expect(avatar).not.toBe(without[1]);
});

test("a tour shows its mean, its histogram and its reviews, filtered and sorted", async ({
  page,
}) => {
  const tour = await makeTour({ description: "First part.\n\nSecond part." });
  for (const [index, rating] of [5, 4, 4, 1].entries())
    await makeReview(await makeBookedExplorer(tour, { name: `Guest ${index}` }), tour, {
      rating,
      createdAt: new Date(Date.UTC(2026, 4, 1 + index)),
    });
  await page.goto(`/tours/${tour.slug}`);
  await expect(page.getByText("3.5 out of 5 (4 reviews)")).toBeVisible();
  await expect(page.getByText("Gwen Guide")).toBeVisible();
  const reviews = page.getByRole("article");
  const names = async () => reviews.locator("strong").allInnerTexts();
  expect(await names()).toEqual(["Guest 3", "Guest 2", "Guest 1", "Guest 0"]);
  await expect(reviews.first().locator("time")).toHaveAttribute("datetime", /^2026-05-04T/);

  const ratings = page.getByRole("region", { name: "Ratings" });
  const four = ratings.getByRole("link", { name: "4 stars 50% 2 reviews" });
  await four.click();
  await expect(reviews).toHaveCount(2);
  await expect(page.getByText("2 of 4 reviews", { exact: true })).toBeVisible();
  await expect(four).toHaveAttribute("aria-current", "true");
  await page.getByRole("link", { name: "Take away the filter: 4 stars" }).click();
  await expect(reviews).toHaveCount(4);
  await expect(page.getByText("4 of 4 reviews")).toHaveCount(0);
  await page.getByRole("link", { name: "Highest" }).click();
  await expect(page).toHaveURL(/sort=highest/);
  await expect(reviews.first()).toContainText("Guest 0");
  await page.getByRole("link", { name: "Lowest" }).click();
  await expect(page).toHaveURL(/sort=lowest/);
  await expect(reviews.first()).toContainText("Guest 3");
  // Nobody gave three, to which only an old address leads.
  await expect(ratings.getByRole("link")).toHaveCount(3);
  const three = ratings.getByRole("listitem").filter({ hasText: "3 stars" });
  await expect(three).toHaveText("3 stars0%0 reviews");
  await page.goto(`/tours/${tour.slug}?stars=3`);
  await expect(page.getByText("No 3-star reviews yet.")).toBeVisible();
  await expect(three.locator("[aria-current]")).toHaveCount(1);
  const full = await ratings
    .locator(".histogram rect")
    .first()
    .evaluate((bar) => bar.getAttribute("width"));
  expect(full).toBe("25");
});

test("a long list goes on behind a link, in place where scripts run", async ({ page, scripts }) => {
  await page.goto("/tours/porto-sarrava-by-lantern");
  const reviews = page.getByRole("article");
  await expect(reviews).toHaveCount(20);
  const first = await reviews.first().getAttribute("id");
  const ids = new Set(await reviews.evaluateAll((all) => all.map(({ id }) => id)));
  const total = Number(/\((\d+) reviews\)/.exec(await page.getByRole("main").innerText())![1]);
  for (let shown = 20; shown < total; shown += 20) {
    await page.getByRole("link", { name: "More reviews" }).click();
    if (scripts) await expect(reviews).toHaveCount(Math.min(shown + 20, total));
    else await expect(page.getByRole("link", { name: "Back to the first reviews" })).toBeVisible();
    if (!scripts) await expect(reviews).toHaveCount(Math.min(20, total - shown));
    for (const id of await reviews.evaluateAll((all) => all.map((review) => review.id)))
      ids.add(id);
  }
  // None is shown twice, and none is missing.
  expect(ids.size).toBe(total);
  await expect(page.getByRole("link", { name: "More reviews" })).toHaveCount(0);
  if (scripts) await expect(reviews.first()).toHaveAttribute("id", first!);
});

test(
  "no review is shown twice after one's own is deleted below a longer list",
  { tag: SCRIPTS },
  async ({ page, logIn }) => {
    const tour = await makeTour();
    const author = await makeUser();
    const userIds = Array.from({ length: 45 }, (_, n) =>
      n === 5 ? author._id : new Types.ObjectId(),
    );
    await Review.insertMany(
      userIds.map((userId, n) => ({
        ...{ userId, tourId: tour._id, rating: 4, comment: `Comment ${n}` },
        createdAt: new Date(Date.UTC(2026, 4, 1, 0, 60 - n)),
      })),
    );
    await rebuildRatings({ tourIds: [tour._id] });
    await logIn(author);
    await page.goto(`/tours/${tour.slug}`);
    const reviews = page.getByRole("article");
    const more = page.getByRole("link", { name: "More reviews" });
    const expectReviews = async (numbers: number[]) => {
      await expect(reviews).toHaveCount(numbers.length);
      expect(await reviews.locator(".comment").allInnerTexts()).toEqual(
        numbers.map((n) => `Comment ${n}`),
      );
    };
    const numbers = Array.from(userIds.keys());
    await more.click();
    await expectReviews(numbers.slice(0, 40));

    await reviews.getByRole("link", { name: "Delete your review" }).click();
    await page.getByRole("button", { name: "Delete my review" }).click();
    await expect(notice(page)).toHaveText("Review deleted successfully.");
    numbers.splice(5, 1);
    // Reviews that were loaded again must not be added twice, whenever they arrive.
    await page.waitForLoadState("networkidle");
    await expectReviews(numbers.slice(0, 20));
    await more.click();
    await expectReviews(numbers.slice(0, 40));
    await more.click();
    await expectReviews(numbers);
  },
);
