import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

// Files share a worker unless vitest.config.ts lists them: what one of them replaces for good, the next ones would meet.

const FOLDERS = ["tests/services", "tests/store"];
const FOR_GOOD = /\bvi\.(mock|doMock|resetModules)\(|\.dropCollection\(/;

test("a test file that replaces modules or drops collections has a worker of its own", () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  ).filter((file) => file.endsWith(".test.ts"));
  const alone = files.filter((file) => FOR_GOOD.test(readFileSync(file, "utf8")));
  expect(alone.length).toBeGreaterThan(3);
  const listed = readFileSync("vitest.config.ts", "utf8");
  expect(alone.filter((file) => !listed.includes(`"${file.replaceAll("\\", "/")}"`))).toEqual([]);
});
