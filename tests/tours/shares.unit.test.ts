import { describe, expect, it } from "vitest";
import { sharesOf } from "~/tours/shares";

const texts = (counts: number[], reviewCount = counts.reduce((sum, count) => sum + count, 0)) =>
  sharesOf(counts, reviewCount)?.map(({ text }) => text);

describe("the shares of the stars", () => {
  it.each([
    [
      [0, 59, 0, 1, 0],
      ["0%", "98%", "0%", "2%", "0%"],
    ],
    [
      [1, 1, 1, 0, 0],
      ["33%", "33%", "33%", "0%", "0%"],
    ],
    [
      [60, 20, 5, 2, 1],
      ["68%", "23%", "6%", "2%", "1%"],
    ],
    [
      [1, 1, 1, 1, 3],
      ["14%", "14%", "14%", "14%", "43%"],
    ],
    [
      [7, 0, 0, 0, 0],
      ["100%", "0%", "0%", "0%", "0%"],
    ],
  ])("of %j are each rounded on its own", (counts, expected) => {
    expect(texts(counts)).toEqual(expected);
  });

  it("of few are not nothing, and of nearly all not all", () => {
    expect(texts([999, 1, 0, 0, 0])).toEqual([">99%", "<1%", "0%", "0%", "0%"]);
    expect(texts([199, 1, 0, 0, 0])).toEqual([">99%", "1%", "0%", "0%", "0%"]);
    expect(texts([49_000, 996, 2, 1, 1])).toEqual(["98%", "2%", "<1%", "<1%", "<1%"]);
  });

  it("are those in all reviews, also in those without a rating", () => {
    expect(texts([1, 0, 0, 0, 0], 4)).toEqual(["25%", "0%", "0%", "0%", "0%"]);
    expect(sharesOf([1, 0, 0, 0, 0], 3)![0]!.width).toBeCloseTo(33.333, 3);
    // Fewer than there are stars, as a platform may say.
    expect(texts([3, 1, 0, 0, 0], 1)).toEqual(["75%", "25%", "0%", "0%", "0%"]);
  });

  it("are none where no stars are counted", () => {
    expect(sharesOf([0, 0, 0, 0, 0], 9)).toBeNull();
  });
});
