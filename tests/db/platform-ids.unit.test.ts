import { expect, it } from "vitest";
import { platformId } from "~/db/platform-ids.server";

// The vectors of docs/adopt.md, Your ids: a platform computes them, too, so they never change.
it.each([
  ["6a0000000000000000000001", "6a0000000000000000000001"],
  ["6A00000000000000000000FF", "6a00000000000000000000ff"],
  ["17", "f5113daf230f6454d79ea99e"],
  [17, "f5113daf230f6454d79ea99e"],
  ["550e8400-e29b-41d4-a716-446655440000", "90775e82378f16e76204c04f"],
  ["user:ann@lagoon", "bfa52f5e596c6960c24d2be2"],
  ["日本", "432c4ff4670e1c03705c9c10"],
])("%j is stored as %s", (id, stored) => {
  expect(platformId(id)).toBe(stored);
});

it("takes 1 to 255 characters in one line, and tells every text from every other", () => {
  for (const id of [
    "",
    "x".repeat(256),
    "😀".repeat(256),
    "a\nb",
    "a\0",
    "\ud800",
    null,
    {},
    1.5,
    2 ** 60,
  ])
    expect(platformId(id)).toBeNull();
  const texts = ["x".repeat(255), "😀".repeat(255), " ", "a", "A", "a ", "é", "e\u0301", "6a", "0"];
  const ids = texts.map(platformId);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{24}$/);
  expect(new Set(ids).size).toBe(texts.length);
});
