import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { failureOf, writeOnceAMinute, writeRepeated } from "~/infra/repeated-lines.server";

const MINUTE = 60_000;

/** What was written, in order: a number is how many repetitions the line stands for. */
let written: [string, number | undefined][];
const fail = (key: string) => writeOnceAMinute(key, (repeated) => written.push([key, repeated]));

beforeEach(() => {
  vi.useFakeTimers();
  written = [];
});
afterEach(() => {
  writeRepeated();
  vi.useRealTimers();
});

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
  });

  it("is not lost when the process ends", () => {
    for (let n = 0; n < 3; n++) fail("a");
    writeRepeated();
    expect(written.at(-1)).toEqual(["a", 2]);
  });
});

describe("a failure is the same", () => {
  const thrown = (message: string) => new Error(message);
  const elsewhere = (message: string) => new Error(message);

  it("whatever numbers and ids its error names, by message and place", () => {
    const first = failureOf(
      { err: thrown("no answer in 2000 ms from 65f0c0ffee65f0c0ffee1234") },
      "x",
    );
    expect(
      failureOf({ err: thrown("no answer in 31 ms from 65f0c0ffee65f0c0ffee4321") }, "x"),
    ).toBe(first);
    expect(
      failureOf({ err: thrown("no answer in 2000 ms from 65f0c0ffee65f0c0ffee1234") }, "y"),
    ).not.toBe(first);
    expect(
      failureOf({ err: elsewhere("no answer in 2000 ms from 65f0c0ffee65f0c0ffee1234") }, "x"),
    ).not.toBe(first);
    expect(failureOf({ err: thrown("refused") }, "x")).not.toBe(first);
  });
});
