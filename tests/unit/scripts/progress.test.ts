import { describe, expect, test } from "vitest";
import { progressLine, remainingTime } from "../../../scripts/lib/progress";

describe("the remaining time", () => {
  test("is that of the rest at the present pace", () => {
    const remaining = remainingTime();
    expect(remaining(0, 1_000, 0)).toBeNull();
    expect(remaining(10, 1_000, 1_000)).toBeNull();
    expect(remaining(100, 1_000, 10_000)).toBe(90);
    // From now on ten times as fast: the slow beginning is forgotten.
    for (let second = 11; second <= 60; second++)
      remaining(100 + (second - 10) * 10, 1_000, second * 1_000);
    expect(remaining(610, 1_000, 61_000)).toBeCloseTo(39, 0);
  });
});

describe("the line", () => {
  test.each([
    [0, 200_000, null, "Import ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 0 %"],
    [100_000, 200_000, 3, "Import ███████████████░░░░░░░░░░░░░░░ 50 %, about 5 s left"],
    [100_000, 200_000, 41, "Import ███████████████░░░░░░░░░░░░░░░ 50 %, about 45 s left"],
    [100_000, 200_000, 250, "Import ███████████████░░░░░░░░░░░░░░░ 50 %, about 4 min left"],
    [100_000, 200_000, 9_000, "Import ███████████████░░░░░░░░░░░░░░░ 50 %, about 2.5 h left"],
    [200_000, 200_000, 0, "Import ██████████████████████████████ 100 %"],
    [0, 0, null, "Import ██████████████████████████████ 100 %"],
  ])("of %s of %s with %s s left", (done, total, seconds, line) => {
    expect(progressLine("Import", done, total, seconds)).toBe(line);
  });
});
