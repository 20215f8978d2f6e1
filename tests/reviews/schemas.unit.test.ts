import { expect, it, test } from "vitest";
import { ServiceError } from "~/infra/errors.server";
import { parseInput } from "~/infra/validation.server";
import { PostReviewBody, EditReviewBody } from "~/reviews/schemas";

// The bodies of reviews. The order of their checks among the others, and the fields that are stored, are in
// create-review.http.test.ts and update-review.http.test.ts.

const MISSING = "Missing required fields";
const BAD_RATING = "Rating must be an integer between 1 and 5";
const BAD_COMMENT = "Comment must be a string";
const LONG_COMMENT = "Comment must be at most 5000 characters";
const NOTHING = "No fields to update";

const tourId = "66a1f0c2d4e5f60718293a4b";
const create = (body: unknown) => parseInput(PostReviewBody, body);
const update = (body: unknown) => parseInput(EditReviewBody, body);

/** The refusal of a body: its status and its text. */
function refusal(parse: (body: unknown) => unknown, body: unknown): [number, string] {
  try {
    parse(body);
  } catch (error) {
    if (error instanceof ServiceError) return [error.status, error.message];
    throw error;
  }
  throw new Error(`It was taken: ${JSON.stringify(body)}`);
}

it("may rate with 1 to 5", () => {
  for (const rating of [1, 2, 3, 4, 5]) {
    expect(create({ tourId, rating })).toEqual({ tourId, rating });
    expect(update({ rating })).toEqual({ rating });
  }
});

test.each([
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
])("keeps a comment exactly: %s", (_, comment) => {
  expect(create({ tourId, rating: 5, comment })).toEqual({ tourId, rating: 5, comment });
  expect(update({ comment })).toEqual({ comment });
});

it("has no comment when it is null or empty, and what UTF-8 can hold of another", () => {
  expect(create({ tourId, rating: 5 }).comment).toBeUndefined();
  for (const comment of [null, ""]) {
    expect(create({ tourId, rating: 5, comment }).comment).toBeNull();
    expect(update({ comment })).toEqual({ comment: null });
  }
  const { comment } = create({ tourId, rating: 5, comment: "lone \ud83e surrogate" });
  expect(comment).toBe("lone \ufffd surrogate");
});

it("drops what is not the client's to set", () => {
  const dropped = { id: tourId, _id: tourId, userId: tourId, user: { name: "Somebody" } };
  const odd = { createdAt: "2001-01-01T00:00:00.000Z", $set: { rating: 1 }, "user.name": "x" };
  // JSON.stringify leaves a literal __proto__ out.
  const sent = (fields: object) =>
    JSON.parse(
      JSON.stringify({ ...fields, ...dropped, ...odd }).replace(
        "{",
        '{"__proto__": {"rating": 1},',
      ),
    ) as unknown;
  expect(create(sent({ tourId, rating: 5 }))).toEqual({ tourId, rating: 5 });
  expect(update(sent({ tourId, rating: 5 }))).toEqual({ rating: 5 });
});

it("2. counts as an empty one when it is no object", () => {
  for (const body of [undefined, null, [{ rating: 5 }], 7, "text", {}]) {
    expect(refusal(create, body)).toEqual([400, MISSING]);
    expect(refusal(update, body)).toEqual([400, NOTHING]);
  }
  const unknown = { tourId, createdAt: 0, Rating: 5, id: "x" };
  expect(refusal(update, unknown)).toEqual([400, NOTHING]);
});

it("2. needs a tour and a rating when it is of a new review", () => {
  for (const missing of [undefined, "", null, 0, -0, false]) {
    expect(refusal(create, { tourId: missing, rating: 5 })).toEqual([400, MISSING]);
    expect(refusal(create, { tourId, rating: missing })).toEqual([400, MISSING]);
  }
});

it("3. may not have another rating", () => {
  const bad: unknown[] = [6, -1, 4.5, 5.000001, 1e21, Infinity, "5", "five", true, [5], { $gt: 0 }];
  for (const rating of bad) expect(refusal(create, { tourId, rating })).toEqual([400, BAD_RATING]);
  for (const rating of [...bad, null, 0, false, ""])
    for (const body of [{ rating }, { rating, comment: "good" }])
      expect(refusal(update, body)).toEqual([400, BAD_RATING]);
});

test.each<[string, unknown, string]>([
  ["5001 characters", "a".repeat(5_001), LONG_COMMENT],
  ["5001 characters of two UTF-16 units", "🧭".repeat(5_001), LONG_COMMENT],
  ["5001 spaces, which nobody trims", " ".repeat(5_001), LONG_COMMENT],
  ["a number", 7, BAD_COMMENT],
  ["zero", 0, BAD_COMMENT],
  ["true", true, BAD_COMMENT],
  ["false", false, BAD_COMMENT],
  ["a list", ["text"], BAD_COMMENT],
  ["an operator", { $gt: "" }, BAD_COMMENT],
])("3a. may not have a comment of %s", (_, comment, error) => {
  expect(refusal(create, { tourId, rating: 5, comment })).toEqual([400, error]);
  for (const body of [{ comment }, { rating: 1, comment }])
    expect(refusal(update, body)).toEqual([400, error]);
});
