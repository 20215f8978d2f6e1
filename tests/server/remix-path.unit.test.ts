import { describe, expect, test } from "vitest";
import { queryOf, remixPathOf } from "~/server/guard/remix-path.server";

describe("a path", () => {
  test.each([
    "/",
    "/build/routes/tours.$slug-XXXXXXXX.js",
    `/tours/${encodeURIComponent("京".repeat(900))}`,
    `/tours/${"a%2F".repeat(500)}`,
    "/a/b/c/d/e/f/g/h/i/j/k/l",
  ])("%.40s stays as it is", (path) => {
    expect(remixPathOf(path, false)).toBe(path);
  });

  test.each(["/a/b/c/d/e/f/g/h/i/j/k/l/m", `/${"a".repeat(8_192)}`])(
    "%.40s is beyond the bounds",
    (path) => {
      expect(remixPathOf(path, false)).toBe("/errors/404/-");
      expect(remixPathOf(`${path}.data`, false)).toBe("/errors/404/-.data");
    },
  );
});

test("a query names no route that would answer in place of the path's own", () => {
  expect(queryOf(new URLSearchParams("_data=root&q=a&_data=x"))).toBe("?q=a");
  expect(queryOf(new URLSearchParams("_data=root"))).toBe("");
});
