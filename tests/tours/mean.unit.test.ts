import { describe, expect, it, test } from "vitest";
import { shownMean } from "~/ui/stars";
import { hoursInWords } from "~/ui/time";

describe("a mean to one decimal", () => {
  it("is what exact arithmetic says, for every sum of up to 200 ratings and of some larger numbers", () => {
    const wrong: string[] = [];
    for (const count of [...Array(200).keys()].map((n) => n + 1).concat(2_000, 9_980, 20_000))
      for (let sum = count; sum <= 5 * count; sum += 1) {
        // Half up, in whole numbers: tenths = floor(10 * sum / count + 1 / 2).
        const tenths = Math.floor((20 * sum + count) / (2 * count));
        const exact = sum < 5 * count ? Math.min(tenths, 49) : tenths;
        const shown = shownMean(sum / count);
        if (shown !== `${Math.floor(exact / 10)}.${exact % 10}`)
          wrong.push(`${sum}/${count}: ${shown}`);
      }
    expect(wrong).toEqual([]);
  });

  test.each([4.95, 4.96, 4.99, 499_999_999 / 100_000_000])("of %f is not 5.0", (mean) => {
    expect(shownMean(mean)).toBe("4.9");
  });
});

test("a mean to two decimals is exact as well, and 5.00 only where every rating is a 5", () => {
  // As binary numbers: 1.0049999999999999 and 4.999.
  expect([1.005, 4.345, 4.999, 5].map((mean) => shownMean(mean, 2))).toEqual([
    "1.01",
    "4.35",
    "4.99",
    "5.00",
  ]);
});

test.each([
  [0.2, "under 1 min"],
  [1, "1 min"],
  [59.7, "1 hour"],
  [90, "1.5 hours"],
])("%f minutes are %s", (minutes, words) => {
  expect(hoursInWords(minutes)).toBe(words);
});
