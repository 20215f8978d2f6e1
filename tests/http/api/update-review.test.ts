import { Types } from "mongoose";
import { describe, expect, it, test } from "vitest";
import { Booking } from "../../../models/booking";
import { Review } from "../../../models/review";
import { Tour } from "../../../models/tour";
import { tokenOf } from "../../support/app";
import { makeBookedExplorer, makeReview, makeTour, makeUser } from "../../support/factories";
import {
  api,
  list,
  type Options,
  refusal,
  refused,
  reviewed,
  tourState,
  useApp,
} from "../../support/shared-app";
import { KEPT_COMMENTS, NO_OBJECTS } from "../../support/review-bodies";

useApp();
const UNAUTHORIZED = "Unauthorized";
const BAD_RATING = "Rating must be an integer between 1 and 5";
const LONG_COMMENT = "Comment must be at most 5000 characters";
const BAD_COMMENT = "Comment must be a string";
const NO_REVIEW = "Review not found";
const NOTHING = "No fields to update";
const NOT_YOURS_TO_EDIT = "You can only edit your own reviews";
const TOO_LATE = "Reviews can only be edited within 24 hours of posting";
const HOUR = 60 * 60 * 1_000;
const ago = (ms: number) => new Date(Date.now() - ms);
const unknownId = () => new Types.ObjectId().toString();

describe("PATCH /api/reviews/{id}", () => {
  describe("happy", () => {
    test.each([
      ["the rating alone", { rating: 2 }, { rating: 2, comment: "as it was" }],
      ["the comment alone", { comment: "new" }, { rating: 4, comment: "new" }],
      ["both", { rating: 1, comment: "new" }, { rating: 1, comment: "new" }],
      ["an empty comment to null", { comment: "" }, { rating: 4, comment: null }],
      ["a null comment to null", { comment: null }, { rating: 4, comment: null }],
      ["both to what they were", { rating: 4, comment: "as it was" }, { rating: 4 }],
    ])("changes %s", async (_, body, expected) => {
      const { token, tour, review, path, guest, tourId } = await reviewed();
      const { status, json } = await api("PATCH", path, { token, body });
      expect(status).toBe(200);
      expect(json).toEqual({
        message: "Review updated successfully",
        review: {
          id: review._id.toString(),
          tourId,
          userId: guest._id.toString(),
          createdAt: review.createdAt.toISOString(),
          user: { name: "Ann", image: "https://img.example/ann.png" },
          ...{ rating: 4, comment: "as it was" },
          ...expected,
        },
      });
      expect(await list(tour)).toEqual([json!.review]);
    });

    test.each([{ rating: 4 }, { comment: "as it was" }, { rating: 4, comment: "as it was" }])(
      "%j, which is already stored, is no edit, but the mean is still recomputed",
      async (body) => {
        const { token, tour, path, review } = await reviewed();
        await Tour.updateOne({ _id: tour._id }, { $set: { avgRating: 1 } });
        for (const editedAt of [undefined, ago(HOUR)]) {
          if (editedAt) await Review.updateOne({ _id: review._id }, { editedAt });
          expect((await api("PATCH", path, { token, body })).status).toBe(200);
          expect((await Review.findById(review._id).lean())!.editedAt).toEqual(editedAt);
        }
        expect((await tourState(tour))!.avgRating).toBe(4);
        for (const more of [{ rating: 3 }, { comment: "as it is" }]) {
          const before = (await Review.findById(review._id).lean())!.editedAt;
          await api("PATCH", path, { token, body: { ...body, ...more } });
          const { editedAt } = (await Review.findById(review._id).lean())!;
          expect(editedAt!.getTime()).toBeGreaterThan(before!.getTime());
        }
      },
    );

    it("keeps a comment exactly", async () => {
      const { token, tour, path, review } = await reviewed();
      for (const [kind, comment] of KEPT_COMMENTS) {
        const { status, json } = await api("PATCH", path, { token, body: { comment } });
        expect([kind, status, json?.review?.comment]).toEqual([kind, 200, comment]);
        expect((await list(tour))?.[0]?.comment).toBe(comment);
        expect((await Review.findById(review._id).lean())?.comment).toBe(comment);
      }
    });

    it("recomputes the mean from all reviews and leaves the count alone", async () => {
      const { token, tour, path } = await reviewed({ rating: 5 });
      await makeReview(await makeUser(), tour, { rating: 2 });
      await makeReview(await makeUser(), tour, { rating: 2 });
      await Tour.updateOne({ _id: tour._id }, { $set: { reviewCount: 99, avgRating: 1 } });
      await api("PATCH", path, { token, body: { rating: 4 } });
      const state = (await tourState(tour))!;
      expect(state.avgRating).toBeCloseTo(8 / 3, 12);
      expect(state.reviewCount).toBe(99);
      expect(state.ratingCounts).toEqual({ "1": 0, "2": 2, "3": 0, "4": 1, "5": 0 });
      await Tour.updateOne({ _id: tour._id }, { $set: { avgRating: 1 } });
      await api("PATCH", path, { token, body: { comment: "no new rating" } });
      expect((await tourState(tour))?.avgRating).toBeCloseTo(8 / 3, 12);
    });

    it("is possible until 24 hours have passed", async () => {
      const { token, path } = await reviewed({ createdAt: ago(24 * HOUR - 30_000) });
      expect((await api("PATCH", path, { token, body: { rating: 1 } })).status).toBe(200);
    });

    it("no longer needs a completed booking", async () => {
      const { token, path, tour } = await reviewed();
      await Booking.deleteMany({ tourId: tour._id });
      expect((await api("PATCH", path, { token, body: { rating: 1 } })).status).toBe(200);
    });

    it("takes an id in upper case", async () => {
      const { token, review } = await reviewed();
      const path = `/api/reviews/${review._id.toString().toUpperCase()}`;
      const { status, json } = await api("PATCH", path, { token, body: { rating: 1 } });
      expect([status, json?.review?.id]).toEqual([200, review._id.toString()]);
    });
  });

  describe("errors", () => {
    test.each([
      ["nothing", {}],
      ["unknown fields only", { tourId: unknownId(), createdAt: 0, Rating: 5, id: "x" }],
    ])("2. %s", async (_, body) => {
      const { token, path } = await reviewed();
      const answer = await api("PATCH", path, { token, body });
      expect(refusal(answer)).toEqual(refused(400, NOTHING));
    });

    it("2. a body that is not an object counts as an empty one", async () => {
      const { token, path } = await reviewed();
      for (const [kind, raw] of NO_OBJECTS) {
        const { status, json } = await api("PATCH", path, { token, raw });
        expect([kind, status, json]).toEqual([kind, ...refused(400, NOTHING)]);
      }
    });

    test.each([
      ["6", 6],
      ["null", null],
      ["0", 0],
    ])("3. rating %s, even with a valid comment", async (_, rating) => {
      const { token, path, tour } = await reviewed();
      for (const body of [{ rating }, { rating, comment: "good" }])
        expect(refusal(await api("PATCH", path, { token, body }))).toEqual(
          refused(400, BAD_RATING),
        );
      expect(await list(tour)).toMatchObject([{ rating: 4, comment: "as it was" }]);
    });

    test.each([
      ["5001 characters of two UTF-16 units", "🧭".repeat(5_001), LONG_COMMENT],
      ["a number", 7, BAD_COMMENT],
      ["an operator", { $gt: "" }, BAD_COMMENT],
    ])("3½. comment of %s", async (_, comment, error) => {
      const { token, path, tour } = await reviewed();
      for (const body of [{ comment }, { rating: 1, comment }])
        expect(refusal(await api("PATCH", path, { token, body }))).toEqual(refused(400, error));
      expect(await list(tour)).toMatchObject([{ rating: 4, comment: "as it was" }]);
    });

    const NO_REVIEWS: [string, string][] = [
      ["an unknown id", unknownId()],
      ["no id", "nope"],
      ["12 characters", "abcdefghijkl"],
      ["a space", "%20"],
      ["a NUL", "%00"],
      ["a slash", "%2F"],
      ["an operator", encodeURIComponent('{"$ne":null}')],
      ["a prototype key", "__proto__"],
      ["a percent sign", "%25"],
      ["a malformed escape", "%"],
      ["bytes that are no UTF-8", "%E0%A4%A"],
      ["3000 characters", "a".repeat(3_000)],
    ];
    it("4. an unknown review", async () => {
      const { token } = await reviewed();
      for (const [kind, id] of NO_REVIEWS) {
        const path = `/api/reviews/${id}`;
        const edit = await api("PATCH", path, { token, body: { rating: 5 } });
        expect([kind, ...refusal(edit)]).toEqual([kind, ...refused(404, NO_REVIEW)]);
        const deletion = await api("DELETE", path, { token });
        expect([kind, ...refusal(deletion)]).toEqual([kind, ...refused(404, NO_REVIEW)]);
      }
      expect(await Review.countDocuments()).toBe(1);
    });

    test.each(["the tour's guide", "another explorer"])("5. %s may not", async (who) => {
      const { path, guide, tour } = await reviewed();
      const token = await tokenOf(
        who === "the tour's guide" ? guide : await makeBookedExplorer(tour),
      );
      const answer = await api("PATCH", path, { token, body: { rating: 1 } });
      expect(refusal(answer)).toEqual(refused(403, NOT_YOURS_TO_EDIT));
      expect(await list(tour)).toMatchObject([{ rating: 4, comment: "as it was" }]);
    });

    it("6. not after 24 hours", async () => {
      const { token, path, tour } = await reviewed({ createdAt: ago(24 * HOUR + 1_000) });
      const answer = await api("PATCH", path, { token, body: { rating: 1 } });
      expect(refusal(answer)).toEqual(refused(403, TOO_LATE));
      expect(await tourState(tour)).toMatchObject({ avgRating: 4, reviewCount: 1 });
    });

    it("6. an edit does not restart the 24 hours", async () => {
      const { token, path, review } = await reviewed({ createdAt: ago(23 * HOUR) });
      expect((await api("PATCH", path, { token, body: { rating: 1 } })).status).toBe(200);
      await Review.updateOne({ _id: review._id }, { $set: { createdAt: ago(25 * HOUR) } });
      const answer = await api("PATCH", path, { token, body: { rating: 2 } });
      expect(refusal(answer)).toEqual(refused(403, TOO_LATE));
    });

    // Each request fails its own check and every later check that can fail at the same time.
    test.each<[string, number, string, "nobody" | "other" | "author", boolean, Options]>([
      ["1 beats all", 401, UNAUTHORIZED, "nobody", false, { raw: "{nonsense" }],
      ["2 beats an unknown review", 400, NOTHING, "other", false, { body: {} }],
      ["2 beats author and time", 400, NOTHING, "other", true, { body: {} }],
      [
        "3 beats comment and review",
        400,
        BAD_RATING,
        "other",
        false,
        { body: { rating: 9, comment: 7 } },
      ],
      ["3 beats author and time", 400, BAD_RATING, "other", true, { body: { rating: null } }],
      ["3½ beats an unknown review", 400, BAD_COMMENT, "other", false, { body: { comment: 7 } }],
      ["3½ beats author and time", 400, BAD_COMMENT, "other", true, { body: { comment: 7 } }],
      ["4 is for everybody", 404, NO_REVIEW, "other", false, { body: { rating: 5 } }],
      ["5 beats time", 403, NOT_YOURS_TO_EDIT, "other", true, { body: { rating: 5 } }],
      ["6 is what is left", 403, TOO_LATE, "author", true, { body: { rating: 5 } }],
    ])("order: %s", async (_, status, error, who, known, options) => {
      const { token, path } = await reviewed({ createdAt: ago(25 * HOUR) });
      const callers = { nobody: undefined, author: token, other: await tokenOf(await makeUser()) };
      const answer = await api("PATCH", known ? path : `/api/reviews/${unknownId()}`, {
        ...options,
        token: callers[who],
      });
      expect(refusal(answer)).toEqual(refused(status, error));
    });
  });

  describe("security", () => {
    it("changes only rating and comment", async () => {
      const { token, path, review, guest, tour, tourId } = await reviewed();
      const other = await makeTour();
      const raw = JSON.stringify({
        rating: 3,
        id: unknownId(),
        _id: unknownId(),
        userId: unknownId(),
        tourId: other._id.toString(),
        createdAt: "2001-01-01T00:00:00.000Z",
        user: { name: "Somebody" },
        $set: { rating: 1 },
        $unset: { comment: 1 },
      }).replace("{", '{"__proto__": {"comment": "polluted"},');
      const { json } = await api("PATCH", path, { token, raw });
      expect(json!.review).toMatchObject({ id: review._id.toString(), tourId, rating: 3 });
      const { editedAt, ...stored } = (await Review.findById(review._id).lean())!;
      expect(editedAt).toBeInstanceOf(Date);
      expect(stored).toEqual({ ...review, rating: 3 });
      expect(stored.userId).toEqual(guest._id);
      expect(await tourState(tour)).toMatchObject({ reviewCount: 1, avgRating: 3 });
      expect(await list(other)).toEqual([]);
    });

    test.each(["__proto__", "constructor"])("does not take fields from %s", async (key) => {
      const { token, path } = await reviewed();
      const raw = `{"${key}": {"rating": 1, "comment": "polluted"}}`;
      expect(refusal(await api("PATCH", path, { token, raw }))).toEqual(refused(400, NOTHING));
    });
  });
});
