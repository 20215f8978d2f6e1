import { existsSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { coverOf, coversOf } from "~/tours/cover-theme.server";

const tour = (fields: { id?: string; title?: string; location?: string; description?: string }) =>
  coverOf({
    id: "0".repeat(24),
    title: "Untitled tour",
    location: null,
    description: "",
    ...fields,
  });
const themeOf = (fields: Parameters<typeof tour>[0]) => tour(fields).split("-")[0];

describe("a tour's cover", () => {
  test.each([
    ["Sailing to the islands", "sea"],
    ["Market morning and a cooking lunch", "food"],
    ["First time climbing", "rock"],
    ["Swimming under waterfalls, by canoe", "river"],
    ["A trek over two ridges", "hills"],
    ["東京タワー", "hills"],
  ])("shows what its title says: %s, %s", (title, theme) => {
    expect(themeOf({ title })).toBe(theme);
    for (const id of ["0", "1", "2", "3"])
      expect(existsSync(`public/covers/${tour({ id, title })}.svg`)).toBe(true);
  });
});

describe("the covers of tours beside each other", () => {
  const card = (n: number, title: string, picture: object | null = null) => ({
    id: n.toString(16).padStart(24, "0"),
    title,
    location: null,
    description: "",
    picture,
  });

  it("are no drawing twice among four, and all of the tours' theme", () => {
    const boats = coversOf(Array.from({ length: 40 }, (_, n) => card(n * n, "By boat")));
    for (let from = 0; from <= boats.length - 4; from++)
      expect(new Set(boats.slice(from, from + 4)).size).toBe(4);
    expect(boats.every((cover) => cover.startsWith("sea-"))).toBe(true);
  });

  it("do not count tours with a picture of their own", () => {
    const boats = [card(4, "By boat", {}), card(8, "By boat")];
    expect(coversOf(boats)).toEqual(["sea-0", "sea-0"]);
  });
});
