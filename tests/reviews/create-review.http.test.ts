import { Types } from "mongoose";
import { expect, it, test } from "vitest";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { tokenOf } from "../support/app";
import { makeBooking, makeReview, makeTour, makeUser } from "../support/factories";
import {
  api,
  list,
  type Options,
  refusal,
  refused,
  REVIEW_FIELDS,
  scene,
  tourState,
  useApp,
} from "../support/shared-app";

useApp();
const UNAUTHORIZED = "Unauthorized";
const MISSING = "Missing required fields";
const BAD_RATING = "Rating must be an integer between 1 and 5";
const CONTROLS = "\0One\u001B[31m\r\n\ttwo\u007F\u0080\u009F";
const BAD_COMMENT = "Comment must be a string";
const LONG_COMMENT = "Comment must be at most 5000 characters";
const NO_TOUR = "Tour not found";
const OWN_TOUR = "You cannot review your own tour";
const ALREADY = "You have already reviewed this tour";
const unknownId = () => new Types.ObjectId().toString();

const post = (options: Options) => api("POST", "/api/reviews", options);

it("stores the review and answers 201 with it", async () => {
  const { guest, tour, token, tourId } = await scene();
  // One completed booking among others is enough.
  await makeBooking(guest, tour, { status: "CANCELLED" });
  const before = Date.now();
  const comment = "Best <b>walk</b>\r\nof the year 🧭 ";
  const { status, json } = await post({ token, body: { tourId, rating: 5, comment } });
  expect(status).toBe(201);
  const review = json!.review!;
  expect(json).toEqual({ message: "Review submitted successfully", review });
  expect(Object.keys(review).sort()).toEqual(REVIEW_FIELDS);
  expect(review).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
    tourId,
    userId: guest._id.toString(),
    rating: 5,
    comment,
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
    comment,
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

test.each([
  ["no comment", {}, null],
  ["an empty comment", { comment: "" }, null],
  ["a surrogate that UTF-8 cannot hold", { comment: "lone \ud83e" }, "lone \ufffd"],
  ["control characters, which only pages leave out", { comment: CONTROLS }, CONTROLS],
  ["the longest comment", { comment: "🧭".repeat(5_000) }, "🧭".repeat(5_000)],
])("answers with what it stored of %s", async (_, fields, comment) => {
  const { token, tour, tourId } = await scene();
  const { json } = await post({ token, body: { tourId, rating: 1, ...fields } });
  expect(json?.review).toMatchObject({ rating: 1, comment });
  expect(await Review.findOne({ tourId: tour._id }).lean()).toHaveProperty("comment", comment);
});

it("drops what is not the client's to set", async () => {
  const { token, tour, tourId, guest } = await scene();
  const own = {
    id: tourId,
    userId: tourId,
    createdAt: "2001-01-01T00:00:00.000Z",
    verified: false,
  };
  const fields = { tourId, rating: 5, ...own, $set: { rating: 1 }, "user.name": "Somebody" };
  const raw = JSON.stringify(fields).replace("{", '{"__proto__": {"rating": 1},');
  expect((await post({ token, raw })).status).toBe(201);
  const stored = (await Review.findOne({ tourId: tour._id }).lean())!;
  expect(stored).toMatchObject({ userId: guest._id, rating: 5, comment: null, verified: true });
  expect(stored.createdAt.getFullYear()).toBeGreaterThan(2001);
});

it("reads the body as JSON whatever its Content-Type, and an id in upper case", async () => {
  const { token, tourId } = await scene();
  const raw = JSON.stringify({ tourId: tourId.toUpperCase(), rating: 3 });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const { status, json } = await post({ token, raw, headers });
  expect([status, json?.review?.tourId]).toEqual([201, tourId]);
});

it("4. refuses what is the id of no tour", async () => {
  const { token } = await scene();
  const prototype = JSON.parse('{"__proto__": {"x": 1}}') as unknown;
  // A driver takes 12 characters for an id.
  const texts = [unknownId(), "abcdefghijkl", `${unknownId()}\n`, "x".repeat(5_000)];
  const objects: unknown[] = [
    [unknownId()],
    { toString: "x" },
    { $ne: null },
    { $oid: unknownId() },
  ];
  for (const tourId of [...texts, 42, ...objects, prototype]) {
    const answer = await post({ token, body: { tourId, rating: 5 } });
    expect([tourId, ...refusal(answer)]).toEqual([tourId, ...refused(404, NO_TOUR)]);
  }
  expect(await Review.countDocuments()).toBe(0);
});

test.each<[check: string, status: number, error: string, body: Record<string, unknown> | string]>([
  ["2. nothing sent", 400, MISSING, ""],
  ["2. an open brace", 400, MISSING, "{"],
  ["2. null", 400, MISSING, "null"],
  ["2. a list", 400, MISSING, '[{"rating":5}]'],
  ["2. a form", 400, MISSING, "tourId=x&rating=5&comment=x"],
  ["2. two objects", 400, MISSING, '{"rating":5}{"rating":5}'],
  ["2. 60,000 open brackets", 400, MISSING, "[".repeat(60_000)],
  ["2. fields of __proto__", 400, MISSING, '{"__proto__": {"tourId": "x", "rating": 5}}'],
  ["2. fields of a prototype", 400, MISSING, '{"constructor": {"prototype": {"rating": 5}}}'],
  ["2. no rating", 400, MISSING, {}],
  ["2. rating 0", 400, MISSING, { rating: 0 }],
  ["2. no tour", 400, MISSING, { tourId: "", rating: 5 }],
  ["3. rating 6", 400, BAD_RATING, { rating: 6 }],
  ["3. rating 4.5", 400, BAD_RATING, { rating: 4.5 }],
  ["3. a rating in words", 400, BAD_RATING, { rating: "5" }],
  ["3. a rating too large for JavaScript", 400, BAD_RATING, '{"tourId":"x","rating":1e400}'],
  ["3½. a comment of 5001", 400, LONG_COMMENT, { rating: 5, comment: "🧭".repeat(5_001) }],
  ["3½. an operator as comment", 400, BAD_COMMENT, { rating: 5, comment: { $gt: "" } }],
  ["3½. false as comment", 400, BAD_COMMENT, { rating: 5, comment: false }],
])("refuses %s", async (_, status, error, body) => {
  const { token, tourId } = await scene();
  const request = typeof body === "string" ? { raw: body } : { body: { tourId, ...body } };
  expect(refusal(await post({ token, ...request }))).toEqual(refused(status, error));
  expect(await Review.countDocuments()).toBe(0);
});

test.each([null, "CONFIRMED", "CANCELLED", "completed"])(
  "7. refuses an explorer whose booking is %s",
  async (status) => {
    const { tour, tourId } = await scene();
    const explorer = await makeUser();
    if (status) await makeBooking(explorer, tour, { status });
    // A completed booking of another tour counts for nothing.
    await makeBooking(explorer, await makeTour());
    const answer = await post({ token: await tokenOf(explorer), body: { tourId, rating: 5 } });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.json!)).toEqual(["error"]);
    expect(answer.json?.error).toMatch(/once you have taken it/);
    expect(answer.json?.error).toMatch(/guide marks it complete/);
    expect(answer.json?.error).toMatch(/24 hours after it/);
    expect(await list(tour)).toEqual([]);
  },
);

// Each request fails its own check and every later one that can fail at the same time. `own` is the guide, who has
// reviewed their own tour and a tour that no longer exists; `duplicate` has a review and no booking.
const LONG = "x".repeat(5_001);
test.each<[string, number, string, "nobody" | "own" | "duplicate", Record<string, unknown>]>([
  ["1 beats all", 401, UNAUTHORIZED, "nobody", {}],
  ["2 beats rating and comment", 400, MISSING, "own", { tourId: "", rating: 9, comment: 7 }],
  ["3 beats comment and tour", 400, BAD_RATING, "own", { tourId: "x", rating: 9, comment: 7 }],
  ["3½ beats tour", 400, BAD_COMMENT, "own", { tourId: "x", rating: 5, comment: 7 }],
  ["3½ beats the explorer", 400, LONG_COMMENT, "own", { rating: 5, comment: LONG }],
  ["4 beats duplicate and booking", 404, NO_TOUR, "own", { tourId: "gone", rating: 5 }],
  ["5 beats duplicate and booking", 400, OWN_TOUR, "own", { rating: 5 }],
  ["6 beats booking", 400, ALREADY, "duplicate", { rating: 5 }],
])("order: %s", async (_, status, error, who, fields) => {
  const { guide, tour, tourId } = await scene();
  const other = await makeUser();
  const goneTour = { _id: new Types.ObjectId() };
  for (const author of [guide, other]) await makeReview(author, tour, { rating: 4 });
  await makeReview(guide, goneTour);
  const tokens = {
    nobody: undefined,
    own: await tokenOf(guide),
    duplicate: await tokenOf(other),
  };
  const body = { tourId, ...fields };
  if (body.tourId === "gone") body.tourId = goneTour._id.toString();
  const answer = await post({ token: tokens[who], body });
  expect(refusal(answer)).toEqual(refused(status, error));
  expect(await Review.countDocuments()).toBe(3);
  expect(await tourState(tour)).toMatchObject({ avgRating: 4, reviewCount: 2 });
});
