import { Types } from "mongoose";
import { describe, expect, it } from "vitest";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { makeReview, makeUser } from "../support/factories";
import { api, list, refusal, refused, reviewed, tourState, useApp } from "../support/shared-app";

useApp();
const UNAUTHORIZED = "Unauthorized";
const NO_REVIEW = "Review not found";
const HOUR = 60 * 60 * 1_000;
const ago = (ms: number) => new Date(Date.now() - ms);
const unknownId = () => new Types.ObjectId().toString();

// Who may delete is in tests/support/register.ts.
describe("DELETE /api/reviews/{id}", () => {
  describe("happy", () => {
    it("removes the review and recomputes mean and count", async () => {
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

    it("leaves 0 and 0 when none remains", async () => {
      const { token, path, tour } = await reviewed({ rating: 5 });
      await api("DELETE", path, { token });
      expect(await tourState(tour)).toMatchObject({
        avgRating: 0,
        reviewCount: 0,
        ratingCounts: { "1": 0, "2": 0, "3": 0, "4": 0, "5": 0 },
      });
      expect(await list(tour)).toEqual([]);
    });

    it("has no time limit", async () => {
      const { token, path } = await reviewed({ createdAt: ago(1_000 * 24 * HOUR) });
      expect((await api("DELETE", path, { token })).status).toBe(200);
    });

    it("ignores a body", async () => {
      const { token, path } = await reviewed();
      expect((await api("DELETE", path, { token, raw: "{nonsense" })).status).toBe(200);
    });
  });

  describe("errors", () => {
    it("1. a caller who is not logged in is refused before anything else", async () => {
      const { path } = await reviewed();
      for (const target of [path, `/api/reviews/${unknownId()}`, "/api/reviews/nope"])
        expect(refusal(await api("DELETE", target))).toEqual(refused(401, UNAUTHORIZED));
      expect(await Review.countDocuments()).toBe(1);
    });

    it("2. an unknown review, or one already deleted", async () => {
      const { token, path } = await reviewed();
      const unknown = await api("DELETE", `/api/reviews/${unknownId()}`, { token });
      expect(refusal(unknown)).toEqual(refused(404, NO_REVIEW));
      await api("DELETE", path, { token });
      expect(refusal(await api("DELETE", path, { token }))).toEqual(refused(404, NO_REVIEW));
    });
  });
});
