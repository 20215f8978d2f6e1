import { describe, expect, it } from "vitest";
import { starShares } from "~/tours/summary";

const sharesIn = (counts: string, reviewCount?: number) => {
  const numbers = counts.split(" ").map(Number);
  return starShares(numbers, reviewCount ?? numbers.reduce((sum, count) => sum + count, 0));
};

describe("the shares of the stars", () => {
  it.each<[counts: string, shares: string, reviewCount?: number]>([
    ["0 59 0 1 0", "0% 98% 0% 2% 0%"],
    ["1 1 1 0 0", "33% 33% 33% 0% 0%"],
    ["60 20 5 2 1", "68% 23% 6% 2% 1%"],
    // Few are not nothing, and nearly all not all.
    ["999 1 0 0 0", ">99% <1% 0% 0% 0%"],
    ["49000 996 2 1 1", "98% 2% <1% <1% <1%"],
    // They are those in all reviews, also in those without a rating.
    ["1 0 0 0 0", "25% 0% 0% 0% 0%", 4],
    // Fewer than there are stars, as a platform may say.
    ["3 1 0 0 0", "75% 25% 0% 0% 0%", 1],
  ])("of %s are each rounded on its own: %s", (counts, shares, reviewCount) => {
    const texts = sharesIn(counts, reviewCount)?.map(({ text }) => text);
    expect(texts?.join(" ")).toBe(shares);
  });

  it("are exact as widths, and none where no stars are counted", () => {
    expect(sharesIn("1 0 0 0 0", 3)![0]!.width).toBeCloseTo(33.333, 3);
    expect(sharesIn("0 0 0 0 0", 9)).toBeNull();
  });
});
