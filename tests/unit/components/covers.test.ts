import { describe, expect, it, test } from "vitest";
import { drawCover } from "~/components/covers/cover-drawing.server";
import {
  coverOf,
  coversOf,
  COVER_THEMES,
  COVERS_PER_THEME,
} from "~/services/tours/cover-theme.server";

const tour = (fields: { id?: string; title?: string; location?: string; description?: string }) =>
  coverOf({
    ...{ id: "0".repeat(24), title: "Untitled tour", location: null, description: "" },
    ...fields,
  });
const themeOf = (fields: Parameters<typeof tour>[0]) => tour(fields).split("-")[0];

describe("a tour's cover", () => {
  test.each([
    ["Sailing to the islands", "sea"],
    ["Market morning and a cooking lunch", "food"],
    ["Three cellars and their wines", "vineyard"],
    ["The old streets and squares", "town"],
    ["Seven palaces", "past"],
    ["First time climbing", "rock"],
    ["Birdwatching for beginners", "wildlife"],
    ["Swimming under waterfalls, by canoe", "river"],
    ["Foraging for mushrooms", "forest"],
    ["Stargazing at midnight", "night"],
    ["Hundred bends by bicycle", "ride"],
    ["A trek over two ridges", "hills"],
    ["Tour 17", "hills"],
    ["東京タワー", "hills"],
  ])("shows what its title says: %s, %s", (title, theme) => {
    expect(themeOf({ title })).toBe(theme);
  });

  it("goes by the place and the description, too, the title first of all", () => {
    expect(themeOf({ location: "Crab Bay" })).toBe("sea");
    expect(themeOf({ description: "Bring your own BIKE." })).toBe("ride");
    expect(themeOf({ location: "Crab Bay", description: "By bike." })).toBe("sea");
    expect(
      themeOf({ title: "Castle walk", location: "Bay", description: "The beach, the sea." }),
    ).toBe("past");
  });

  it("gets its number from the id, the same each time", () => {
    const id = "0123456789abcdef01234567";
    expect(tour({ id, title: "By boat" })).toBe(tour({ id, title: "By boat" }));
    const ids = Array.from({ length: 2 * COVERS_PER_THEME }, (_, n) =>
      n.toString(16).padStart(24, "0"),
    );
    expect(new Set(ids.map((one) => tour({ id: one }))).size).toBe(COVERS_PER_THEME);
  });
});

describe("the covers of tours beside each other", () => {
  const card = (n: number, title: string, image: string | null = null, description = "") => ({
    ...{ id: n.toString(16).padStart(24, "0"), title, location: null, description, image },
  });
  const themes = (cards: ReturnType<typeof card>[]) =>
    coversOf(cards).map((name) => name.split("-")[0]);

  it("have no theme more than twice among nine, and the best one as long as it may be", () => {
    const found = themes(Array.from({ length: 40 }, (_, n) => card(n, "By boat")));
    for (let from = 0; from <= found.length - 9; from++) {
      const nine = found.slice(from, from + 9);
      for (const theme of nine)
        expect(nine.filter((other) => other === theme).length).toBeLessThanOrEqual(2);
    }
    expect(found.slice(0, 3)).toEqual(["sea", "sea", "hills"]);
    expect(themes([card(1, "By boat"), card(2, "Two cellars and their wines")])).toEqual([
      "sea",
      "vineyard",
    ]);
  });

  it("go on with what else the tour is about", () => {
    const boats = [1, 2, 3].map((n) => card(n, "By boat", null, "With lunch."));
    expect(themes(boats)).toEqual(["sea", "sea", "food"]);
  });

  it("do not count tours with a picture of their own", () => {
    const boats = [1, 2, 3].map((n) => card(n, "By boat", n < 3 ? "https://a.test/b.jpg" : null));
    expect(themes(boats)).toEqual(["sea", "sea", "sea"]);
  });
});

describe("a drawing", () => {
  const names = COVER_THEMES.flatMap((theme) =>
    Array.from({ length: COVERS_PER_THEME }, (_, n) => `${theme}-${n}`),
  );

  it("is there for every cover, small and whole, and hardly two are alike", () => {
    const drawings = names.map((name) => drawCover(name)!);
    for (const drawing of drawings) {
      expect(drawing).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" .*<\/svg>$/);
      expect(drawing).not.toMatch(/NaN|undefined|Infinity|style|script/);
      expect(drawing.length).toBeLessThan(5_000);
    }
    expect(new Set(drawings).size).toBeGreaterThan(0.95 * names.length);
    expect(drawCover(names[0]!)).toBe(drawings[0]);
  });

  it.each(["sea", "sea-24", "sea-01", "sea--1", "moon-1", "toString-1", "sea-1.svg", ""])(
    "is none for %j",
    (name) => {
      expect(drawCover(name)).toBeNull();
    },
  );
});
