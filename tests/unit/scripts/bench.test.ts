import { describe, expect, it, test } from "vitest";
import { isMet, isSame, median, ratioOf } from "../../../scripts/bench/arithmetic";
import { table, withResults } from "../../../scripts/bench/report";
import { measure, measureAll, type Row } from "../../../scripts/bench/row";

describe("the arithmetic of npm run bench", () => {
  it("takes the middle value, or the mean of the two in the middle", () => {
    expect(median([9, 1, 4])).toBe(4);
    expect(median([9, 1, 4, 2])).toBe(3);
    expect(median([])).toBeNaN();
  });

  it("takes the median of the rounds' ratios, not the ratio of their medians", () => {
    // A machine that was slow in the second round was slow for both.
    expect(ratioOf([10, 2, 12], [5, 1, 8])).toBe(2);
    // Of a round that was cut off there is nothing to compare.
    expect(ratioOf([10, 2], [5])).toBe(2);
    expect(ratioOf([], [])).toBeNaN();
  });

  it("holds a ratio against its bound, which may be reached", () => {
    expect([0.74, 0.75, 0.76].map((ratio) => isMet(ratio, { min: 0.75 }))).toEqual([
      ...[false, true, true],
    ]);
    expect([1.39, 1.4, 1.41].map((ratio) => isMet(ratio, { max: 1.4 }))).toEqual([
      ...[true, true, false],
    ]);
    expect(isMet(NaN, { min: 1 })).toBe(false);
    expect(isMet(NaN, { max: 1 })).toBe(false);
  });

  it("calls two copies the same from 0.95 to 1.05", () => {
    expect([0.949, 0.95, 1, 1.05, 1.051, NaN].map(isSame)).toEqual([
      ...[false, true, true, true, false, false],
    ]);
  });
});

describe("the rounds of npm run bench", () => {
  const calls: string[] = [];
  const row = (times: Record<string, number[]>, extra: Partial<Row> = {}): Row => ({
    id: "row",
    what: "what",
    unit: "ms",
    programs: Object.fromEntries(
      Object.entries(times).map(([name, values]) => [
        name,
        () => {
          calls.push(name);
          const value = values.shift();
          return value === undefined
            ? Promise.reject(new Error(`${name} has failed`))
            : Promise.resolve(value);
        },
      ]),
    ),
    figures: [{ what: "a / b", of: "a", to: "b", bound: { max: 1 } }],
    ...extra,
  });

  it("are interleaved, in an order that changes, after one that does not count", async () => {
    calls.length = 0;
    const three = { a: [70, 1, 4, 4], b: [70, 2, 2, 8], c: [70, 9, 9, 9] };
    const result = await measure(row(three), { rounds: 3, end: Infinity });
    expect(calls.join("")).toBe("abcabcbcacab");
    expect(result).toMatchObject({ rounds: 3, medians: { a: 4, b: 2, c: 9 } });
    expect(result.figures).toMatchObject([{ value: 0.5, met: true }]);
  });

  it("end when the time is over, after one in any case", async () => {
    const result = await measure(row({ a: [9, 3], b: [9, 2] }), { rounds: 5, end: 0 });
    expect(result).toMatchObject({ rounds: 1, figures: [{ value: 1.5, met: false }] });
  });

  it("end what they have started when a program fails, and meet nothing", async () => {
    const ended: string[] = [];
    const failing = row(
      { a: [9, 1, 1], b: [9, 2] },
      { done: () => Promise.resolve(void ended.push("done")) },
    );
    const result = await measure(failing, { rounds: 2, end: Infinity });
    expect(result).toMatchObject({ failure: "b has failed", figures: [{ met: false }] });
    expect(ended).toEqual(["done"]);
  });

  it("measure nothing more after the end or a signal", async () => {
    const never = new AbortController();
    const over = { rounds: 1, end: 0, stopped: never.signal };
    const [result] = await measureAll([row({ a: [1], b: [2] })], over);
    expect(result).toMatchObject({ rounds: 0, figures: [{ met: false }] });
    expect(result!.failure).toContain("not measured");
    never.abort(new Error("SIGINT"));
    const rest = measureAll([row({ a: [1], b: [2] })], { ...over, end: Infinity });
    await expect(rest).rejects.toThrow("SIGINT");
  });
});

describe("the document of npm run bench", () => {
  test("a table is aligned", () => {
    expect(
      table([
        ["a", "bound"],
        ["long text", ""],
      ]).split("\n"),
    ).toEqual(["| a         | bound |", "| --------- | ----- |", "| long text |       |"]);
  });

  it("has the results of one engine replaced, and keeps the others", () => {
    const section = (engine: string, text: string) =>
      `<!-- results: ${engine} -->\n\n${text}\n\n<!-- end of results -->`;
    const before = `# Performance\n\n${section("python", "old")}\n\n${section("rs", "other")}\n`;
    expect(withResults(before, "python", "new")).toBe(before.replace("old", "new"));
    expect(withResults(before, "rs", "new")).toBe(before.replace("other", "new"));
    expect(() => withResults(before, "mongodb", "new")).toThrow("results: mongodb");
  });
});
