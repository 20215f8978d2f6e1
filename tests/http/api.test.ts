import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Types } from "mongoose";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { AccessToken } from "../../models/access-token";
import { Booking } from "../../models/booking";
import { Review } from "../../models/review";
import { Session } from "../../models/session";
import { Tour } from "../../models/tour";
import { User } from "../../models/user";
import { call, logIn, startApp, tokenOf, type Answer, type App } from "../support/app";
import { databaseUri, useDatabase } from "../support/database";
import { makeBooking, makeGuest, makeReview, makeTour, makeUser } from "../support/factories";

// The whole API as a client meets it: the built app in a process of its own, over HTTP.

interface ReviewBody {
  id: string;
  tourId: string;
  userId: string;
  rating: number;
  comment: string | null;
  createdAt: string;
  user: { name: string; image: string | null };
}
interface TourBody {
  id: string;
  title: string;
  slug: string;
  createdById: string;
  avgRating: number;
  reviewCount: number;
  ratingCounts: Record<string, number>;
}
/** Everything that any answer of the API may hold. */
interface Body {
  error?: string;
  message?: string;
  status?: string;
  review?: ReviewBody;
  reviews?: ReviewBody[];
  tour?: TourBody;
}
type Options = Parameters<typeof call>[3];

const UNAUTHORIZED = "Unauthorized";
const MISSING = "Missing required fields";
const BAD_RATING = "Rating must be an integer between 1 and 5";
const BAD_COMMENT = "Comment must be a string";
const LONG_COMMENT = "Comment must be at most 5000 characters";
const NO_TOUR = "Tour not found";
const NO_REVIEW = "Review not found";
const OWN_TOUR = "You cannot review your own tour";
const ALREADY = "You have already reviewed this tour";
const NOTHING = "No fields to update";
const NOT_YOURS_TO_EDIT = "You can only edit your own reviews";
const TOO_LATE = "Reviews can only be edited within 24 hours of posting";
const NOT_YOURS_TO_DELETE = "You can only delete your own reviews";
const NO_TOUR_ID = "Tour ID is required";

const HOUR = 60 * 60 * 1_000;
const ago = (ms: number) => new Date(Date.now() - ms);
const unknownId = () => new Types.ObjectId().toString();
const REVIEW_FIELDS = ["comment", "createdAt", "id", "rating", "tourId", "user", "userId"];

useDatabase();
let app: App;
beforeAll(async () => {
  app = await startApp(databaseUri());
});
afterAll(() => app.stop());

/** One request; holds every answer to what all answers have in common. */
async function api(
  method: string,
  path: string,
  options?: Options,
  server: Pick<App, "url"> = app,
): Promise<Answer<Body>> {
  const answer = await call<Body>(server, method, path, options);
  // All addresses of the factories end like this; no answer of the API shows one.
  expect(answer.text).not.toContain("@example.test");
  expect(answer.text).not.toContain("argon2");
  if (answer.text !== "") {
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(answer.json).toBeTypeOf("object");
  }
  return answer;
}

/** An answer reduced to what a refusal consists of. */
const refusal = ({ status, json }: Answer<Body>) => [status, json];
const refused = (status: number, error: string) => [status, { error }];

const list = async (tour: { _id: Types.ObjectId }) =>
  (await api("GET", `/api/reviews?tourId=${tour._id.toString()}`)).json?.reviews;
const tourState = async (tour: { _id: Types.ObjectId }) =>
  (await api("GET", `/api/tours/${tour._id.toString()}`)).json?.tour;

/** A tour with its guide, and an explorer who may review it. */
async function scene() {
  const guide = await makeUser({ name: "Gwen Guide", image: "https://img.example/gwen.png" });
  const tour = await makeTour({ createdById: guide._id, title: "Old Town Walk" });
  const guest = await makeGuest(tour, { name: "Ann", image: "https://img.example/ann.png" });
  const token = await tokenOf(guest);
  return { guide, tour, guest, token, tourId: tour._id.toString() };
}

/** The same with a review of the explorer. */
async function reviewed(fields: Parameters<typeof makeReview>[2] = {}) {
  const scenery = await scene();
  const { guest, tour } = scenery;
  const review = await makeReview(guest, tour, { comment: "as it was", ...fields });
  return { ...scenery, review, path: `/api/reviews/${review._id.toString()}` };
}

// What a comment may be, in both operations that take one.
const KEPT_COMMENTS: [string, string][] = [
  ["plain text", "Best walk of the year"],
  ["5000 characters", "a".repeat(5_000)],
  ["5000 characters of two UTF-16 units", "🧭".repeat(5_000)],
  ["spaces around", "  trailing and leading  "],
  ["only spaces", "   "],
  ["only a line break", "\n"],
  ["all kinds of line breaks", "one\r\ntwo\nthree\rfour\u2028five\u2029six\n"],
  ["NUL and other control characters", "a\u0000b\u0001\u0007\u001b\u007f"],
  ["only a NUL", "\u0000"],
  ["joined emoji", "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽"],
  ["a decomposed letter", "cafe\u0301"],
  ["a byte order mark", "\ufeffhello\u200b"],
  ["right-to-left text", "שלום \u202etxt.exe"],
  ["markup", `<script>alert("1")</script> & 'x' </textarea>`],
  ["operators", '{"$gt": ""} $where __proto__'],
];
const REFUSED_COMMENTS: [string, unknown, string][] = [
  ["5001 characters", "a".repeat(5_001), LONG_COMMENT],
  ["5001 characters of two UTF-16 units", "🧭".repeat(5_001), LONG_COMMENT],
  ["5001 spaces, which nobody trims", " ".repeat(5_001), LONG_COMMENT],
  ["a number", 7, BAD_COMMENT],
  ["zero", 0, BAD_COMMENT],
  ["true", true, BAD_COMMENT],
  ["false", false, BAD_COMMENT],
  ["a list", ["text"], BAD_COMMENT],
  ["an operator", { $gt: "" }, BAD_COMMENT],
];

// Everything that is neither absent nor an integer from 1 to 5, and truthy.
const BAD_RATINGS: [string, unknown][] = [
  ["6", 6],
  ["-1", -1],
  ["4.5", 4.5],
  ["5.000001", 5.000001],
  ["1e21", 1e21],
  ['"5"', "5"],
  ['"five"', "five"],
  ["true", true],
  ["a list", [5]],
  ["an operator", { $gt: 0 }],
];

// Bodies that are no JSON object count as an empty one.
const NO_OBJECTS = [
  ["nothing", ""],
  ["an open brace", "{"],
  ["null", "null"],
  ["a list", '[{"rating":5}]'],
  ["a number", "7"],
  ["a string", '"text"'],
  ["a form", "tourId=x&rating=5&comment=x"],
  ["single quotes", "{'rating': 5}"],
  ["two objects", '{"rating":5}{"rating":5}'],
  ["60,000 open brackets", "[".repeat(60_000)],
  ["60,000 nested lists", "[".repeat(30_000) + "]".repeat(30_000)],
] as const;

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
      });
    });

    it("sets the mean and the count of all reviews", async () => {
      const { tour, token, tourId } = await scene();
      await makeReview(await makeUser(), tour, { rating: 4 });
      await makeReview(await makeUser(), tour, { rating: 4 });
      await makeReview(await makeUser(), await makeTour(), { rating: 1 });
      // What a platform may have left there before.
      await Tour.updateOne({ _id: tour._id }, { $set: { avgRating: 1, reviewCount: 77 } });
      expect((await post({ token, body: { tourId, rating: 5 } })).status).toBe(201);
      const state = (await tourState(tour))!;
      expect(state.avgRating).toBeCloseTo(13 / 3, 12);
      expect(state.reviewCount).toBe(3);
      expect(state.ratingCounts).toEqual({ "1": 0, "2": 0, "3": 0, "4": 2, "5": 1 });
    });

    test.each([1, 2, 3, 4, 5])("takes the rating %d", async (rating) => {
      const { token, tour, tourId } = await scene();
      const { status, json } = await post({ token, body: { tourId, rating } });
      expect([status, json?.review?.rating]).toEqual([201, rating]);
      expect((await tourState(tour))?.avgRating).toBe(rating);
    });

    test.each(KEPT_COMMENTS)("keeps a comment exactly: %s", async (_, comment) => {
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

    it("answers with what it stored where UTF-8 cannot hold what was sent", async () => {
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

    it("shows an author without picture and name as such", async () => {
      const { tour, tourId } = await scene();
      const token = await tokenOf(await makeGuest(tour, { name: "", image: null }));
      const { json } = await post({ token, body: { tourId, rating: 5 } });
      expect(json?.review?.user).toEqual({ name: "", image: null });
    });

    it("may follow a deleted review of the same explorer", async () => {
      const { token, path, tourId } = await reviewed();
      expect((await api("DELETE", path, { token })).status).toBe(200);
      expect((await post({ token, body: { tourId, rating: 5 } })).status).toBe(201);
    });

    it("stores one of ten that come at once", async () => {
      const { token, tour, tourId } = await scene();
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => post({ token, body: { tourId, rating: 2 } })),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      const others = answers.filter(({ status }) => status !== 201);
      expect(others.map(refusal)).toEqual(others.map(() => refused(400, ALREADY)));
      expect(await tourState(tour)).toMatchObject({ reviewCount: 1, avgRating: 2 });
    });
  });

  describe("errors", () => {
    test.each([
      ["nothing", {}],
      ["no rating", { tourId: unknownId() }],
      ["no tourId", { rating: 5 }],
      ["tourId empty", { tourId: "", rating: 5 }],
      ["tourId null", { tourId: null, rating: 5 }],
      ["tourId 0", { tourId: 0, rating: 5 }],
      ["tourId false", { tourId: false, rating: 5 }],
      ["rating 0", { tourId: unknownId(), rating: 0 }],
      ["rating -0", { tourId: unknownId(), rating: -0 }],
      ["rating null", { tourId: unknownId(), rating: null }],
      ["rating false", { tourId: unknownId(), rating: false }],
      ["rating empty", { tourId: unknownId(), rating: "" }],
    ])("2. missing: %s", async (_, body) => {
      const { token } = await scene();
      expect(refusal(await post({ token, body }))).toEqual(refused(400, MISSING));
    });

    test.each(NO_OBJECTS)("2. a body that is no object: %s", async (_, raw) => {
      const { token } = await scene();
      expect(refusal(await post({ token, raw }))).toEqual(refused(400, MISSING));
    });

    test.each(BAD_RATINGS)("3. rating %s", async (_, rating) => {
      const { token, tourId } = await scene();
      const answer = await post({ token, body: { tourId, rating } });
      expect(refusal(answer)).toEqual(refused(400, BAD_RATING));
      expect(await Review.countDocuments()).toBe(0);
    });

    it("3. a number too large for a number is a bad rating", async () => {
      const { token, tourId } = await scene();
      const raw = `{"tourId":"${tourId}","rating":1e400}`;
      expect(refusal(await post({ token, raw }))).toEqual(refused(400, BAD_RATING));
    });

    test.each(REFUSED_COMMENTS)("3½. comment of %s", async (_, comment, error) => {
      const { token, tourId } = await scene();
      const answer = await post({ token, body: { tourId, rating: 5, comment } });
      expect(refusal(answer)).toEqual(refused(400, error));
      expect(await Review.countDocuments()).toBe(0);
    });

    test.each([
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
    ])("4. tourId is %s", async (_, tourId) => {
      const { token } = await scene();
      const answer = await post({ token, body: { tourId, rating: 5 } });
      expect(refusal(answer)).toEqual(refused(404, NO_TOUR));
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

    // Each request fails its check and every later one that can fail beside it.
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
      /** The guide, who has a review of the own tour and of one that is gone, and no booking. */
      own: string;
      /** An explorer with a review and without a booking. */
      duplicate: string;
      tourId: string;
      goneTourId: string;
    }
  });

  describe("security", () => {
    test.each([
      ["$ne", { $ne: null }],
      ["$gt", { $gt: "" }],
      ["$in", { $in: [unknownId()] }],
      ["$oid", { $oid: unknownId() }],
      ["$where", { $where: "1" }],
      ["__proto__", JSON.parse('{"__proto__": {"x": 1}}') as unknown],
    ])("an operator as tourId is an unknown tour: %s", async (_, tourId) => {
      const { token } = await scene();
      const answer = await post({ token, body: { tourId, rating: 5 } });
      expect(refusal(answer)).toEqual(refused(404, NO_TOUR));
    });

    test.each(["__proto__", "constructor", "prototype"])(
      "fields are not looked for in %s",
      async (key) => {
        const { token, tourId } = await scene();
        const raw = `{"${key}": {"tourId": "${tourId}", "rating": 5, "prototype": {"rating": 5}}}`;
        expect(refusal(await post({ token, raw }))).toEqual(refused(400, MISSING));
        // Nor did they end up where every object would have them.
        expect(refusal(await post({ token, raw: "{}" }))).toEqual(refused(400, MISSING));
      },
    );

    it("ignores fields that are not the client's to set", async () => {
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
        ["_id", "comment", "createdAt", "rating", "tourId", "userId"].sort(),
      );
    });
  });
});

describe("GET /api/reviews", () => {
  describe("happy", () => {
    it("lists reviews, newest first, to anybody", async () => {
      const { tour, tourId } = await scene();
      const ages = [3, 1, 26, 2];
      for (const age of ages)
        await makeReview(await makeUser({ name: `Aged ${age}`, image: null }), tour, {
          createdAt: ago(age * HOUR),
          comment: age === 1 ? "newest" : null,
        });
      await makeReview(await makeUser(), await makeTour());
      const { status, json } = await api("GET", `/api/reviews?tourId=${tourId}`);
      expect(status).toBe(200);
      expect(Object.keys(json!)).toEqual(["reviews"]);
      expect(json!.reviews!.map(({ user }) => user)).toEqual(
        [1, 2, 3, 26].map((age) => ({ name: `Aged ${age}`, image: null })),
      );
      for (const review of json!.reviews!) {
        expect(Object.keys(review).sort()).toEqual(REVIEW_FIELDS);
        expect(Object.keys(review.user).sort()).toEqual(["image", "name"]);
        expect(review.tourId).toBe(tourId);
        expect(review.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      }
      expect(json!.reviews!.map(({ comment }) => comment)).toEqual(["newest", null, null, null]);
    });

    it("gives createdAt to the millisecond", async () => {
      const { tour } = await reviewed({ createdAt: new Date("2026-01-02T03:04:05.000Z") });
      await makeReview(await makeUser(), tour, { createdAt: new Date("2025-12-31T23:59:59.999Z") });
      expect((await list(tour))?.map(({ createdAt }) => createdAt)).toEqual([
        "2026-01-02T03:04:05.000Z",
        "2025-12-31T23:59:59.999Z",
      ]);
    });

    it("puts the larger id first where createdAt is equal", async () => {
      const { tour } = await scene();
      const createdAt = new Date("2026-01-02T03:04:05.678Z");
      const ids = ["b", "d", "a", "c"].map((digit) => new Types.ObjectId(digit.repeat(24)));
      for (const _id of ids) await makeReview(await makeUser(), tour, { _id, createdAt });
      expect((await list(tour))?.map(({ id }) => id[0])).toEqual(["d", "c", "b", "a"]);
    });

    it("shows an author whose account is gone without name and picture", async () => {
      const { tour, guest } = await reviewed();
      await User.deleteOne({ _id: guest._id });
      const [review] = (await list(tour))!;
      expect(review).toMatchObject({
        userId: guest._id.toString(),
        comment: "as it was",
        user: { name: "", image: null },
      });
    });

    it("gives all reviews, without pages", async () => {
      const { tour, tourId } = await scene();
      await Review.insertMany(
        Array.from({ length: 300 }, () => ({
          tourId: tour._id,
          userId: new Types.ObjectId(),
          rating: 3,
          createdAt: new Date(),
        })),
      );
      const { json } = await api("GET", `/api/reviews?tourId=${tourId}&limit=1&page=2`);
      expect(json?.reviews).toHaveLength(300);
    });

    it("shows a change of the reviews in the next answer", async () => {
      const { token, tour, tourId } = await scene();
      expect(await list(tour)).toEqual([]);
      const created = await api("POST", "/api/reviews", { token, body: { tourId, rating: 4 } });
      const path = `/api/reviews/${created.json!.review!.id}`;
      expect(await list(tour)).toEqual([created.json!.review]);
      const updated = await api("PATCH", path, { token, body: { comment: "better" } });
      expect(await list(tour)).toEqual([updated.json!.review]);
      await api("DELETE", path, { token });
      expect(await list(tour)).toEqual([]);
    });

    test.each([
      ["a tour without reviews", () => makeTour().then(({ _id }) => _id.toString())],
      ["an unknown id", () => unknownId()],
      ["no id", () => "old-town"],
      ["12 characters", () => "abcdefghijkl"],
      ["a NUL", () => "%00"],
      ["an operator", () => encodeURIComponent('{"$ne":null}')],
      ["a prototype key", () => "__proto__"],
      ["a malformed escape", () => "%E0%A4%A"],
      ["only a space", () => "%20"],
    ])("gives an empty list for %s", async (_, tourId) => {
      await reviewed();
      const { status, json } = await api("GET", `/api/reviews?tourId=${await tourId()}`);
      expect([status, json]).toEqual([200, { reviews: [] }]);
    });

    it("takes an id in upper case", async () => {
      const { tourId } = await reviewed();
      const { json } = await api("GET", `/api/reviews?tourId=${tourId.toUpperCase()}`);
      expect(json?.reviews).toHaveLength(1);
    });

    it("counts the first of two tourIds", async () => {
      const { tourId } = await reviewed();
      const pair = (a: string, b: string) => api("GET", `/api/reviews?tourId=${a}&tourId=${b}`);
      expect((await pair(tourId, unknownId())).json?.reviews).toHaveLength(1);
      expect((await pair(unknownId(), tourId)).json?.reviews).toHaveLength(0);
      expect(refusal(await pair("", tourId))).toEqual(refused(400, NO_TOUR_ID));
    });

    it("answers HEAD as GET without the body", async () => {
      const { tourId } = await reviewed();
      const get = await api("GET", `/api/reviews?tourId=${tourId}`);
      const head = await api("HEAD", `/api/reviews?tourId=${tourId}`);
      expect([head.status, head.text]).toEqual([200, ""]);
      for (const name of ["etag", "content-type", "cache-control"])
        expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
      expect((await api("HEAD", "/api/reviews")).status).toBe(400);
    });
  });

  describe("entity tags", () => {
    const read = (tourId: string, known?: string) =>
      api("GET", `/api/reviews?tourId=${tourId}`, {
        headers: known === undefined ? {} : { "if-none-match": known },
      });

    it("are weak, and the answer may be kept but not used unasked", async () => {
      const { tourId } = await reviewed();
      const { headers } = await read(tourId);
      expect(headers.get("etag")).toMatch(/^W\/"[\x21\x23-\x7e]+"$/);
      expect(headers.get("cache-control")).toBe("no-cache");
    });

    test.each([
      ["the tag itself", (tag: string) => tag],
      ["the tag as a strong one", (tag: string) => tag.slice(2)],
      ["a list with the tag", (tag: string) => `"other", ${tag} , W/"third"`],
      ["a list with the strong tag first", (tag: string) => `${tag.slice(2)},"other"`],
      ["any tag", () => "*"],
    ])("give 304 without a body for %s", async (_, known) => {
      const { tourId } = await reviewed();
      const tag = (await read(tourId)).headers.get("etag")!;
      const answer = await read(tourId, known(tag));
      expect([answer.status, answer.text]).toEqual([304, ""]);
      expect(answer.headers.get("etag")).toBe(tag);
      expect(answer.headers.get("cache-control")).toBe("no-cache");
      expect(answer.headers.get("content-type")).toBeNull();
    });

    test.each([
      ["another tag", () => '"other"'],
      ["a part of the tag", (tag: string) => `${tag.slice(0, -3)}"`],
      ["the tag without quotes", (tag: string) => tag.slice(3, -1)],
      ["nothing", () => ""],
      ["a star among others", () => '"other", *'],
    ])("give the list for %s", async (_, known) => {
      const { tourId } = await reviewed();
      const tag = (await read(tourId)).headers.get("etag")!;
      const answer = await read(tourId, known(tag));
      expect([answer.status, answer.json?.reviews?.length]).toEqual([200, 1]);
    });

    it("answer HEAD with 304 too", async () => {
      const { tourId } = await reviewed();
      const tag = (await read(tourId)).headers.get("etag")!;
      const headers = { "if-none-match": tag };
      expect((await api("HEAD", `/api/reviews?tourId=${tourId}`, { headers })).status).toBe(304);
    });

    it("do not hide an error", async () => {
      const headers = { "if-none-match": "*" };
      expect(refusal(await api("GET", "/api/reviews", { headers }))).toEqual(
        refused(400, NO_TOUR_ID),
      );
    });

    it("change with every change of the list and only then", async () => {
      const { token, tour, tourId } = await scene();
      const tagNow = async () => (await read(tourId)).headers.get("etag")!;
      const tags = [await tagNow()];
      expect(await tagNow()).toBe(tags[0]);

      const created = await api("POST", "/api/reviews", { token, body: { tourId, rating: 4 } });
      const path = `/api/reviews/${created.json!.review!.id}`;
      tags.push(await tagNow());
      expect((await read(tourId, tags[0])).status).toBe(200);
      await api("PATCH", path, { token, body: { comment: "new" } });
      tags.push(await tagNow());
      await api("PATCH", path, { token, body: { rating: 5 } });
      tags.push(await tagNow());
      expect(new Set(tags).size).toBe(4);

      // Refusals, and changes of other tours, are no changes.
      await api("POST", "/api/reviews", { token, body: { tourId, rating: 1 } });
      await makeReview(await makeUser(), await makeTour());
      expect(await tagNow()).toBe(tags[3]);

      await makeReview(await makeUser(), tour, { createdAt: ago(HOUR) });
      expect(tags).not.toContain(await tagNow());
    });
  });

  describe("errors", () => {
    test.each([
      ["absent", ""],
      ["empty", "?tourId="],
      ["without a value", "?tourId"],
      ["in another case", `?tourid=${unknownId()}`],
      ["an operator's", `?tourId[$ne]=${unknownId()}`],
      ["a list's", `?tourId[]=${unknownId()}`],
    ])("400 when tourId is %s", async (_, search) => {
      const answer = await api("GET", `/api/reviews${search}`);
      expect(refusal(answer)).toEqual(refused(400, NO_TOUR_ID));
    });
  });

  describe("security", () => {
    it("is the same for everybody, whatever they send to be somebody", async () => {
      const { tourId, token, guest } = await reviewed();
      const path = `/api/reviews?tourId=${tourId}`;
      const nobody = await api("GET", path);
      const cookie = await logIn(app, guest.email);
      const everybody: Options[] = [
        { token },
        { cookie },
        { token: "trv_unknown" },
        { headers: { authorization: "Basic eDp5" } },
        { cookie, headers: { origin: "https://evil.example" } },
      ];
      for (const options of everybody) {
        const answer = await api("GET", path, options);
        expect([answer.status, answer.text]).toEqual([200, nobody.text]);
        expect(answer.headers.get("set-cookie")).toBeNull();
      }
    });

    it("lets no other site's script read it, and no proxy keep it", async () => {
      const { tourId } = await reviewed();
      const headers = { origin: "https://evil.example" };
      const answer = await api("GET", `/api/reviews?tourId=${tourId}`, { headers });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    });
  });
});

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

    test.each(KEPT_COMMENTS)("keeps a comment exactly: %s", async (_, comment) => {
      const { token, tour, path, review } = await reviewed();
      const { status, json } = await api("PATCH", path, { token, body: { comment } });
      expect(status).toBe(200);
      expect(json?.review?.comment).toBe(comment);
      expect((await list(tour))?.[0]?.comment).toBe(comment);
      expect((await Review.findById(review._id).lean())?.comment).toBe(comment);
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

    it("goes on until 24 hours have passed", async () => {
      const { token, path } = await reviewed({ createdAt: ago(24 * HOUR - 30_000) });
      expect((await api("PATCH", path, { token, body: { rating: 1 } })).status).toBe(200);
    });

    it("needs no completed booking any more", async () => {
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

    test.each(NO_OBJECTS)("2. a body that is no object: %s", async (_, raw) => {
      const { token, path } = await reviewed();
      expect(refusal(await api("PATCH", path, { token, raw }))).toEqual(refused(400, NOTHING));
    });

    test.each([
      ...BAD_RATINGS,
      ["null", null] as const,
      ["0", 0] as const,
      ["false", false] as const,
      ["empty", ""] as const,
    ])("3. rating %s, even beside a good comment", async (_, rating) => {
      const { token, path, tour } = await reviewed();
      for (const body of [{ rating }, { rating, comment: "good" }])
        expect(refusal(await api("PATCH", path, { token, body }))).toEqual(
          refused(400, BAD_RATING),
        );
      expect(await list(tour)).toMatchObject([{ rating: 4, comment: "as it was" }]);
    });

    test.each(REFUSED_COMMENTS)("3½. comment of %s", async (_, comment, error) => {
      const { token, path, tour } = await reviewed();
      for (const body of [{ comment }, { rating: 1, comment }])
        expect(refusal(await api("PATCH", path, { token, body }))).toEqual(refused(400, error));
      expect(await list(tour)).toMatchObject([{ rating: 4, comment: "as it was" }]);
    });

    test.each([
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
    ])("4. the review is %s", async (_, id) => {
      const { token } = await reviewed();
      const path = `/api/reviews/${id}`;
      const edit = await api("PATCH", path, { token, body: { rating: 5 } });
      expect(refusal(edit)).toEqual(refused(404, NO_REVIEW));
      expect(refusal(await api("DELETE", path, { token }))).toEqual(refused(404, NO_REVIEW));
      expect(await Review.countDocuments()).toBe(1);
    });

    test.each(["the tour's guide", "another explorer"])("5. %s may not", async (who) => {
      const { path, guide, tour } = await reviewed();
      const token = await tokenOf(who === "the tour's guide" ? guide : await makeGuest(tour));
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

    it("6. an edit does not start the 24 hours anew", async () => {
      const { token, path, review } = await reviewed({ createdAt: ago(23 * HOUR) });
      expect((await api("PATCH", path, { token, body: { rating: 1 } })).status).toBe(200);
      await Review.updateOne({ _id: review._id }, { $set: { createdAt: ago(25 * HOUR) } });
      const answer = await api("PATCH", path, { token, body: { rating: 2 } });
      expect(refusal(answer)).toEqual(refused(403, TOO_LATE));
    });

    // Each request fails its check and every later one that can fail beside it.
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
    it("changes nothing but rating and comment", async () => {
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

    test.each(["__proto__", "constructor"])("does not look for fields in %s", async (key) => {
      const { token, path } = await reviewed();
      const raw = `{"${key}": {"rating": 1, "comment": "polluted"}}`;
      expect(refusal(await api("PATCH", path, { token, raw }))).toEqual(refused(400, NOTHING));
    });
  });
});

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

    it("takes no notice of a body", async () => {
      const { token, path } = await reviewed();
      expect((await api("DELETE", path, { token, raw: "{nonsense" })).status).toBe(200);
    });

    it("takes an id in upper case", async () => {
      const { token, review } = await reviewed();
      const path = `/api/reviews/${review._id.toString().toUpperCase()}`;
      expect((await api("DELETE", path, { token })).status).toBe(200);
      expect(await Review.countDocuments()).toBe(0);
    });

    it("happens once of several that come at once", async () => {
      const { token, path } = await reviewed();
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => api("DELETE", path, { token })),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const others = answers.filter(({ status }) => status !== 200);
      expect(others.map(refusal)).toEqual(others.map(() => refused(404, NO_REVIEW)));
    });
  });

  describe("errors", () => {
    it("1. nobody, before anything else", async () => {
      const { path } = await reviewed();
      for (const target of [path, `/api/reviews/${unknownId()}`, "/api/reviews/nope"])
        expect(refusal(await api("DELETE", target))).toEqual(refused(401, UNAUTHORIZED));
      expect(await Review.countDocuments()).toBe(1);
    });

    it("2. an unknown review, and one deleted before", async () => {
      const { token, path } = await reviewed();
      const unknown = await api("DELETE", `/api/reviews/${unknownId()}`, { token });
      expect(refusal(unknown)).toEqual(refused(404, NO_REVIEW));
      await api("DELETE", path, { token });
      expect(refusal(await api("DELETE", path, { token }))).toEqual(refused(404, NO_REVIEW));
    });

    test.each(["the tour's guide", "another explorer"])("3. %s may not", async (who) => {
      const { path, guide, tour } = await reviewed();
      const token = await tokenOf(who === "the tour's guide" ? guide : await makeGuest(tour));
      const answer = await api("DELETE", path, { token });
      expect(refusal(answer)).toEqual(refused(403, NOT_YOURS_TO_DELETE));
      expect(await list(tour)).toHaveLength(1);
    });
  });
});

describe("who is asking", () => {
  const rate = (path: string, options: Options) =>
    api("PATCH", path, { ...options, body: { rating: 1 } });

  describe("happy", () => {
    it("the user of a session cookie", async () => {
      const { path, guest } = await reviewed();
      expect((await rate(path, { cookie: await logIn(app, guest.email) })).status).toBe(200);
    });

    it("the user of a personal access token, however its scheme is written", async () => {
      const { path, token } = await reviewed();
      for (const authorization of [`Bearer ${token}`, `bearer ${token}`, `BEARER  ${token}`])
        expect((await rate(path, { headers: { authorization } })).status).toBe(200);
    });

    it("the token's user where a cookie says somebody else", async () => {
      const { path, token, guest } = await reviewed();
      const other = await makeUser();
      const [own, foreign] = [await logIn(app, guest.email), await logIn(app, other.email)];
      expect((await rate(path, { token, cookie: foreign })).status).toBe(200);
      const answer = await rate(path, { token: await tokenOf(other), cookie: own });
      expect(refusal(answer)).toEqual(refused(403, NOT_YOURS_TO_EDIT));
    });

    it("the token's user from any origin", async () => {
      const { path, token } = await reviewed();
      const headers = { origin: "https://other.example", "sec-fetch-site": "cross-site" };
      expect((await rate(path, { token, headers })).status).toBe(200);
    });
  });

  describe("security", () => {
    test.each([
      ["a scheme alone", "Bearer"],
      ["an unknown token", "Bearer trv_unknown"],
      ["a token of another kind", "Bearer nonsense"],
      ["another scheme", "Basic YW5uOnBhc3N3b3Jk"],
      ["no scheme", "trv_unknown"],
      ["two words", "Bearer trv_a b"],
    ])("an Authorization header is nobody, even beside a good cookie: %s", async (_, header) => {
      const { path, guest, tour, tourId } = await reviewed();
      const cookie = await logIn(app, guest.email);
      const headers = { authorization: header };
      expect(refusal(await rate(path, { cookie, headers }))).toEqual(refused(401, UNAUTHORIZED));
      const others = [
        await api("DELETE", path, { cookie, headers }),
        await api("POST", "/api/reviews", { cookie, headers, body: { tourId, rating: 5 } }),
      ];
      for (const answer of others) expect(refusal(answer)).toEqual(refused(401, UNAUTHORIZED));
      expect(await list(tour)).toMatchObject([{ rating: 4 }]);
    });

    it("a good token with anything around it is nobody", async () => {
      const { path, token } = await reviewed();
      for (const authorization of [
        token,
        `Token ${token}`,
        `Bearer ${token} x`,
        `Bearer ${token}x`,
        `Bearer "${token}"`,
        `Bearer ${token.toUpperCase()}`,
        `Bearer Bearer ${token}`,
      ])
        expect(refusal(await rate(path, { headers: { authorization } }))).toEqual(
          refused(401, UNAUTHORIZED),
        );
    });

    it("a revoked token is nobody, and no token is stored", async () => {
      const { path, token } = await reviewed();
      expect((await rate(path, { token })).status).toBe(200);
      expect(JSON.stringify(await AccessToken.find().lean())).not.toContain(token);
      await AccessToken.deleteMany({});
      expect(refusal(await rate(path, { token }))).toEqual(refused(401, UNAUTHORIZED));
    });

    it("a token and a cookie of a user who is gone are nobody", async () => {
      const { path, token, guest } = await reviewed();
      const cookie = await logIn(app, guest.email);
      await User.deleteOne({ _id: guest._id });
      for (const options of [{ token }, { cookie }])
        expect(refusal(await rate(path, options))).toEqual(refused(401, UNAUTHORIZED));
    });

    test.each<[string, (cookie: string) => string]>([
      ["signed by nobody", (cookie) => cookie.replace(/\.[^.]*$/, "")],
      ["signed wrong", (cookie) => `${cookie.slice(0, -6)}AAAAAA`],
      ["changed", (cookie) => cookie.replace(/=./, (start) => (start === "=A" ? "=B" : "=A"))],
      ["of another name", (cookie) => cookie.replace("session=", "__Host-session=")],
      ["empty", () => "session="],
      ["nonsense", () => "session=%E0%A4%A; session; ;=;"],
    ])("a cookie %s is nobody", async (_, spoil) => {
      const { path, guest } = await reviewed();
      const cookie = await logIn(app, guest.email);
      expect(spoil(cookie)).not.toBe(cookie);
      const answer = await rate(path, { cookie: spoil(cookie) });
      expect(refusal(answer)).toEqual(refused(401, UNAUTHORIZED));
      expect((await rate(path, { cookie })).status).toBe(200);
    });

    it("a cookie whose session ran out is nobody", async () => {
      const { path, guest } = await reviewed();
      const cookie = await logIn(app, guest.email);
      await Session.updateMany({}, { $set: { expiresAt: ago(1) } });
      expect(refusal(await rate(path, { cookie }))).toEqual(refused(401, UNAUTHORIZED));
    });
  });
});

describe("GET /api/tours/{id}", () => {
  it("gives the tour with its aggregates and nothing more", async () => {
    const { tour, guide, tourId } = await reviewed({ rating: 4 });
    await makeReview(await makeUser(), tour, { rating: 5 });
    const answer = await api("GET", `/api/tours/${tourId}`);
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        tour: {
          id: tourId,
          title: "Old Town Walk",
          slug: tour.slug,
          createdById: guide._id.toString(),
          avgRating: 4.5,
          reviewCount: 2,
          ratingCounts: { "1": 0, "2": 0, "3": 0, "4": 1, "5": 1 },
        },
      },
    ]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect((await api("GET", `/api/tours/${tourId.toUpperCase()}`)).text).toBe(answer.text);
    const head = await api("HEAD", `/api/tours/${tourId}`);
    expect([head.status, head.text]).toEqual([200, ""]);
  });

  it("gives zeros for a platform's tour that has no aggregates yet", async () => {
    const _id = new Types.ObjectId();
    const createdById = new Types.ObjectId();
    await Tour.collection.insertOne({ _id, title: "Bare", slug: "bare", createdById });
    expect(await tourState({ _id })).toEqual({
      id: _id.toString(),
      title: "Bare",
      slug: "bare",
      createdById: createdById.toString(),
      avgRating: 0,
      reviewCount: 0,
      ratingCounts: { "1": 0, "2": 0, "3": 0, "4": 0, "5": 0 },
    });
  });

  test.each([
    ["an unknown id", unknownId()],
    ["no id", "old-town"],
    ["12 characters", "abcdefghijkl"],
    ["an operator", encodeURIComponent('{"$ne":null}')],
    ["a malformed escape", "%"],
    ["bytes that are no UTF-8", "%ff"],
  ])("404 for %s", async (_, id) => {
    await scene();
    expect(refusal(await api("GET", `/api/tours/${id}`))).toEqual(refused(404, NO_TOUR));
  });
});

describe("GET /healthz", () => {
  it("tells that the database answers", async () => {
    const answer = await api("GET", "/healthz");
    expect([answer.status, answer.json]).toEqual([200, { status: "ok" }]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect((await api("HEAD", "/healthz")).status).toBe(200);
  });
});

/** A request with a method that `fetch` refuses to send. */
async function odd(method: string, path: string) {
  const request = httpRequest(app.url + path, { method });
  const answered = once(request, "response") as Promise<[import("node:http").IncomingMessage]>;
  request.end();
  const [response] = await answered;
  let text = "";
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode, headers: response.headers, text };
}

describe("methods and paths", () => {
  const PATHS: [string, string[]][] = [
    ["/api/reviews", ["GET", "HEAD", "POST"]],
    [`/api/reviews/${unknownId()}`, ["PATCH", "DELETE"]],
    [`/api/tours/${unknownId()}`, ["GET", "HEAD"]],
    ["/healthz", ["GET", "HEAD"]],
  ];
  const METHODS = [
    ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
    ["TRACE", "PROPFIND", "SEARCH", "LINK", "PURGE", "QUERY"],
  ].flat();
  const others = PATHS.flatMap(([path, methods]) =>
    METHODS.filter((method) => !methods.includes(method)).map(
      (method) => [method, path, methods.join(", ")] as const,
    ),
  );

  test.each(others)("405 for %s %s", async (method, path, allow) => {
    const { status, headers, text } = await odd(method, path);
    expect([status, headers.allow]).toEqual([405, allow]);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(text).toBe(method === "HEAD" ? "" : '{"error":"Method not allowed"}');
  });

  it("405 stands before the question who asks and what", async () => {
    const { guest } = await scene();
    const cookie = await logIn(app, guest.email);
    for (const options of [{}, { cookie }, { token: "trv_unknown" }, { raw: "{nonsense" }])
      expect(refusal(await api("PUT", "/api/reviews", options))).toEqual(
        refused(405, "Method not allowed"),
      );
  });

  test.each([
    "/api",
    "/api/",
    "/api/nope",
    "/api/review",
    "/api/reviewsx",
    "/api/tours",
    `/api/reviews/${unknownId()}/x`,
    `/api/tours/${unknownId()}/reviews`,
    "/api/__proto__",
    "/api/%",
    "/api/%ff/x",
    "/api/v1/reviews?tourId=x",
  ])("404 for %s, whatever the method", async (path) => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"]) {
      const { status, headers, text } = await odd(method, path);
      expect([method, status, text]).toEqual([method, 404, '{"error":"Not found"}']);
      expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    }
    const head = await odd("HEAD", path);
    expect([head.status, head.text]).toEqual([404, ""]);
  });
});

describe("unexpected failures", () => {
  // Records that no version of this app writes, so that the code meets what it does not expect.
  it("are the specification's 500, without a word about the cause", async () => {
    const { token, guest, tour, tourId } = await scene();
    const broken = async (fields: object) => {
      const _id = new Types.ObjectId();
      const tourOfIts = await makeTour();
      const record = { _id, tourId: tourOfIts._id, userId: guest._id, rating: 4, ...fields };
      await Review.collection.insertOne(record);
      return { path: `/api/reviews/${_id.toString()}`, tourId: tourOfIts._id.toString() };
    };
    const dateless = await broken({ createdAt: null });
    const authorless = await broken({ createdAt: new Date(), userId: null });
    await Tour.collection.updateOne({ _id: tour._id }, { $set: { createdById: null } });

    const answers = [
      await api("POST", "/api/reviews", { token, body: { tourId, rating: 5 } }),
      await api("GET", `/api/reviews?tourId=${dateless.tourId}`),
      await api("PATCH", dateless.path, { token, body: { rating: 5 } }),
      await api("DELETE", authorless.path, { token }),
    ];
    expect(answers.map(refusal)).toEqual([
      refused(500, "Failed to create review"),
      refused(500, "Failed to fetch reviews"),
      refused(500, "Failed to update review"),
      refused(500, "Failed to delete review"),
    ]);
  });

  it("of the database are answered in time, and pass with it", async () => {
    const { token, tour, tourId, path } = await reviewed();
    const explorer = await tokenOf(await makeGuest(tour));
    const proxy = await startProxy();
    // Straight to the proxy: a replica set's own idea of its address would lead around it.
    const uri = databaseUri().replace(/\/\/[^/]+/, `//127.0.0.1:${proxy.port}`);
    const direct = uri.replace(/\?.*$|$/, "?directConnection=true");
    const cut = await startApp(direct);
    try {
      const all = () =>
        Promise.all([
          api("GET", "/healthz", {}, cut),
          api("GET", `/api/reviews?tourId=${tourId}`, {}, cut),
          api("POST", "/api/reviews", { token: explorer, body: { tourId, rating: 5 } }, cut),
          api("PATCH", path, { token, body: { rating: 5 } }, cut),
          api("GET", `/api/tours/${tourId}`, {}, cut),
        ]);
      expect((await all()).map(({ status }) => status)).toEqual([200, 200, 201, 200, 200]);
      proxy.cut();
      const started = Date.now();
      const [health, ...answers] = await all();
      expect(Date.now() - started).toBeLessThan(8_000);
      expect([health.status, health.json]).toEqual([503, { status: "unavailable" }]);
      expect(answers.map(refusal)).toEqual([
        refused(500, "Failed to fetch reviews"),
        refused(500, "Failed to create review"),
        refused(500, "Failed to update review"),
        refused(500, "Failed to fetch tour"),
      ]);
      proxy.mend();
      const recovered = Date.now() + 8_000;
      while ((await api("GET", "/healthz", {}, cut)).status !== 200 && Date.now() < recovered)
        await sleep(100);
      expect((await api("PATCH", path, { token, body: { rating: 5 } }, cut)).status).toBe(200);
    } finally {
      await cut.stop();
      proxy.close();
    }
  });
});

/** A way to the database that can be cut. */
async function startProxy() {
  const [, host, port] = /\/\/([^/:,]+):(\d+)/.exec(databaseUri())!;
  const sockets = new Set<Socket>();
  let open = true;
  const server = createServer((client) => {
    if (!open) return client.destroy();
    const upstream = connect(Number(port), host);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("close", () => [client, upstream].forEach((end) => end.destroy()));
      socket.on("error", () => {});
    }
    client.pipe(upstream).pipe(client);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = () => {
    open = false;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    mend: () => void (open = true),
    close() {
      cut();
      server.close();
    },
  };
}
