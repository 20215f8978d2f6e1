import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { failureOf, writeOnceAMinute, writeRepeated } from "~/lib/repeated-lines.server";

const MINUTE = 60_000;

/** What was written, in order: a number is how many repetitions the line stands for. */
let written: [string, number | undefined][];
const fail = (key: string) => writeOnceAMinute(key, (repeated) => written.push([key, repeated]));

beforeEach(() => {
  vi.useFakeTimers();
  written = [];
});
afterEach(writeRepeated);

describe("a failure that repeats itself", () => {
  it("is written at once, and then once a minute with how often it came", () => {
    for (let n = 0; n < 5; n++) fail("a");
    expect(written).toEqual([["a", undefined]]);
    vi.advanceTimersByTime(MINUTE);
    expect(written).toEqual([
      ["a", undefined],
      ["a", 4],
    ]);
    for (let n = 0; n < 3; n++) fail("a");
    expect(written).toHaveLength(2);
    vi.advanceTimersByTime(MINUTE);
    expect(written.slice(2)).toEqual([["a", 3]]);
    // None is lost when the process ends.
    for (let n = 0; n < 2; n++) fail("a");
    writeRepeated();
    expect(written.at(-1)).toEqual(["a", 2]);
  });
});

it("is the same failure whatever numbers and ids its error names, by message and place", () => {
  const thrown = (message: string) => new Error(message);
  const elsewhere = (message: string) => new Error(message);
  const [one, other] = [
    "in 2000 ms of 65f0c0ffee65f0c0ffee1234",
    "in 3 ms of 65f0c0ffee65f0c0ffee4321",
  ];
  const first = failureOf({ err: thrown(one) }, "x");
  expect(failureOf({ err: thrown(other) }, "x")).toBe(first);
  expect(failureOf({ err: thrown(one) }, "y")).not.toBe(first);
  expect(failureOf({ err: elsewhere(one) }, "x")).not.toBe(first);
  expect(failureOf({ err: thrown("refused") }, "x")).not.toBe(first);
});
