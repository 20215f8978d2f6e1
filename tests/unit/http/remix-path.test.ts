import { beforeAll, describe, expect, it, test } from "vitest";
import { setRoutes } from "~/http/page-methods.server";
import { queryOf, remixPathOf } from "~/http/remix-path.server";

describe("a path", () => {
  test.each([
    "/",
    "/tours/old-town-walk",
    "/reviews/65f0c0ffee65f0c0ffee65f0/edit",
    "/build/routes/tours.$slug-XXXXXXXX.js",
    `/tours/${encodeURIComponent("京".repeat(900))}`,
    `/tours/${encodeURIComponent("جولة-".repeat(150))}.data`,
    `/tours/${"a%2F".repeat(500)}`,
    "/a/b/c/d/e/f/g/h/i/j/k/l",
  ])("%.40s stays as it is", (path) => {
    expect(remixPathOf(path, false)).toBe(path);
  });

  test.each([
    "/a/b/c/d/e/f/g/h/i/j/k/l/m",
    "/a".repeat(7_500),
    "/".repeat(7_500),
    `/${"a".repeat(8_192)}`,
  ])("%.40s is beyond the bounds", (path) => {
    expect(remixPathOf(path, false)).toBe("/errors/404/-");
    expect(remixPathOf(`${path}.data`, false)).toBe("/errors/404/-.data");
  });

  it("of the API has a bound of segments alone", () => {
    expect(remixPathOf(`/api${"/a".repeat(7_500)}`, true)).toBe("/api/-");
    const path = `/api/reviews/${"a".repeat(10_000)}`;
    expect(remixPathOf(path, true)).toBe(path);
  });
});

describe("the paths of which scripts ask where they lead", () => {
  const route = (id: string, path?: string, parentId?: string) =>
    ({ id, path, parentId, index: !path }) as never;
  beforeAll(() =>
    setRoutes({
      root: route("root", ""),
      "routes/tours.$slug": route("routes/tours.$slug", "tours/:slug", "root"),
      "routes/reviews.$id.edit": route("routes/reviews.$id.edit", "reviews/:id/edit", "root"),
      "routes/$": route("routes/$", "*", "root"),
    }),
  );
  const asked = (...paths: string[]) =>
    new URLSearchParams(
      queryOf(
        "/__manifest",
        new URLSearchParams([...paths.map((p) => ["p", p]), ["version", "1"]]),
      ),
    );

  it("go on to Remix once for each kind", () => {
    const reviews = Array.from({ length: 170 }, (_, n) => `/reviews/${n}/edit`);
    const query = asked("/", "/tours/a", "/Tours/b", "/tours/edit", ...reviews, "/nope/x");
    expect(query.getAll("p")).toEqual([
      ...["/", "/tours/-", "/tours/edit", "/reviews/-/edit", "/-/-"],
    ]);
    expect(query.get("version")).toBe("1");
  });

  it("are bounded in number and in depth", () => {
    expect(asked(`/tours${"/a".repeat(3_700)}`).getAll("p")).toEqual(["/tours/-/-/-"]);
    const names = ["tours", "reviews", "edit", "x"];
    const all = names.flatMap((a) =>
      names.flatMap((b) => names.flatMap((c) => names.map((d) => `/${[a, b, c, d].join("/")}`))),
    );
    const kinds = asked(...all).getAll("p");
    const beginnings = kinds.flatMap((kind) =>
      kind.split("/").map((_, index, segments) => segments.slice(0, index + 1).join("/")),
    );
    expect(new Set(beginnings).size).toBeLessThanOrEqual(65);
  });
});
