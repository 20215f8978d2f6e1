import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { chooseCover, withDifferentCovers } from "~/tours/cover-theme.server";
import { NEAR, SCENES, SUBJECTS } from "~/tours/cover-words.server";

const idOf = (n: number) => n.toString(16).padStart(24, "0");

const tour = (title: string, { n = 0, location = null as string | null } = {}) =>
  chooseCover({ id: idOf(n), title, location });

const themeOf = (cover: string) => cover.split("-")[0];

describe("a tour's cover", () => {
  test.each([
    ["Sailing to the islands", "sail"],
    ["Via Ferrata above the lake", "climb"],
    ["A night in the bakery", "bread"],
    ["Market morning and a cooking lunch", "market"],
    ["Rock pools at low tide", "beach"],
    ["First time on rock", "climb"],
    ["E-Bikes along the old railway", "bike"],
    ["Swimming under waterfalls", "waterfall"],
    ["A trek over the hills", "hike"],
    ["Höhlenwanderung", "cave"],
    ["Kräuterwanderung", "hike"],
    ["Klettern für Kinder", "climb"],
    ["Visite du château", "castle"],
    ["Cata de vinos", "wine"],
    ["Giro in bicicletta al mare", "bike"],
  ])("shows what its title says: %s, %s", (title, theme) => {
    expect(themeOf(tour(title))).toBe(theme);
  });

  it("shows what its place says where the title says nothing", () => {
    expect(themeOf(tour("With Ada", { location: "Lago di Garda" }))).toBe("kayak");
    expect(themeOf(tour("Vineyards", { location: "Lago di Garda" }))).toBe("vineyard");
  });

  it("is one of different themes where nothing says anything", () => {
    const covers = Array.from({ length: 40 }, (_, n) => tour("東京タワー", { n }));
    expect(new Set(covers.map(themeOf)).size).toBeGreaterThan(3);
    expect(tour("東京タワー", { n: 7 })).toBe(covers[7]);
  });
});

describe("the covers of a page", () => {
  const cards = (titles: string[]) =>
    titles.map((title, n) => ({ cover: tour(title, { n: n * n }), picture: null }));
  const shown = (tours: { cover: string; picture: object | null }[]) =>
    withDifferentCovers(tours).map(({ cover }) => cover);

  it.each(["Sailing", "Wine", "Safari", "Meet Maria"])(
    "are no drawing twice, and none beside one of its theme, of twelve tours: %s",
    (title) => {
      const covers = shown(cards(Array.from({ length: 12 }, () => title)));
      expect(new Set(covers).size).toBe(12);
      expect(covers.some((cover, n) => themeOf(cover) === themeOf(covers[n + 1] ?? ""))).toBe(
        false,
      );
      const drawings = covers.map((cover) => readFileSync(`public/covers/${cover}.svg`, "utf8"));
      expect(new Set(drawings).size).toBe(12);
    },
  );

  it("are those of the tours' own pages as far as they differ", () => {
    const tours = cards(["Sailing", "Wine", "Climbing", "Market", "By train", "Sailing"]);
    expect(shown(tours)).toEqual(tours.map(({ cover }) => cover));
    const [first, second, ...others] = shown([tours[0]!, tours[0]!, ...tours.slice(1, 5)]);
    expect([first, ...others]).toEqual(tours.slice(0, 5).map(({ cover }) => cover));
    expect(themeOf(second!)).toBe("harbour");
  });

  it("do not count tours with a picture of their own", () => {
    const tours = [
      { cover: "sail-0", picture: {} },
      { cover: "sail-0", picture: null },
    ];
    expect(shown(tours)).toEqual(["sail-0", "sail-0"]);
  });
});

describe("a theme", () => {
  const themes = [SUBJECTS, SCENES, NEAR].flatMap((words) => Object.keys(words));
  const near = Object.values(NEAR).flatMap((words) => words.split(" "));

  it.each([...new Set([...themes, ...near])])(
    "has four small drawings, and others near to it: %s",
    (theme) => {
      expect(NEAR[theme]).toMatch(/^\w+( \w+)+$/);
      const drawings = [0, 1, 2, 3].map((n) => readFileSync(`public/covers/${theme}-${n}.svg`));
      expect(new Set(drawings.map(String)).size).toBe(4);
      for (const { length } of drawings) expect(length).toBeLessThan(3_600);
    },
  );
});
