import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { GUARDS, withoutGuard } from "./guards";

// `npm run test:faults` takes minutes to find out what is out of date; this takes none.

describe.each(GUARDS)("the guard $name", (guard) => {
  const { file, test } = guard;
  const source = readFileSync(file, "utf8");

  it("stands once in its file, and would be taken away", () => {
    expect(withoutGuard(guard, source)).not.toBe(source);
  });

  it("has its test, once, under that name", () => {
    expect(readFileSync(test[0], "utf8").split(test[1])).toHaveLength(2);
  });
});

it.each([
  "before(); refuse({ a, b }, [c]); after();",
  "before();\nrefuse(\n  {\n    a,\n    b,\n  },\n  [c],\n);\nafter();",
  "before(); refuse({a, b}, [\n c ]\n) ; after();",
])("a guard is found however its file is formatted: %j", (source) => {
  const guard = { ...GUARDS[0]!, code: "refuse({ a, b }, [c]);", without: "accept();" };
  expect(withoutGuard(guard, source)).toMatch(/^before\(\);\saccept\(\);\safter\(\);$/);
});
