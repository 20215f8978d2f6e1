import { describe, expect, it, test } from "vitest";
import { ServiceError } from "~/infra/errors.server";
import { parseInput } from "~/infra/validation.server";
import { PostReviewBody, EditReviewBody } from "~/reviews/schemas";

// What the bodies of reviews may hold. In which order that is asked beside everything else, and what
// is stored of it, the tests of the operations ask.

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

/** The values that a comment may have, in both operations that accept one. */
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

/** Everything that is neither absent nor an integer from 1 to 5, and truthy. */
const BAD_RATINGS: [string, unknown][] = [
  ["6", 6],
  ["-1", -1],
  ["4.5", 4.5],
  ["5.000001", 5.000001],
  ["1e21", 1e21],
  ["1e400", JSON.parse("1e400")],
  ['"5"', "5"],
  ['"five"', "five"],
  ["true", true],
  ["a list", [5]],
  ["an operator", { $gt: 0 }],
];

const NO_OBJECTS: [string, unknown][] = [
  ["nothing", undefined],
  ["null", null],
  ["a list", [{ rating: 5 }]],
  ["a number", 7],
  ["a string", "text"],
];

describe("the body of a new review", () => {
  test.each([1, 2, 3, 4, 5])("may rate with %d", (rating) => {
    expect(create({ tourId, rating })).toEqual({ tourId, rating });
  });

  test.each(KEPT_COMMENTS)("keeps a comment exactly: %s", (_, comment) => {
    expect(create({ tourId, rating: 5, comment })).toEqual({ tourId, rating: 5, comment });
  });

  test.each([
    ["absent", {}],
    ["null", { comment: null }],
    ["empty", { comment: "" }],
  ])("has no comment when it is %s", (_, comment) => {
    expect(create({ tourId, rating: 5, ...comment }).comment ?? null).toBeNull();
  });

  it("has what UTF-8 can hold of a comment", () => {
    const { comment } = create({ tourId, rating: 5, comment: "lone \ud83e surrogate" });
    expect(comment).toBe("lone \ufffd surrogate");
  });

  it("drops what is not the client's to set", () => {
    const fields = { id: tourId, userId: tourId, createdAt: "2001-01-01T00:00:00.000Z", $set: {} };
    expect(create({ tourId, rating: 5, ...fields })).toEqual({ tourId, rating: 5 });
  });

  test.each([
    ["nothing", {}],
    ["no rating", { tourId }],
    ["no tourId", { rating: 5 }],
    ["tourId empty", { tourId: "", rating: 5 }],
    ["tourId null", { tourId: null, rating: 5 }],
    ["tourId 0", { tourId: 0, rating: 5 }],
    ["tourId false", { tourId: false, rating: 5 }],
    ["rating 0", { tourId, rating: 0 }],
    ["rating -0", { tourId, rating: -0 }],
    ["rating null", { tourId, rating: null }],
    ["rating false", { tourId, rating: false }],
    ["rating empty", { tourId, rating: "" }],
  ])("2. misses a field with %s", (_, body) => {
    expect(refusal(create, body)).toEqual([400, MISSING]);
  });

  test.each(NO_OBJECTS)("2. counts as an empty one when it is %s", (_, body) => {
    expect(refusal(create, body)).toEqual([400, MISSING]);
  });

  test.each(BAD_RATINGS)("3. may not rate with %s", (_, rating) => {
    expect(refusal(create, { tourId, rating })).toEqual([400, BAD_RATING]);
  });

  test.each(REFUSED_COMMENTS)("3a. may not have a comment of %s", (_, comment, error) => {
    expect(refusal(create, { tourId, rating: 5, comment })).toEqual([400, error]);
  });
});

describe("the body of an edit", () => {
  test.each([
    ["the rating alone", { rating: 2 }, { rating: 2 }],
    ["the comment alone", { comment: "new" }, { comment: "new" }],
    ["both", { rating: 1, comment: "new" }, { rating: 1, comment: "new" }],
    ["an empty comment", { comment: "" }, { comment: null }],
    ["no comment", { comment: null }, { comment: null }],
  ])("may hold %s", (_, body, expected) => {
    expect(update(body)).toEqual(expected);
  });

  test.each(KEPT_COMMENTS)("keeps a comment exactly: %s", (_, comment) => {
    expect(update({ comment })).toEqual({ comment });
  });

  test.each([
    ["nothing", {}],
    ["unknown fields only", { tourId, createdAt: 0, Rating: 5, id: "x" }],
    ...NO_OBJECTS,
  ])("2. changes nothing with %s", (_, body) => {
    expect(refusal(update, body)).toEqual([400, NOTHING]);
  });

  test.each([
    ...BAD_RATINGS,
    ["null", null] as const,
    ["0", 0] as const,
    ["false", false] as const,
    ["empty", ""] as const,
  ])("3. may not rate with %s, even beside a good comment", (_, rating) => {
    for (const body of [{ rating }, { rating, comment: "good" }])
      expect(refusal(update, body)).toEqual([400, BAD_RATING]);
  });

  test.each(REFUSED_COMMENTS)("3a. may not have a comment of %s", (_, comment, error) => {
    for (const body of [{ comment }, { rating: 1, comment }])
      expect(refusal(update, body)).toEqual([400, error]);
  });
});
