import { beforeAll, expect, test } from "vitest";
import { routeOf, setRoutes } from "~/server/guard/page-methods.server";

const route = (id: string, path: string, parentId?: string) => ({ id, path, parentId }) as never;
beforeAll(() =>
  setRoutes({
    root: route("root", ""),
    "routes/tours.$slug": route("routes/tours.$slug", "tours/:slug", "root"),
    "routes/reviews.$id.edit": route("routes/reviews.$id.edit", "reviews/:id/edit", "root"),
    "routes/$": route("routes/$", "*", "root"),
  }),
);

test.each([
  ["/tours/a", "/tours/:slug"],
  ["/Tours/b.data", "/tours/:slug"],
  ["/tours/edit", "/tours/:slug"],
  ["/reviews/1/edit", "/reviews/:id/edit"],
  ["/nope/x", "/*"],
  ["/build/nope.js", "/build/*"],
  [`/tours${"/a".repeat(3_700)}`, "/*"],
])("%.40s is of the route %s", (path, pattern) => {
  expect(routeOf(path)).toBe(pattern);
});
