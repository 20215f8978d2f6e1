import { expect, test } from "vitest";
import { deleteReview } from "~/reviews/delete.server";
import { getDeletableReview } from "~/reviews/own-review.server";
import { rebuildRatings } from "~/reviews/ratings.server";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { useDatabase } from "../support/database";
import { as, makeReview, makeTour, makeUser } from "../support/factories";

useDatabase();

// The deletion does what the author was told beforehand.
test.each([
  ["with ratings that stay", [2, 5, 4], { avgRating: 4.5, reviewCount: 2 }],
  ["the only one", [3], { avgRating: 0, reviewCount: 0 }],
  ["the only one with a rating", [5, null], { avgRating: 0, reviewCount: 1 }],
  ["unrated, beside one that is", [null, null], { avgRating: 0, reviewCount: 1 }],
])("a review %s: its author is told what its deletion does", async (_, ratings, after) => {
  const tour = await makeTour();
  const ann = await makeUser();
  const own = await makeReview(ann, tour);
  const others = ratings.slice(1).map(async () => makeReview(await makeUser(), tour));
  for (const [n, { _id }] of [own, ...(await Promise.all(others))].entries())
    await Review.collection.updateOne({ _id }, { $set: { rating: ratings[n] ?? "none" } });
  await rebuildRatings({ tourIds: [tour._id] });
  const id = own._id.toString();

  expect((await getDeletableReview(as(ann), id)).effect.after).toEqual(after);
  await deleteReview(as(ann), id);
  expect(await Tour.findById(tour._id).lean()).toMatchObject(after);
});
