import { describe, expect, it } from "vitest";
import {
  isMet,
  isSame,
  measure,
  median,
  ratioOf,
  type Row,
  toMarkdown,
  withResults,
} from "../../../scripts/bench/measure";

describe("the arithmetic of npm run bench", () => {
  it("takes the middle value, or the mean of the two in the middle", () => {
    expect(median([9, 1, 4])).toBe(4);
    expect(median([9, 1, 4, 2])).toBe(3);
    expect(median([])).toBeNaN();
  });

  it("takes the median of the rounds' ratios, not the ratio of their medians", () => {
    // A machine that was slow in the second round was slow for both.
    expect(ratioOf([10, 2, 12], [5, 1, 8])).toBe(2);
  });

  it("holds a ratio against its bound, which may be reached", () => {
    expect([0.74, 0.75, 0.76].map((ratio) => isMet(ratio, { min: 0.75 }))).toEqual([
      false,
      true,
      true,
    ]);
    expect([1.39, 1.4, 1.41].map((ratio) => isMet(ratio, { max: 1.4 }))).toEqual([
      true,
      true,
      false,
    ]);
    expect(isMet(NaN, { min: 1 })).toBe(false);
    expect(isMet(NaN, { max: 1 })).toBe(false);
  });

  it("calls two copies the same from 0.95 to 1.05", () => {
    expect([0.95, 1, 1.05].every(isSame)).toBe(true);
    expect([0.949, 1.051, NaN].some(isSame)).toBe(false);
  });
});

/** Programs that return these values one after another. */
const row = (times: Record<string, number[]>, calls: string[] = []): Row => ({
  what: "a page",
  unit: "ms",
  programs: Object.fromEntries(
    Object.entries(times).map(([name, values]) => [
      name,
      () => {
        calls.push(name);
        return Promise.resolve(values.shift()!);
      },
    ]),
  ),
  ratios: [{ of: "a", to: "b", bound: { max: 1 } }, { of: "a" }],
});

describe("the rounds of npm run bench", () => {
  it("are interleaved, in an order that changes, after one that does not count", async () => {
    const calls: string[] = [];
    const three = { a: [70, 1, 4, 4], b: [70, 2, 2, 8], c: [70, 9, 9, 9] };
    const { values } = await measure(row(three, calls), 3);
    expect(calls.join("")).toBe("abcabcbcacab");
    expect(values).toEqual({ a: [1, 4, 4], b: [2, 2, 8], c: [9, 9, 9] });
  });
});

describe("the document of npm run bench", () => {
  it("has a table that says whether each bound is met", async () => {
    const result = { ...row({}), values: { a: [3], b: [2] } };
    expect((await toMarkdown("About", [result])).split("\n")).toEqual([
      "About",
      "",
      "| what   | measured          | ratio       | bound     | met    |",
      "| ------ | ----------------- | ----------- | --------- | ------ |",
      "| a page | a 3.00, b 2.00 ms | a / b: 1.50 | 1 or less | **no** |",
      "|        |                   | a: 3.00     |           |        |",
      "",
    ]);
  });

  it("has the results of one engine replaced, and keeps the others", () => {
    const section = (engine: string, text: string) =>
      `<!-- results: ${engine} -->\n\n${text}\n\n<!-- end of results -->`;
    const before = `# Performance\n\n${section("python", "old")}\n\n${section("rs", "other")}\n`;
    expect(withResults(before, "python", "new\n")).toBe(before.replace("old", "new"));
    expect(withResults(before, "rs", "new\n")).toBe(before.replace("other", "new"));
    expect(() => withResults(before, "mongodb", "new")).toThrow("results: mongodb");
  });
});
