import { afterEach, describe, expect, it } from "vitest";
import { cardPath, cardPicture, cardVersion, drawCard } from "~/components/share-card.server";
import { clearCaches } from "~/infra/cache.server";
import { COVER_THEMES } from "~/services/tours/cover-theme.server";

afterEach(clearCaches);

const told = { cover: "sea-3", avgRating: 4.35, reviewCount: 1_088 };
const words = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text);

describe("the card of a tour", () => {
  it("shows its cover, mean, stars and number of reviews", () => {
    const svg = drawCard(told);
    expect(words(svg)).toEqual(["4.4", "1,088 reviews", "Tour Reviews"]);
    // Four stars and 0.35 of the fifth, of 22 and 20 units.
    expect(svg).toContain('<svg width="95" height="20">');
    expect(drawCard({ ...told, cover: "sea-4" })).not.toBe(svg);
  });

  it("tells nothing of what there is not", () => {
    expect(words(drawCard({ ...told, avgRating: 0 }))).toEqual(["1,088 reviews", "Tour Reviews"]);
    expect(words(drawCard({ ...told, avgRating: 0, reviewCount: 0 }))).toEqual(["Tour Reviews"]);
  });

  it.each(COVER_THEMES)(
    "is a PNG of 1200 by 630 with the cover %s, and not large",
    async (theme) => {
      const png = await cardPicture({ ...told, cover: `${theme}-7` });
      expect(png.subarray(1, 4).toString()).toBe("PNG");
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
      expect(png.length).toBeLessThan(100_000);
    },
  );

  it("draws its words", async () => {
    const [one, other] = await Promise.all([
      cardPicture(told),
      cardPicture({ ...told, reviewCount: 1_089 }),
    ]);
    expect(one.equals(other)).toBe(false);
  });

  it("has an address for each of its states", () => {
    const path = (change: Partial<typeof told>) => cardPath({ ...told, slug: "a b", ...change });
    expect(path({})).toBe(`/tours/a%20b/card.png?v=${cardVersion(told)}`);
    const others = [{ cover: "sea-4" }, { avgRating: 4.5 }, { reviewCount: 1_089 }].map(path);
    expect(new Set([path({}), ...others]).size).toBe(4);
  });
});

it("many cards at once are drawn once each, and beyond a bound refused for a while", async () => {
  const cards = Array.from({ length: 60 }, (_, n) => ({ ...told, reviewCount: n }));
  const answers = await Promise.allSettled([...cards, ...cards].map(cardPicture));
  const drawn = answers.slice(0, 60).filter(({ status }) => status === "fulfilled");
  expect(drawn.length).toBeGreaterThanOrEqual(40);
  expect(drawn.length).toBeLessThan(60);
  expect(answers.at(59)).toMatchObject({ reason: { status: 503, retryAfter: 5 } });
  // Who asked at the same time got the same picture.
  expect(answers.slice(60).map(({ status }) => status)).toEqual(
    answers.slice(0, 60).map(({ status }) => status),
  );
  // Later there is room again.
  await expect(cardPicture(cards.at(59)!)).resolves.toBeInstanceOf(Buffer);
}, 60_000);
