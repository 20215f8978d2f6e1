import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { GUARDS } from "../../faults/guards";

// `npm run test:faults` takes minutes to find out what is out of date; this takes none.

describe.each(GUARDS)("the guard $name", ({ file, text, without, test }) => {
  it("stands once in its file, and would be taken away", () => {
    expect(readFileSync(file, "utf8").split(text)).toHaveLength(2);
    expect(without).not.toBe(text);
  });

  it("has its test, once, under that name", () => {
    expect(readFileSync(test.file, "utf8").split(test.name)).toHaveLength(2);
  });
});
