import { Types } from "mongoose";
import { describe, expect, it, test } from "vitest";
import { Review } from "../../../models/review";
import { Tour } from "../../../models/tour";
import { tokenOf } from "../../support/app";
import {
  makeBooking,
  makeBookedExplorer,
  makeReview,
  makeTour,
  makeUser,
} from "../../support/factories";
import {
  api,
  list,
  type Options,
  refusal,
  refused,
  REVIEW_FIELDS,
  reviewed,
  scene,
  tourState,
  useApp,
} from "../../support/shared-app";
import { KEPT_COMMENTS, NO_OBJECTS } from "../../support/review-bodies";

useApp();
const UNAUTHORIZED = "Unauthorized";
const MISSING = "Missing required fields";
const BAD_RATING = "Rating must be an integer between 1 and 5";
const BAD_COMMENT = "Comment must be a string";
const LONG_COMMENT = "Comment must be at most 5000 characters";
const NO_TOUR = "Tour not found";
const OWN_TOUR = "You cannot review your own tour";
const ALREADY = "You have already reviewed this tour";
const HOUR = 60 * 60 * 1_000;
const unknownId = () => new Types.ObjectId().toString();

describe("POST /api/reviews", () => {
  const post = (options: Options) => api("POST", "/api/reviews", options);

  describe("happy", () => {
    it("stores the review and answers 201 with it", async () => {
      const { guest, tour, token, tourId } = await scene();
      const before = Date.now();
      const { status, json } = await post({
        token,
        body: { tourId, rating: 5, comment: "Best walk of the year" },
      });
      expect(status).toBe(201);
      expect(Object.keys(json!).sort()).toEqual(["message", "review"]);
      expect(json!.message).toBe("Review submitted successfully");
      const review = json!.review!;
      expect(Object.keys(review).sort()).toEqual(REVIEW_FIELDS);
      expect(review).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
        tourId,
        userId: guest._id.toString(),
        rating: 5,
        comment: "Best walk of the year",
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
        user: { name: "Ann", image: "https://img.example/ann.png" },
      });
      expect(Date.parse(review.createdAt)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(review.createdAt)).toBeLessThanOrEqual(Date.now());
      expect(await list(tour)).toEqual([review]);
      expect(await Review.findOne({ tourId: tour._id }).lean()).toEqual({
        _id: new Types.ObjectId(review.id),
        tourId: tour._id,
        userId: guest._id,
        rating: 5,
        comment: "Best walk of the year",
        createdAt: new Date(review.createdAt),
        verified: true,
      });
    });

    it("sets the mean and the count of all reviews", async () => {
      const { tour, token, tourId } = await scene();
      await makeReview(await makeUser(), tour, { rating: 4 });
      await makeReview(await makeUser(), tour, { rating: 4 });
      await makeReview(await makeUser(), await makeTour(), { rating: 1 });
      // Malformed aggregates that a platform may have left there.
      await Tour.updateOne({ _id: tour._id }, { $set: { avgRating: 1, reviewCount: 77 } });
      expect((await post({ token, body: { tourId, rating: 5 } })).status).toBe(201);
      const state = (await tourState(tour))!;
      expect(state.avgRating).toBeCloseTo(13 / 3, 12);
      expect(state.reviewCount).toBe(3);
      expect(state.ratingCounts).toEqual({ "1": 0, "2": 0, "3": 0, "4": 2, "5": 1 });
    });

    test.each([1, 5])("takes the rating %d", async (rating) => {
      const { token, tour, tourId } = await scene();
      const { status, json } = await post({ token, body: { tourId, rating } });
      expect([status, json?.review?.rating]).toEqual([201, rating]);
      expect((await tourState(tour))?.avgRating).toBe(rating);
    });

    // The other ratings are in the unit tests of the schemas and in the tests of edits.
    const telling = ["two UTF-16 units", "all kinds of line breaks", "markup"];
    const kept = KEPT_COMMENTS.filter(([name]) => telling.some((words) => name.endsWith(words)));
    test.each(kept)("keeps a comment exactly: %s", async (_, comment) => {
      const { token, tour, tourId } = await scene();
      const { status, json } = await post({ token, body: { tourId, rating: 5, comment } });
      expect(status).toBe(201);
      expect(json?.review?.comment).toBe(comment);
      expect((await list(tour))?.[0]?.comment).toBe(comment);
      expect((await Review.findOne({ tourId: tour._id }).lean())?.comment).toBe(comment);
    });

    test.each([
      ["absent", {}],
      ["null", { comment: null }],
      ["empty", { comment: "" }],
    ])("stores a comment that is %s as null", async (_, comment) => {
      const { token, tour, tourId } = await scene();
      const { json } = await post({ token, body: { tourId, rating: 5, ...comment } });
      expect(json?.review).toHaveProperty("comment", null);
      expect(await Review.findOne({ tourId: tour._id }).lean()).toHaveProperty("comment", null);
    });

    it("answers with what it stored when UTF-8 cannot hold what was sent", async () => {
      const { token, tour, tourId } = await scene();
      const raw = `{"tourId":"${tourId}","rating":5,"comment":"lone \\ud83e surrogate"}`;
      const { status, json } = await post({ token, raw });
      expect([status, json?.review?.comment]).toEqual([201, "lone \ufffd surrogate"]);
      expect((await list(tour))?.[0]?.comment).toBe("lone \ufffd surrogate");
    });

    it("reads the body as JSON whatever its Content-Type", async () => {
      const { token, tourId } = await scene();
      const raw = JSON.stringify({ tourId, rating: 3 });
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      expect((await post({ token, raw, headers })).status).toBe(201);
    });

    it("takes an id in upper case", async () => {
      const { token, tourId } = await scene();
      const body = { tourId: tourId.toUpperCase(), rating: 5 };
      const { status, json } = await post({ token, body });
      expect([status, json?.review?.tourId]).toEqual([201, tourId]);
    });

    it("shows an author without a picture and name as such", async () => {
      const { tour, tourId } = await scene();
      const token = await tokenOf(await makeBookedExplorer(tour, { name: "", image: null }));
      const { json } = await post({ token, body: { tourId, rating: 5 } });
      expect(json?.review?.user).toEqual({ name: "", image: null });
    });

    it("may follow a deleted review of the same explorer", async () => {
      const { token, path, tourId } = await reviewed();
      expect((await api("DELETE", path, { token })).status).toBe(200);
      expect((await post({ token, body: { tourId, rating: 5 } })).status).toBe(201);
    });
  });

  describe("errors", () => {
    test.each([
      ["nothing", {}],
      ["no rating", { tourId: unknownId() }],
      ["tourId empty", { tourId: "", rating: 5 }],
      ["rating 0", { tourId: unknownId(), rating: 0 }],
    ])("2. missing: %s", async (_, body) => {
      const { token } = await scene();
      expect(refusal(await post({ token, body }))).toEqual(refused(400, MISSING));
    });

    it("2. a body that is not an object counts as an empty one", async () => {
      const { token } = await scene();
      for (const [kind, raw] of NO_OBJECTS) {
        const { status, json } = await post({ token, raw });
        expect([kind, status, json]).toEqual([kind, ...refused(400, MISSING)]);
      }
    });

    test.each([
      ["6", 6],
      ["4.5", 4.5],
      ['"5"', "5"],
    ])("3. rating %s", async (_, rating) => {
      const { token, tourId } = await scene();
      const answer = await post({ token, body: { tourId, rating } });
      expect(refusal(answer)).toEqual(refused(400, BAD_RATING));
      expect(await Review.countDocuments()).toBe(0);
    });

    it("3. a number too large for JavaScript is a bad rating", async () => {
      const { token, tourId } = await scene();
      const raw = `{"tourId":"${tourId}","rating":1e400}`;
      expect(refusal(await post({ token, raw }))).toEqual(refused(400, BAD_RATING));
    });

    test.each([
      ["5001 characters of two UTF-16 units", "🧭".repeat(5_001), LONG_COMMENT],
      ["a number", 7, BAD_COMMENT],
      ["an operator", { $gt: "" }, BAD_COMMENT],
    ])("3½. comment of %s", async (_, comment, error) => {
      const { token, tourId } = await scene();
      const answer = await post({ token, body: { tourId, rating: 5, comment } });
      expect(refusal(answer)).toEqual(refused(400, error));
      expect(await Review.countDocuments()).toBe(0);
    });

    const NO_TOURS: [string, unknown][] = [
      ["an unknown id", unknownId()],
      ["no id", "old-town"],
      ["23 digits", "0".repeat(23)],
      ["25 digits", "0".repeat(25)],
      ["12 characters, which a driver takes for an id", "abcdefghijkl"],
      ["an id and a line break", `${unknownId()}\n`],
      ["5000 characters", "x".repeat(5_000)],
      ["a number", 42],
      ["true", true],
      ["a list", [unknownId()]],
      ["an object", { toString: "x" }],
    ];
    it("4. a tourId that belongs to no tour", async () => {
      const { token } = await scene();
      for (const [kind, tourId] of NO_TOURS) {
        const { status, json } = await post({ token, body: { tourId, rating: 5 } });
        expect([kind, status, json]).toEqual([kind, ...refused(404, NO_TOUR)]);
      }
    });

    it("5. the guide's own tour, even with a completed booking", async () => {
      const { guide, tour, tourId } = await scene();
      await makeBooking(guide, tour);
      const answer = await post({ token: await tokenOf(guide), body: { tourId, rating: 5 } });
      expect(refusal(answer)).toEqual(refused(400, OWN_TOUR));
    });

    it("6. a second review", async () => {
      const { token, tour, tourId } = await reviewed({ rating: 4 });
      const answer = await post({ token, body: { tourId, rating: 1 } });
      expect(refusal(answer)).toEqual(refused(400, ALREADY));
      expect(await tourState(tour)).toMatchObject({ avgRating: 4, reviewCount: 1 });
    });

    test.each([
      ["none", null],
      ["one that is confirmed", "CONFIRMED"],
      ["one that is cancelled", "CANCELLED"],
      ["one in lower case", "completed"],
    ])("7. bookings: %s", async (_, status) => {
      const { tour, tourId } = await scene();
      const explorer = await makeUser();
      if (status) await makeBooking(explorer, tour, { status });
      // A completed booking of another tour counts for nothing.
      await makeBooking(explorer, await makeTour());
      const answer = await post({ token: await tokenOf(explorer), body: { tourId, rating: 5 } });
      expect(answer.status).toBe(400);
      expect(Object.keys(answer.json!)).toEqual(["error"]);
      // Only completed tours; the guide marks it; automatic 24 hours after the tour date.
      expect(answer.json?.error).toMatch(/only review tours .*completed/);
      expect(answer.json?.error).toMatch(/guide marks/);
      expect(answer.json?.error).toMatch(/automatically 24 hours after the tour date/);
      expect(await list(tour)).toEqual([]);
    });

    it("7. one completed booking among others is enough", async () => {
      const { token, guest, tour, tourId } = await scene();
      await makeBooking(guest, tour, { status: "CANCELLED" });
      expect((await post({ token, body: { tourId, rating: 5 } })).status).toBe(201);
    });

    // Each request fails its own check and every later check that can fail at the same time.
    test.each<[string, number, string, (ids: OrderIds) => Options]>([
      ["1 beats all", 401, UNAUTHORIZED, () => ({ raw: "{nonsense" })],
      [
        "2 (tourId) beats rating and comment",
        400,
        MISSING,
        ({ own }) => ({ token: own, body: { rating: 9, comment: 7 } }),
      ],
      [
        "2 (rating) beats comment and tour",
        400,
        MISSING,
        ({ own }) => ({ token: own, body: { tourId: unknownId(), rating: 0, comment: 7 } }),
      ],
      [
        "3 beats comment and tour",
        400,
        BAD_RATING,
        ({ own }) => ({ token: own, body: { tourId: unknownId(), rating: 9, comment: 7 } }),
      ],
      [
        "3½ beats tour",
        400,
        BAD_COMMENT,
        ({ own }) => ({ token: own, body: { tourId: unknownId(), rating: 5, comment: 7 } }),
      ],
      [
        "3½ beats own tour, duplicate and booking",
        400,
        LONG_COMMENT,
        ({ own, tourId }) => ({
          token: own,
          body: { tourId, rating: 5, comment: "x".repeat(5_001) },
        }),
      ],
      [
        "4 beats duplicate and booking",
        404,
        NO_TOUR,
        ({ own, goneTourId }) => ({ token: own, body: { tourId: goneTourId, rating: 5 } }),
      ],
      [
        "5 beats duplicate and booking",
        400,
        OWN_TOUR,
        ({ own, tourId }) => ({ token: own, body: { tourId, rating: 5 } }),
      ],
      [
        "6 beats booking",
        400,
        ALREADY,
        ({ duplicate, tourId }) => ({ token: duplicate, body: { tourId, rating: 5 } }),
      ],
    ])("order: %s", async (_, status, error, options) => {
      const { guide, tour, tourId } = await scene();
      const other = await makeUser();
      const goneTour = { _id: new Types.ObjectId() };
      for (const author of [guide, other]) await makeReview(author, tour);
      await makeReview(guide, goneTour);
      const ids = {
        own: await tokenOf(guide),
        duplicate: await tokenOf(other),
        tourId,
        goneTourId: goneTour._id.toString(),
      };
      expect(refusal(await post(options(ids)))).toEqual(refused(status, error));
      expect(await Review.countDocuments()).toBe(3);
    });
    interface OrderIds {
      /** The guide, who has reviewed their own tour and a tour that no longer exists, and has no booking. */
      own: string;
      /** An explorer with a review and without a booking. */
      duplicate: string;
      tourId: string;
      goneTourId: string;
    }
  });

  describe("security", () => {
    it("an operator as tourId is an unknown tour", async () => {
      const { token } = await scene();
      for (const tourId of [
        { $ne: null },
        { $gt: "" },
        { $in: [unknownId()] },
        { $oid: unknownId() },
        { $where: "1" },
        JSON.parse('{"__proto__": {"x": 1}}') as unknown,
      ])
        expect(refusal(await post({ token, body: { tourId, rating: 5 } }))).toEqual(
          refused(404, NO_TOUR),
        );
    });

    test.each(["__proto__", "constructor", "prototype"])(
      "does not take fields from %s",
      async (key) => {
        const { token, tourId } = await scene();
        const raw = `{"${key}": {"tourId": "${tourId}", "rating": 5, "prototype": {"rating": 5}}}`;
        expect(refusal(await post({ token, raw }))).toEqual(refused(400, MISSING));
        // Nor did they get into the prototype that every object shares.
        expect(refusal(await post({ token, raw: "{}" }))).toEqual(refused(400, MISSING));
      },
    );

    it("ignores fields that clients may not set", async () => {
      const { token, guest, tour, tourId } = await scene();
      const other = await makeUser();
      const fields = {
        id: unknownId(),
        _id: unknownId(),
        userId: other._id.toString(),
        user: { name: "Somebody", image: "https://img.example/x.png" },
        createdAt: "2001-01-01T00:00:00.000Z",
        editedAt: "2001-01-01T00:00:00.000Z",
        avgRating: 5,
        $set: { rating: 1 },
        "user.name": "Somebody",
        extra: "kept?",
      };
      // JSON.stringify leaves a literal __proto__ out.
      const raw = JSON.stringify({ tourId, rating: 3, ...fields }).replace(
        "{",
        '{"__proto__": {"rating": 1},',
      );
      const { status, json } = await post({ token, raw });
      expect(status).toBe(201);
      expect(json!.review).toMatchObject({
        userId: guest._id.toString(),
        rating: 3,
        user: { name: "Ann", image: "https://img.example/ann.png" },
      });
      expect(json!.review!.id).not.toBe(fields.id);
      expect(json!.review!.id).not.toBe(fields._id);
      expect(Date.parse(json!.review!.createdAt)).toBeGreaterThan(Date.now() - HOUR);
      const stored = await Review.findOne({ tourId: tour._id }).lean();
      expect(Object.keys(stored!).sort()).toEqual(
        ["_id", "comment", "createdAt", "rating", "tourId", "userId", "verified"].sort(),
      );
    });
  });
});
