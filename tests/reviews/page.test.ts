import { Types } from "mongoose";
import { describe, expect, test } from "vitest";
import { commentCounts } from "~/reviews/list/commented.server";
import {
  getReviewPage,
  type PageSelection,
  REVIEWS_PER_PAGE,
  type ReviewPage,
} from "~/reviews/list/page.server";
import { type ReviewDocument } from "#models/review";
import { useDatabase } from "../support/database";
import { insertReviews, makeReview, makeTour, makeUser } from "../support/factories";

useDatabase();

type Selection = Omit<PageSelection, "after">;

/** A page of a tour that nobody has changed here. */
const pageOf = (_id: Types.ObjectId, selection: Selection, after: string | null = null) =>
  getReviewPage({ _id, ratingsVersion: 0 }, { ...selection, after });

/** The reviews of all pages, which are full but for the last one. */
async function walk(tourId: Types.ObjectId, selection: Selection) {
  const pages: ReviewPage[] = [];
  do pages.push(await pageOf(tourId, selection, pages.at(-1)?.next));
  while (pages.at(-1)!.next);
  for (const { reviews } of pages.slice(0, -1)) expect(reviews).toHaveLength(REVIEWS_PER_PAGE);
  return pages.flatMap(({ reviews }) => reviews);
}

const idsOf = (reviews: { id: string }[]) => reviews.map(({ id }) => id);

/** Of a tour of their own, three at a time in the same moment. */
const makeReviews = (count: number) =>
  insertReviews(new Types.ObjectId(), count, (n) => ({
    createdAt: new Date(Date.UTC(2026, 0, 1 + Math.floor(n / 3))),
  }));

const inOrder = (direction: number) => (a: ReviewDocument, b: ReviewDocument) =>
  direction * (a.rating! - b.rating!) ||
  b.createdAt.getTime() - a.createdAt.getTime() ||
  b._id.toString().localeCompare(a._id.toString());

describe("pages of a list", () => {
  test.each([
    ["newest", null],
    ["highest", null],
    ["lowest", null],
    ["newest", 4],
  ] as const)("%s, of %s stars, has every review once and in order", async (sort, stars) => {
    const reviews = await makeReviews(REVIEWS_PER_PAGE * 5 + 3);
    const expected = reviews
      .filter(({ rating }) => !stars || rating === stars)
      .sort(inOrder({ newest: 0, highest: -1, lowest: 1 }[sort]))
      .map(({ _id }) => _id.toString());
    expect(idsOf(await walk(reviews[0]!.tourId, { sort, stars }))).toEqual(expected);
  });
});

describe("a platform's malformed reviews", () => {
  /** In their order, newest first. */
  async function makeMalformedReviews() {
    const tourId = new Types.ObjectId();
    const at = (second: number) => new Date(Date.UTC(2026, 5, 1, 0, 0, second));
    const withoutTime = (second: number) => ({
      _id: Types.ObjectId.createFromTime(at(second).getTime() / 1_000),
      createdAt: undefined,
    });
    const fields = [
      withoutTime(50),
      { createdAt: at(40) },
      { ...withoutTime(30), createdAt: null },
      { createdAt: at(20), rating: 4.5 },
      withoutTime(10),
      { createdAt: at(5), rating: 2 },
    ];
    const rows = await insertReviews(tourId, 6, (n) => ({ rating: 4, ...fields[n] }));
    return { tourId, ids: rows.map(({ _id }) => _id.toString()) };
  }

  test("stand among the stars where they belong", async () => {
    const { tourId, ids } = await makeMalformedReviews();
    const [a, b, c, half, d, low] = ids;
    const order = async (sort: Selection["sort"], stars: number | null = null) =>
      idsOf((await pageOf(tourId, { sort, stars })).reviews);
    expect(await order("newest")).toEqual(ids);
    expect(await order("highest")).toEqual([half, a, b, c, d, low]);
    expect(await order("lowest")).toEqual([low, a, b, c, d, half]);
    expect(await order("newest", 4)).toEqual([a, b, c, d]);
  });
});

describe("the reviews with a comment", () => {
  const SAID = ["Fine.", " \n Late start", "🧭", "\u200Bé", "素晴らしい", "x".repeat(5_000)];
  const BLANKS = [
    " ",
    "\n\t\r\v\f",
    "\u00A0\u3000",
    "\uFEFF\u2028\u2003",
    "\u200B\u3164\u2060",
    "\0\u001B",
    "\u007F\u0080\u009F",
  ];
  const SILENT = [null, "", ...BLANKS, ["Nice"], 7, { a: "b" }];
  const ODD = [
    { rating: 4.5, said: true, comment: "Half a star" },
    { rating: 4.5, said: false, comment: " " },
    { rating: [5], said: true, comment: "Stars in a list" },
    { createdAt: undefined, rating: 5, said: true, comment: "At no time" },
    { createdAt: undefined, rating: 5, said: false, comment: undefined },
  ];

  /** Of each comment and number of stars one, three at a time in the same moment, and some without a place. */
  async function makeComments() {
    const tourId = new Types.ObjectId();
    const at = (n: number) => new Date(Date.UTC(2026, 0, 1 + Math.floor(n / 3)));
    const commentOf = (n: number) =>
      n % 4 === 1 ? SAID[n % SAID.length] : SILENT[n % SILENT.length];
    const rows = await insertReviews(tourId, 240, (n) => ({
      comment: commentOf(n),
      createdAt: at(n),
    }));
    const odd = await insertReviews(tourId, ODD.length, (n) => {
      const { said: _, ...fields } = ODD[n]!;
      return { createdAt: at(7 * n), ...fields };
    });
    const said = [...rows.filter((_, n) => n % 4 === 1), ...odd.filter((_, n) => ODD[n]!.said)].map(
      ({ _id }) => _id.toString(),
    );
    // Another tour's are none of it.
    await makeReview(await makeUser(), await makeTour(), { comment: "Elsewhere" });
    return { tourId, said };
  }

  test.each([
    ["newest", null],
    ["highest", null],
    ["lowest", null],
    ["newest", 5],
    ["lowest", 5],
  ] as const)(
    "%s, of %s stars: those of the whole list, each once, in its order",
    async (sort, stars) => {
      const { tourId, said } = await makeComments();
      const all = await walk(tourId, { sort, stars });
      const expected = all.filter(({ id }) => said.includes(id));
      expect(expected.length).toBeGreaterThan(stars ? 10 : 60);
      expect(await walk(tourId, { sort, stars, commented: true })).toEqual(expected);
      const counts = await commentCounts({ _id: tourId, ratingsVersion: 0 });
      expect(stars ? counts.ratingCounts[stars] : counts.reviewCount).toBe(expected.length);
    },
  );
});
