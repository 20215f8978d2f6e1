import { describe, expect, test } from "vitest";
import { Review } from "#models/review";
import type { TourDocument } from "#models/tour";
import { call } from "../support/app";
import {
  insertReviews,
  makeBookedExplorer,
  makeReply,
  makeReview,
  makeTour,
  makeUser,
} from "../support/factories";
import { app, nextPage, type Options, useApp } from "../support/shared-app";

useApp();

interface Listed {
  id: string;
  rating: number | null;
  comment: string | null;
  [field: string]: unknown;
}

const DAY = 24 * 60 * 60_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY);

const get = (path: string, options?: Options) =>
  call<{ reviews: Listed[]; error?: string }>(app, "GET", path, options);

const pathOf = (tour: TourDocument, query: Record<string, string>) =>
  `/api/reviews?${new URLSearchParams({ tourId: tour._id.toString(), ...query }).toString()}`;

/** The pages from that one on, following `Link`. */
async function pagesFrom(path: string | null): Promise<Listed[][]> {
  const pages: Listed[][] = [];
  while (path !== null) {
    const { status, headers, json } = await get(path);
    expect(status).toBe(200);
    pages.push(json!.reviews);
    path = nextPage(headers);
  }
  return pages;
}

describe("GET /api/reviews in pages", () => {
  test.each([
    ["newest", [4, 1, 5, 3, 5]],
    ["highest", [5, 5, 4, 3, 1]],
    ["lowest", [1, 3, 4, 5, 5]],
    ["telling", [5, 4, 1, 5, 3]],
  ])("has every review once, the %s first, with a Link while more follow", async (sort, order) => {
    const tour = await makeTour();
    for (const [age, rating] of [4, 1, 5, 3, 5].entries())
      await makeReview(await makeUser(), tour, {
        rating,
        createdAt: daysAgo(age),
        comment: age === 4 ? "So many words that it tells a reader more. ".repeat(20) : "Short.",
      });
    const pages = await pagesFrom(pathOf(tour, { sort, limit: "2" }));
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(pages.flat().map(({ rating }) => rating)).toEqual(order);
    expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(5);
  });

  test("has twenty on a page, and what the whole list has of each", async () => {
    const tour = await makeTour();
    await insertReviews(tour._id, 45);
    const whole = await get(pathOf(tour, {}));
    const pages = await pagesFrom(pathOf(tour, { sort: "newest" }));
    expect(pages.map(({ length }) => length)).toEqual([20, 20, 5]);
    expect(pages.flat()).toEqual(whole.json!.reviews);
    expect(whole.headers.get("link")).toBeNull();
  });

  test("neither repeats nor skips a review when others come and go, the cursor's own too", async () => {
    const tour = await makeTour();
    for (const age of [1, 2, 3, 4])
      await makeReview(await makeUser(), tour, { createdAt: daysAgo(age), comment: String(age) });
    const { headers, json } = await get(pathOf(tour, { limit: "2" }));
    await Review.deleteOne({ _id: json!.reviews[1]!.id });
    await makeReview(await makeUser(), tour, { comment: "new" });
    const [page] = await pagesFrom(nextPage(headers));
    expect(page!.map(({ comment }) => comment)).toEqual(["3", "4"]);
  });

  test("has only the reviews that are asked for", async () => {
    const tour = await makeTour();
    const reviews = [
      [5, "The boat was calm, and we saw seals the whole morning."],
      [5, "Das Boot war ruhig, und wir haben den ganzen Morgen Robben gesehen."],
      [2, "We got seasick on the boat, and nobody had told us."],
      [2, null],
    ] as const;
    for (const [rating, comment] of reviews)
      await makeReview(await makeUser(), tour, { rating, comment });
    const asked = async (query: Record<string, string>) =>
      (await get(pathOf(tour, query))).json!.reviews.map(({ comment }) => comment).sort();
    const [seals, robben, seasick] = reviews.map(([, comment]) => comment);
    expect(await asked({ rating: "2" })).toEqual([seasick, null].sort());
    expect(await asked({ withText: "true" })).toEqual([seals, robben, seasick].sort());
    expect(await asked({ withText: "false" })).toHaveLength(4);
    expect(await asked({ lang: "de" })).toEqual([robben]);
    expect(await asked({ q: "boats" })).toEqual([seals, seasick].sort());
    expect(await asked({ q: "boat", rating: "2", lang: "en" })).toEqual([seasick]);
    expect(await asked({ lang: "fr" })).toEqual([]);
  });

  test("includes what is asked for, and nothing else", async () => {
    const tour = await makeTour();
    const author = await makeBookedExplorer(tour);
    const editedAt = new Date();
    const review = await makeReview(author, tour, { editedAt, verified: true });
    await makeReply(await makeUser({ name: "Gwen" }), review, { text: "Thank you." });
    const [plain] = (await get(pathOf(tour, { limit: "1" }))).json!.reviews;
    expect(plain).not.toHaveProperty("verified");
    const include = "reply,verified,editedAt,visitedAt";
    const [review1] = (await get(pathOf(tour, { include }))).json!.reviews;
    expect(review1).toEqual({
      ...plain,
      verified: true,
      editedAt: editedAt.toISOString(),
      visitedAt: null,
      reply: {
        text: "Thank you.",
        createdAt: expect.any(String) as string,
        editedAt: null,
        user: { name: "Gwen", image: null },
      },
    });
    const [verified] = (await get(pathOf(tour, { include: "verified" }))).json!.reviews;
    expect(verified).toEqual({ ...plain, verified: true });
  });

  const CURSOR = "after must be a cursor from the Link of an answer";
  test.each([
    ["limit", "0", "limit must be an integer between 1 and 100"],
    ["limit", "101", "limit must be an integer between 1 and 100"],
    ["rating", "9", "rating must be an integer between 1 and 5"],
    ["after", "nonsense", CURSOR],
    ["lang", "German", "lang must be a language tag such as en"],
    ["q", "a".repeat(201), "q must have at most 200 characters"],
    ["withText", "yes", "withText must be true or false"],
    ["sort", "best", "sort must be one of newest, highest, lowest, telling"],
    [
      "include",
      "reply,email",
      "include must be some of reply, verified, editedAt, visitedAt, separated by commas",
    ],
  ])("refuses %s=%s", async (name, value, error) => {
    const { status, json } = await get(pathOf(await makeTour(), { [name]: value }));
    expect([status, json]).toEqual([400, { error }]);
  });

  test("refuses the cursor of another order where it names no place", async () => {
    const tour = await makeTour();
    await insertReviews(tour._id, 3);
    const { headers } = await get(pathOf(tour, { limit: "1" }));
    const after = new URL(nextPage(headers)!, app.url).searchParams.get("after")!;
    const { status, json } = await get(pathOf(tour, { sort: "telling", after }));
    expect([status, json]).toEqual([400, { error: CURSOR }]);
  });

  test("asks to come again while the search of a large tour is prepared", async () => {
    const tour = await makeTour();
    await insertReviews(tour._id, 1_001);
    const { status, headers, json } = await get(pathOf(tour, { q: "boat" }));
    expect([status, json]).toEqual([503, { error: "The search is being prepared" }]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("is not sent again while it is unchanged", async () => {
    const tour = await makeTour();
    await insertReviews(tour._id, 3);
    const path = pathOf(tour, { limit: "2" });
    const { headers } = await get(path);
    const again = { headers: { "if-none-match": headers.get("etag")! } };
    expect((await get(path, again)).status).toBe(304);
    await makeReview(await makeUser(), tour);
    expect((await get(path, again)).status).toBe(200);
  });

  test("is empty for an unknown tour", async () => {
    const { status, headers, json } = await get("/api/reviews?tourId=nonsense&limit=5");
    expect([status, json, headers.get("link")]).toEqual([200, { reviews: [] }, null]);
  });
});
