import mongoose, { Types } from "mongoose";
import type { CommandSucceededEvent } from "mongodb";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { updateProfile } from "~/me/profile.server";
import { findUser } from "~/accounts/users.server";
import type { ReviewSort } from "~/infra/review-limits";
import { commentCounts } from "~/reviews/list/commented.server";
import {
  pageOfReviews,
  type PageSelection,
  REVIEWS_PER_PAGE,
  type ReviewPage,
} from "~/reviews/list/page.server";
import { Review } from "#models/review";
import { useDatabase } from "../support/database";
import { makeReview, makeTour, makeUser } from "../support/factories";
import { listedReviews } from "../support/services";

useDatabase();

/** A tour as pages are asked for it, which nobody has changed here. */
const listed = (tourId: string) => ({ _id: new Types.ObjectId(tourId), ratingsVersion: 0 });

describe("pages of a list", () => {
  const walk = async (tourId: string, selection: { stars: number | null; sort: ReviewSort }) => {
    const ids: string[] = [];
    let after: string | null = null;
    do {
      const page: ReviewPage = await pageOfReviews(listed(tourId), { ...selection, after });
      ids.push(...page.reviews.map(({ id }) => id));
      after = page.next;
    } while (after);
    return ids;
  };

  async function makeReviews(count: number) {
    const tour = await makeTour();
    const reviews = [];
    for (let index = 0; index < count; index++)
      reviews.push({
        _id: new Types.ObjectId(),
        tourId: tour._id,
        userId: new Types.ObjectId(),
        rating: 1 + (index % 5),
        // Three at a time share their moment.
        createdAt: new Date(Date.UTC(2026, 0, 1 + Math.floor(index / 3))),
      });
    await Review.insertMany(reviews);
    return { tourId: tour._id.toString(), reviews };
  }

  it.each([
    ["newest", null],
    ["highest", null],
    ["lowest", null],
    ["newest", 4],
  ] as const)("%s, of %s stars, has every review once and in order", async (sort, stars) => {
    const { tourId, reviews } = await makeReviews(REVIEWS_PER_PAGE * 5 + 3);
    const direction = { newest: 0, highest: -1, lowest: 1 }[sort];
    const expected = reviews
      .filter(({ rating }) => !stars || rating === stars)
      .sort(
        (a, b) =>
          direction * (a.rating - b.rating) ||
          b.createdAt.getTime() - a.createdAt.getTime() ||
          b._id.toString().localeCompare(a._id.toString()),
      )
      .map(({ _id }) => _id.toString());
    expect(await walk(tourId, { sort, stars })).toEqual(expected);
  });

  it("neither repeats nor skips when reviews come and go between them", async () => {
    const { tourId } = await makeReviews(REVIEWS_PER_PAGE * 2);
    const selection = { sort: "newest", stars: null } as const;
    const first = await pageOfReviews(listed(tourId), { ...selection, after: null });
    await Review.deleteOne({ _id: first.reviews.at(-1)!.id });
    await makeReview(await makeUser(), { _id: new Types.ObjectId(tourId) });
    const second = await pageOfReviews(listed(tourId), { ...selection, after: first.next });
    expect(second.reviews).toHaveLength(REVIEWS_PER_PAGE);
    expect(second.next).toBeNull();
    const seen = [...first.reviews, ...second.reviews].map(({ id }) => id);
    expect(new Set(seen).size).toBe(REVIEWS_PER_PAGE * 2);
  });
});

describe("what a page costs", () => {
  // How many documents each read has returned, as the driver reports it.
  let returned: Record<string, number> = {};
  const record = ({ commandName, reply }: CommandSucceededEvent) => {
    if (!["find", "aggregate", "getMore"].includes(commandName)) return;
    const { cursor } = reply as {
      cursor: { ns: string; firstBatch?: object[]; nextBatch?: object[] };
    };
    const collection = cursor.ns.split(".").slice(1).join(".");
    const count = (cursor.firstBatch ?? cursor.nextBatch ?? []).length;
    returned[collection] = (returned[collection] ?? 0) + count;
  };
  beforeAll(() => mongoose.connection.getClient().on("commandSucceeded", record));
  afterAll(() => mongoose.connection.getClient().off("commandSucceeded", record));
  beforeEach(() => (returned = {}));

  test.each([
    ["newest", null],
    ["highest", null],
    ["newest", 3],
  ] as const)("%s, of %s stars: the rows that it shows, and one more", async (sort, stars) => {
    const tour = await makeTour();
    await Review.insertMany(
      Array.from({ length: 250 }, (_, index) => ({
        tourId: tour._id,
        userId: new Types.ObjectId(),
        rating: 1 + (index % 5),
        createdAt: new Date(Date.now() - index * 1_000),
      })),
    );
    const tourId = tour._id.toString();
    const first = await pageOfReviews(listed(tourId), { sort, stars, after: null });
    expect(first.reviews).toHaveLength(REVIEWS_PER_PAGE);
    expect(returned.reviews).toBe(REVIEWS_PER_PAGE + 1);
    returned = {};
    await pageOfReviews(listed(tourId), { sort, stars, after: first.next });
    expect(returned.reviews).toBe(REVIEWS_PER_PAGE + 1);
  });

  test("the first page of a version once, whoever asks, and its authors by their present names", async () => {
    const [tour, ann] = [await makeTour(), await makeUser({ name: "Ann" })];
    const review = await makeReview(ann, tour, { rating: 3 });
    const reads = async (ratingsVersion: number, stars: number | null = null) => {
      returned = {};
      const pages = await Promise.all(
        [1, 2].map(() =>
          pageOfReviews({ ...tour, ratingsVersion }, { sort: "newest", stars, after: null }),
        ),
      );
      expect(pages[0]).toEqual(pages[1]);
      const [first] = pages[0]!.reviews;
      return [returned.reviews ?? 0, first?.rating, first?.user.name];
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
  async function makeMalformedReviews() {
    const tour = await makeTour();
    const at = (second: number) => new Date(Date.UTC(2026, 5, 1, 0, 0, second));
    const idAt = (second: number) => Types.ObjectId.createFromTime(at(second).getTime() / 1_000);
    // Inserted past the model, which would refuse them. In their order, newest first.
    const rows = [
      { _id: idAt(50) },
      { createdAt: at(40) },
      { _id: idAt(30), createdAt: null },
      { createdAt: at(20), rating: 4.5 },
      { _id: idAt(10) },
      { createdAt: at(5), rating: 2 },
    ].map((row) => ({
      _id: new Types.ObjectId(),
      userId: new Types.ObjectId(),
      tourId: tour._id,
      rating: 4,
      ...row,
    }));
    await Review.collection.insertMany(rows);
    return { tourId: tour._id.toString(), ids: rows.map(({ _id }) => _id.toString()) };
  }

  test("without a time stand where their id's time says, in the page and in the list", async () => {
    const { tourId, ids } = await makeMalformedReviews();
    const page = await pageOfReviews(listed(tourId), { sort: "newest", stars: null, after: null });
    expect(page.reviews.map(({ id }) => id)).toEqual(ids);
    expect((await listedReviews(tourId)).map(({ id }) => id)).toEqual(ids);
  });

  test("stand among the stars where they belong", async () => {
    const { tourId, ids } = await makeMalformedReviews();
    const [a, b, c, half, d, low] = ids;
    const order = async (sort: ReviewSort, stars: number | null = null) =>
      (await pageOfReviews(listed(tourId), { sort, stars, after: null })).reviews.map(
        ({ id }) => id,
      );
    expect(await order("highest")).toEqual([half, a, b, c, d, low]);
    expect(await order("lowest")).toEqual([low, a, b, c, d, half]);
    expect(await order("newest", 4)).toEqual([a, b, c, d]);
  });

  test("are neither repeated nor skipped between pages", async () => {
    const { tourId, ids } = await makeMalformedReviews();
    const _id = new Types.ObjectId(tourId);
    await Review.insertMany(
      Array.from({ length: REVIEWS_PER_PAGE * 2 }, (_, n) => ({
        tourId: _id,
        userId: new Types.ObjectId(),
        rating: 4,
        createdAt: new Date(Date.UTC(2026, 5, 1, 0, 0, n + 11)),
      })),
    );
    for (const sort of ["newest", "highest", "lowest"] as const) {
      const seen: string[] = [];
      let after: string | null = null;
      do {
        const page: ReviewPage = await pageOfReviews(listed(tourId), { sort, stars: null, after });
        seen.push(...page.reviews.map(({ id }) => id));
        after = page.next;
      } while (after);
      expect(seen).toHaveLength(REVIEWS_PER_PAGE * 2 + ids.length);
      expect(new Set(seen).size).toBe(seen.length);
    }
  });
});

describe("the reviews with a comment", () => {
  const SAID = ["Fine.", " \n Late start", "🧭", "\u200B", "素晴らしい", "x".repeat(5_000)];
  const SILENT = [
    null,
    "",
    " ",
    "\n\t\r\v\f",
    "\u00A0\u3000",
    "\uFEFF\u2028\u2003",
    ["Nice"],
    7,
    { a: "b" },
  ];

  /** Of each comment and number of stars one, three at a time in the same moment, and some without a place. */
  async function makeComments() {
    const tour = await makeTour();
    const at = (n: number) => new Date(Date.UTC(2026, 0, 1 + Math.floor(n / 3)));
    const rows = Array.from({ length: 240 }, (_, n) => {
      const said = n % 4 === 1;
      return {
        _id: new Types.ObjectId(),
        tourId: tour._id,
        userId: new Types.ObjectId(),
        said,
        comment: said ? SAID[n % SAID.length] : SILENT[n % SILENT.length],
        rating: 1 + (n % 5),
        createdAt: at(n),
      };
    });
    const odd = [
      { rating: 4.5, said: true, comment: "Half a star" },
      { rating: 4.5, said: false, comment: " " },
      { rating: [5], said: true, comment: "Stars in a list" },
      { createdAt: undefined, rating: 5, said: true, comment: "At no time" },
      { createdAt: undefined, rating: 5, said: false, comment: undefined },
    ].map((fields, n) => ({
      _id: new Types.ObjectId(),
      tourId: tour._id,
      userId: new Types.ObjectId(),
      createdAt: at(7 * n),
      ...fields,
    }));
    const all = [...rows, ...odd];
    await Review.collection.insertMany(
      all.map(({ said: _, ...row }) => row),
      { ignoreUndefined: true },
    );
    // Another tour's are none of it.
    await makeReview(await makeUser(), await makeTour(), { comment: "Elsewhere" });
    const said = all.filter((row) => row.said).map(({ _id }) => _id.toString());
    return { tour: { _id: tour._id, ratingsVersion: 0 }, said };
  }
  type Listed = Awaited<ReturnType<typeof makeComments>>["tour"];

  async function walk(tour: Listed, selection: Omit<PageSelection, "after">) {
    const pages: ReviewPage[] = [];
    do pages.push(await pageOfReviews(tour, { ...selection, after: pages.at(-1)?.next ?? null }));
    while (pages.at(-1)!.next);
    for (const { reviews } of pages.slice(0, -1)) expect(reviews).toHaveLength(REVIEWS_PER_PAGE);
    return pages.flatMap(({ reviews }) => reviews);
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
      const { tour, said } = await makeComments();
      const all = await walk(tour, { sort, stars });
      const expected = all.filter(({ id }) => said.includes(id));
      expect(expected.length).toBeGreaterThan(stars ? 10 : 60);
      expect(await walk(tour, { sort, stars, commented: true })).toEqual(expected);
      const { reviewCount, ratingCounts } = await commentCounts(tour);
      const count = stars ? ratingCounts[stars] : reviewCount;
      expect(count).toBe(expected.length);
    },
  );

  test("are counted anew with each version, and otherwise for a minute", async () => {
    const { tour, said } = await makeComments();
    const countOf = async (ratingsVersion: number) =>
      (await commentCounts({ ...tour, ratingsVersion })).reviewCount;
    expect(await countOf(1)).toBe(said.length);
    await Review.deleteOne({ _id: said[0] });
    expect([await countOf(1), await countOf(2)]).toEqual([said.length, said.length - 1]);
  });
});
