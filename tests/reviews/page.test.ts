import { Types } from "mongoose";
import { describe, expect, test } from "vitest";
import { updateProfile } from "~/me/profile.server";
import { findUser } from "~/accounts/users.server";
import { commentCounts } from "~/reviews/list/commented.server";
import {
  pageOfReviews,
  type PageSelection,
  REVIEWS_PER_PAGE,
  type ReviewPage,
} from "~/reviews/list/page.server";
import { Review, type ReviewDocument } from "#models/review";
import { useDatabase } from "../support/database";
import { rowsOfAnswers } from "../support/explain";
import { insertReviews, makeReview, makeTour, makeUser } from "../support/factories";

useDatabase();

type Selection = Omit<PageSelection, "after">;

/** A page of a tour that nobody has changed here. */
const pageOf = (_id: Types.ObjectId, selection: Selection, after: string | null = null) =>
  pageOfReviews({ _id, ratingsVersion: 0 }, { ...selection, after });

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

  test("neither repeats nor skips when reviews come and go between them", async () => {
    const [{ tourId }] = (await makeReviews(REVIEWS_PER_PAGE * 2)) as [ReviewDocument];
    const selection = { sort: "newest", stars: null } as const;
    const first = await pageOf(tourId, selection);
    await Review.deleteOne({ _id: first.reviews.at(-1)!.id });
    await makeReview(await makeUser(), { _id: tourId });
    const second = await pageOf(tourId, selection, first.next);
    expect(second.reviews).toHaveLength(REVIEWS_PER_PAGE);
    expect(second.next).toBeNull();
    const seen = idsOf([...first.reviews, ...second.reviews]);
    expect(new Set(seen).size).toBe(REVIEWS_PER_PAGE * 2);
  });
});

describe("what a page costs", () => {
  const rowsRead = async (ask: () => Promise<unknown>) =>
    (await rowsOfAnswers(Review, ask)).reduce((sum, rows) => sum + rows, 0);

  test.each([
    ["newest", null],
    ["highest", null],
    ["newest", 3],
  ] as const)("%s, of %s stars: the rows that it shows, and one more", async (sort, stars) => {
    const tourId = new Types.ObjectId();
    await insertReviews(tourId, 250);
    let after: string | null = null;
    for (let page = 0; page < 2; page++) {
      const rows = await rowsRead(async () => {
        ({ next: after } = await pageOf(tourId, { sort, stars }, after));
      });
      expect(rows).toBe(REVIEWS_PER_PAGE + 1);
    }
  });

  test("the first page of a version once, whoever asks, and its authors by their present names", async () => {
    const [tour, ann] = [await makeTour(), await makeUser({ name: "Ann" })];
    const review = await makeReview(ann, tour, { rating: 3 });
    const reads = async (ratingsVersion: number, stars: number | null = null) => {
      const ask = () =>
        pageOfReviews({ ...tour, ratingsVersion }, { sort: "newest", stars, after: null });
      let pages: ReviewPage[] = [];
      const rows = await rowsRead(async () => (pages = await Promise.all([ask(), ask()])));
      expect(pages[0]).toEqual(pages[1]);
      const [first] = pages[0]!.reviews;
      return [rows, first?.rating, first?.user.name];
    };
    expect(await reads(1)).toEqual([1, 3, "Ann"]);
    await Review.updateOne({ _id: review._id }, { $set: { rating: 4 } });
    const user = (await findUser(ann._id.toString()))!;
    await updateProfile(user, { name: "Ann Green", image: "" });
    expect(await reads(1)).toEqual([0, 3, "Ann Green"]);
    expect(await reads(2)).toEqual([1, 4, "Ann Green"]);
    expect(await reads(2, 3)).toEqual([0, undefined, undefined]);
    // Nobody has changed it here: its platform may.
    expect(await reads(0)).toEqual([2, 4, "Ann Green"]);
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

  test("are neither repeated nor skipped between pages", async () => {
    const { tourId, ids } = await makeMalformedReviews();
    await insertReviews(tourId, REVIEWS_PER_PAGE * 2, (n) => ({
      rating: 4,
      createdAt: new Date(Date.UTC(2026, 5, 1, 0, 0, n + 11)),
    }));
    for (const sort of ["newest", "highest", "lowest"] as const) {
      const seen = idsOf(await walk(tourId, { sort, stars: null }));
      expect(seen).toHaveLength(REVIEWS_PER_PAGE * 2 + ids.length);
      expect(new Set(seen).size).toBe(seen.length);
    }
  });
});

describe("the reviews with a comment", () => {
  const SAID = ["Fine.", " \n Late start", "🧭", "\u200B", "素晴らしい", "x".repeat(5_000)];
  const BLANKS = [" ", "\n\t\r\v\f", "\u00A0\u3000", "\uFEFF\u2028\u2003"];
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

  test("are counted anew with each version, and otherwise for a minute", async () => {
    const { tourId, said } = await makeComments();
    const countOf = async (ratingsVersion: number) =>
      (await commentCounts({ _id: tourId, ratingsVersion })).reviewCount;
    expect(await countOf(1)).toBe(said.length);
    await Review.deleteOne({ _id: said[0] });
    expect([await countOf(1), await countOf(2)]).toEqual([said.length, said.length - 1]);
  });
});
