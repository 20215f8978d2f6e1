import { expect, it } from "vitest";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { makeReview, makeUser } from "../support/factories";
import { api, list, refusal, refused, reviewed, tourState, useApp } from "../support/shared-app";

// The right to delete is in tests/routes/api.reviews_.$id.ts; an unknown review is in update-review.http.test.ts.

useApp();
const NO_REVIEW = "Review not found";
const DAY = 24 * 60 * 60 * 1_000;

it("a deletion removes the review and recomputes mean and count", async () => {
  const { token, path, tour, review } = await reviewed({ rating: 5 });
  await makeReview(await makeUser(), tour, { rating: 2 });
  await makeReview(await makeUser(), tour, { rating: 1 });
  await Tour.updateOne({ _id: tour._id }, { $set: { reviewCount: 99 } });
  const { status, json } = await api("DELETE", path, { token });
  expect([status, json]).toEqual([200, { message: "Review deleted successfully" }]);
  expect(await Review.exists({ _id: review._id })).toBeNull();
  expect(await tourState(tour)).toMatchObject({
    avgRating: 1.5,
    reviewCount: 2,
    ratingCounts: { "1": 1, "2": 1, "3": 0, "4": 0, "5": 0 },
  });
  expect(await list(tour)).toHaveLength(2);
});

it("leaves 0 and 0 when none remains, and room for another review, also after a long time, and of a request with a body", async () => {
  const createdAt = new Date(Date.now() - 1_000 * DAY);
  const { token, path, tour, tourId } = await reviewed({ rating: 5, createdAt });
  expect((await api("DELETE", path, { token, raw: "{nonsense" })).status).toBe(200);
  expect(await tourState(tour)).toMatchObject({
    avgRating: 0,
    reviewCount: 0,
    ratingCounts: { "1": 0, "2": 0, "3": 0, "4": 0, "5": 0 },
  });
  expect(await list(tour)).toEqual([]);
  expect(refusal(await api("DELETE", path, { token }))).toEqual(refused(404, NO_REVIEW));
  const again = await api("POST", "/api/reviews", { token, body: { tourId, rating: 4 } });
  expect(again.status).toBe(201);
});

it("a caller who is not logged in is refused before anything else", async () => {
  await reviewed();
  const answer = await api("DELETE", "/api/reviews/nope");
  expect(refusal(answer)).toEqual(refused(401, "Unauthorized"));
});
