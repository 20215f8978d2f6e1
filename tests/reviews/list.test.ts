import { Types } from "mongoose";
import { afterEach, describe, expect, test, vi } from "vitest";
import { listReviews } from "~/reviews/list/list.server";
import { postReview } from "~/reviews/post.server";
import { Tour } from "#models/tour";
import { useDatabase } from "../support/database";
import { listedReviews } from "../support/services";
import { as, insertReviews, makeBookedExplorer, makeTour } from "../support/factories";

// The order of a list and its authors are tested in list-reviews.http.test.ts.

useDatabase();

afterEach(() => vi.restoreAllMocks());

/** Tours with that many reviews each, from nobody. */
async function makeTours(count: number, { reviews = 1, comment = "", reviewCount = 0 } = {}) {
  const ids = Array.from({ length: count }, () => new Types.ObjectId());
  const fields = { title: "T", reviewCount, ratingsVersion: 1 };
  await Tour.insertMany(
    ids.map((_id) => ({ _id, slug: _id.toString(), createdById: _id, ...fields })),
  );
  for (const id of ids) await insertReviews(id, reviews, () => ({ comment }));
  return ids.map(String);
}

test("a list is made as a whole up to 5,000 reviews, and no further", async () => {
  const [[whole], [parts]] = [
    await makeTours(1, { reviewCount: 5_000 }),
    await makeTours(1, { reviewCount: 5_001 }),
  ];
  expect((await listReviews(whole!)).body).toBeDefined();
  expect((await listReviews(parts!)).parts).toBeDefined();
});

describe("a list that is too large to be kept", () => {
  const LARGE = { reviewCount: 5_001 };

  test.each([
    ["bytes", 600, "x".repeat(5_000)],
    ["bytes, of which a character has several,", 300, "語".repeat(2_500)],
  ])(
    "by its %s comes in parts, whole and in order, and is read anew",
    async (_, count, comment) => {
      const [tourId] = await makeTours(1, { reviews: count, comment });
      expect((await listReviews(tourId!)).body).toBeUndefined();
      const times = (await listedReviews(tourId!)).map(({ createdAt }) => createdAt);
      expect(times).toHaveLength(count);
      expect(times).toEqual([...times].sort().reverse());
      expect((await listReviews(tourId!)).body).toBeUndefined();
    },
  );

  test("by its number comes in parts", async () => {
    const [tourId] = await makeTours(1, { reviews: 600, ...LARGE });
    const large = await listReviews(tourId!);
    let parts = 0;
    for await (const part of large.parts!()) parts += part ? 1 : 0;
    expect(parts).toBeGreaterThan(1);
    expect(await listedReviews(tourId!)).toHaveLength(600);
  });

  test("has another entity tag after each change", async () => {
    const tour = await makeTour(LARGE);
    const tagNow = async () => (await listReviews(tour._id.toString())).etag;
    const before = await tagNow();
    const ann = await makeBookedExplorer(tour);
    await postReview(as(ann), { tourId: tour._id.toString(), rating: 5 });
    await Tour.updateOne({ _id: tour._id }, { $set: LARGE });
    expect(await tagNow()).not.toBe(before);
  });
});
