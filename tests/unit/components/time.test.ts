import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

// A time is a box of its own: a full stop behind it could stand on the next line.

it("no punctuation follows a time outside of its element", () => {
  const found = readdirSync("app", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".tsx"))
    .flatMap((file) => {
      const text = readFileSync(join("app", file), "utf8");
      return [...text.matchAll(/<Time\s[^<]*?\/>\s*([.,;]|\{"[.,;:])/g)].map(
        ([part]) => `${file}: ${part}`,
      );
    });
  expect(found).toEqual([]);
});
