import mongoose, { Types } from "mongoose";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import type { ReviewSort } from "~/services/reviews/limits";
import {
  listReviews,
  pageOfReviews,
  REVIEWS_PER_PAGE,
  type ReviewPage,
} from "~/services/reviews/list.server";
import { createReview } from "~/services/reviews/create.server";
import { deleteReview } from "~/services/reviews/delete.server";
import { updateReview } from "~/services/reviews/update.server";
import { User } from "../../../models/user";
import { Tour } from "../../../models/tour";
import { Review } from "../../../models/review";
import { useDatabase } from "../../support/database";
import { as, makeGuest, makeReview, makeTour, makeUser } from "../../support/factories";

useDatabase();

// The reads that reach the database, as the driver reports them.
let commands: string[] = [];
const record = ({ commandName, command }: { commandName: string; command: object }) => {
  if (["find", "aggregate", "getMore"].includes(commandName))
    commands.push(String((command as Record<string, unknown>)[commandName]));
};
beforeAll(() => mongoose.connection.getClient().on("commandStarted", record));
afterAll(() => mongoose.connection.getClient().off("commandStarted", record));
beforeEach(() => (commands = []));

const list = async (tour: { _id: Types.ObjectId }) =>
  (await listReviews(tour._id.toString())).reviews;

test("newest first, the larger id first on a tie, with their authors", async () => {
  const tour = await makeTour();
  const ann = await makeUser({ name: "Ann", image: "https://img.example.test/a.png" });
  const time = (day: number) => new Date(Date.UTC(2026, 4, day));
  const old = await makeReview(ann, tour, { createdAt: time(1) });
  const tied = [
    await makeReview(await makeUser({ name: "" }), tour, { createdAt: time(2) }),
    await makeReview(await makeUser({ name: "Cid" }), tour, { createdAt: time(2) }),
  ];
  const gone = await makeReview({ _id: new Types.ObjectId() }, tour, { createdAt: time(3) });

  const reviews = await list(tour);
  const larger = tied[0]!._id.toString() > tied[1]!._id.toString() ? tied : tied.reverse();
  expect(reviews.map((review) => review.id)).toEqual(
    [gone, ...larger, old].map((review) => review._id.toString()),
  );
  expect(reviews.at(-1)!.user).toEqual({ name: "Ann", image: "https://img.example.test/a.png" });
  expect(reviews[0]!.user).toEqual({ name: "", image: null });
});

test("unknown tours and ids that are none give an empty list", async () => {
  for (const id of ["nope", "", "%00", new Types.ObjectId().toString(), "123456789012"])
    expect((await listReviews(id)).json).toBe('{"reviews":[]}');
});

describe("what a list costs", () => {
  async function tourWithReviews(count: number) {
    const tour = await makeTour();
    const users = await User.insertMany(
      Array.from({ length: count }, (_, n) => ({ name: `U${n}`, email: `u${n}@cost.test` })),
    );
    await Review.insertMany(
      users.map((user) => ({
        tourId: tour._id,
        userId: user._id,
        rating: 5,
        createdAt: new Date(),
      })),
    );
    await Tour.updateOne({ _id: tour._id }, { $inc: { ratingsVersion: 1 } });
    commands = [];
    return tour;
  }

  test("cold, 100 reviews: a look at the version and two queries; warm: the look alone", async () => {
    const tour = await tourWithReviews(100);
    expect(await list(tour)).toHaveLength(100);
    expect(commands).toEqual(["tours", "reviews", "users"]);
    commands = [];
    expect(await list(tour)).toHaveLength(100);
    expect(commands).toEqual(["tours"]);
  });

  test("readers at the same time share the look and the loading", async () => {
    const tour = await tourWithReviews(10);
    const lists = await Promise.all(Array.from({ length: 20 }, () => list(tour)));
    expect(new Set(lists.map((reviews) => reviews.length))).toEqual(new Set([10]));
    expect(commands).toEqual(["tours", "reviews", "users"]);
  });

  test("a look that was already sent is not shared with a later request", async () => {
    const tour = await tourWithReviews(1);
    const first = list(tour);
    // By then the first look is on its way.
    await new Promise((resolve) => setImmediate(resolve));
    const second = list(tour);
    await Promise.all([first, second]);
    expect(commands.filter((collection) => collection === "tours")).toHaveLength(2);
  });
});

test("every change is seen by the next reader, and has an entity tag of its own", async () => {
  const tour = await makeTour();
  const ann = await makeGuest(tour);
  const tags: string[] = [];
  const look = async () => {
    const { etag, reviews } = await listReviews(tour._id.toString());
    tags.push(etag);
    return reviews;
  };
  expect(await look()).toEqual([]);
  const review = await createReview(as(ann), { tourId: tour._id.toString(), rating: 5 });
  expect(await look()).toEqual([{ ...review, edited: false, verified: true }]);
  const edited = await updateReview(as(ann), review.id, { rating: 1, comment: "No" });
  expect(await look()).toEqual([{ ...edited, edited: true, verified: true }]);
  await deleteReview(as(ann), review.id);
  expect(await look()).toEqual([]);
  expect(tags[0]).toBe(tags[3]);
  expect(new Set(tags).size).toBe(3);
});

test("a failed load is not remembered", async () => {
  const tour = await makeTour();
  await makeReview(await makeUser(), tour);
  const find = User.find.bind(User);
  User.find = (() => {
    throw new Error("connection lost");
  }) as never;
  try {
    await expect(list(tour)).rejects.toThrow("connection lost");
  } finally {
    User.find = find;
  }
  expect(await list(tour)).toHaveLength(1);
});

describe("pages of a list", () => {
  const walk = async (tourId: string, selection: { stars: number | null; sort: ReviewSort }) => {
    const ids: string[] = [];
    let after: string | null = null;
    do {
      const page: ReviewPage = pageOfReviews(await listReviews(tourId), { ...selection, after });
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
        _id: new mongoose.Types.ObjectId(),
        tourId: tour._id,
        userId: new mongoose.Types.ObjectId(),
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
    ["highest", 2],
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
    const first = pageOfReviews(await listReviews(tourId), { ...selection, after: null });
    await Review.deleteOne({ _id: first.reviews.at(-1)!.id });
    await makeReview(await makeUser(), { _id: new mongoose.Types.ObjectId(tourId) });
    const second = pageOfReviews(await listReviews(tourId), { ...selection, after: first.next });
    expect(second.reviews).toHaveLength(REVIEWS_PER_PAGE);
    expect(second.next).toBeNull();
    const seen = [...first.reviews, ...second.reviews].map(({ id }) => id);
    expect(new Set(seen).size).toBe(REVIEWS_PER_PAGE * 2);
  });

  it.each(["", "x", "9.1.0", "5.99999999999999999.0", `5.1.${"g".repeat(24)}`])(
    "the malformed place %j is the first page",
    async (after) => {
      const { tourId } = await makeReviews(3);
      const page = pageOfReviews(await listReviews(tourId), { sort: "newest", stars: null, after });
      expect(page.reviews).toHaveLength(3);
    },
  );
});

test("what the page adds to a review is not in the API's answer", async () => {
  const tour = await makeTour();
  await makeReview(await makeUser(), tour, { editedAt: new Date() });
  const { json, reviews } = await listReviews(tour._id.toString());
  expect(reviews[0]).toMatchObject({ edited: true });
  expect(json).not.toContain("edited");
});
