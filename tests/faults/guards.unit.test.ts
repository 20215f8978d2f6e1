import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { GUARDS, testsWith, withoutGuard } from "./guards";

// `npm run test:faults` takes minutes to find out what is out of date; this takes none.

describe.each(GUARDS)("the guard $name", (guard) => {
  it("stands once in its file, and would be taken away", () => {
    const source = readFileSync(guard.file, "utf8");
    expect(withoutGuard(guard, source)).not.toBe(source);
  });

  it("has its test under that name", () => {
    expect(testsWith(guard.test)).not.toEqual([]);
  });
});
