// Bodies of requests that write reviews, good and bad, by what they are.

/** The values that a comment may have, in both operations that accept one. */
export const KEPT_COMMENTS: [string, string][] = [
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

/** Bodies that are not a JSON object, as they are sent: they count as an empty object. */
export const NO_OBJECTS: [string, string][] = [
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
];
