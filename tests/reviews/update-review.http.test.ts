import { Types } from "mongoose";
import { expect, it, test } from "vitest";
import { Booking } from "#models/booking";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { tokenOf } from "../support/app";
import { makeReview, makeUser } from "../support/factories";
import {
  api,
  list,
  type Options,
  refusal,
  refused,
  reviewed,
  tourState,
  useApp,
} from "../support/shared-app";

// Each actor has a row in tests/routes/api.reviews_.$id.ts.

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

test.each([
  ["the rating alone", { rating: 2 }, { rating: 2, comment: "as it was" }],
  ["the comment alone", { comment: "new\r\n🧭 " }, { rating: 4, comment: "new\r\n🧭 " }],
  ["both", { rating: 1, comment: "new" }, { rating: 1, comment: "new" }],
  ["an empty comment to null", { comment: "" }, { rating: 4, comment: null }],
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
      comment: "as it was",
      ...expected,
    },
  });
  expect(await list(tour)).toEqual([json!.review]);
});

it("keeps a comment exactly as it is sent", async () => {
  const { token, tour, path } = await reviewed();
  for (const comment of [
    "  spaces around and a decomposed cafe\u0301 ",
    "one\r\ntwo\rthree\u2028four\u2029five\n",
    "\u0000 NUL, other controls \u001b\u007f and \ufeffa byte order mark",
    "שלום \u202etxt.exe 👩‍👩‍👧‍👦 🏳️‍🌈",
    `<script>alert("1")</script> & '{"$gt": ""}'`,
    " ",
  ]) {
    const { json } = await api("PATCH", path, { token, body: { comment } });
    expect(json?.review?.comment).toBe(comment);
    expect((await list(tour))![0]!.comment).toBe(comment);
  }
});

it("with what is already stored is no edit, but the mean is still recomputed", async () => {
  const { token, tour, path, review } = await reviewed();
  const body = { rating: 4, comment: "as it was" };
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
});

it("is possible until 24 hours have passed, without a booking, by an id in upper case", async () => {
  const { token, review, tour } = await reviewed({ createdAt: ago(24 * HOUR - 30_000) });
  await Booking.deleteMany({ tourId: tour._id });
  const path = `/api/reviews/${review._id.toString().toUpperCase()}`;
  const { status, json } = await api("PATCH", path, { token, body: { rating: 1 } });
  expect([status, json?.review?.id]).toEqual([200, review._id.toString()]);
});

test.each<[string, string, Options]>([
  ["2. nothing", NOTHING, { body: {} }],
  ["2. a list", NOTHING, { raw: '[{"rating":5}]' }],
  ["2. unknown fields only", NOTHING, { body: { tourId: unknownId(), Rating: 5, id: "x" } }],
  ["2. fields of __proto__", NOTHING, { raw: '{"__proto__": {"rating": 1}}' }],
  ["3. rating 0 beside a comment", BAD_RATING, { body: { rating: 0, comment: "good" } }],
  ["3½. a comment of 5001", LONG_COMMENT, { body: { comment: "🧭".repeat(5_001) } }],
  ["3½. an operator as comment", BAD_COMMENT, { body: { rating: 1, comment: { $gt: "" } } }],
  ["3½. false as comment", BAD_COMMENT, { body: { comment: false } }],
])("refuses %s", async (_, error, options) => {
  const { token, path, tour } = await reviewed();
  expect(refusal(await api("PATCH", path, { token, ...options }))).toEqual(refused(400, error));
  expect(await list(tour)).toMatchObject([{ rating: 4, comment: "as it was" }]);
});

it("4. refuses an unknown review, as a deletion does", async () => {
  const { token } = await reviewed();
  const operator = encodeURIComponent('{"$ne":null}');
  const ids = [unknownId(), "abcdefghijkl", "%20", "%00", "%2F", operator, "__proto__"];
  // A malformed escape, and bytes that are no UTF-8.
  for (const id of [...ids, "%", "%E0%A4%A", "a".repeat(3_000)]) {
    const path = `/api/reviews/${id}`;
    const edit = await api("PATCH", path, { token, body: { rating: 5 } });
    expect([id, ...refusal(edit)]).toEqual([id, ...refused(404, NO_REVIEW)]);
    const deletion = await api("DELETE", path, { token });
    expect([id, ...refusal(deletion)]).toEqual([id, ...refused(404, NO_REVIEW)]);
  }
  expect(await Review.countDocuments()).toBe(1);
});

it("6. refuses an edit after 24 hours, which an earlier edit does not restart", async () => {
  const { token, path, review, tour } = await reviewed({ createdAt: ago(23 * HOUR) });
  expect((await api("PATCH", path, { token, body: { rating: 3 } })).status).toBe(200);
  await Review.updateOne({ _id: review._id }, { createdAt: ago(24 * HOUR + 1_000) });
  const answer = await api("PATCH", path, { token, body: { rating: 1 } });
  expect(refusal(answer)).toEqual(refused(403, TOO_LATE));
  expect(await tourState(tour)).toMatchObject({ avgRating: 3, reviewCount: 1 });
});

// Each request fails its own check and every later check that can fail at the same time.
const BAD = { rating: 9, comment: 7 };
test.each<[string, number, string, "nobody" | "other" | "author", boolean, Options]>([
  ["1 beats all", 401, UNAUTHORIZED, "nobody", false, { raw: "{nonsense" }],
  ["2 beats an unknown review", 400, NOTHING, "other", false, { body: {} }],
  ["2 beats author and time", 400, NOTHING, "other", true, { body: {} }],
  ["3 beats comment and review", 400, BAD_RATING, "other", false, { body: BAD }],
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
