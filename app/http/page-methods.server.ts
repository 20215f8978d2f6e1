import type { EntryContext } from "@remix-run/node";
import { matchRoutes } from "@remix-run/react";

/** The routes of the app's build, by their ids. */
type Routes = EntryContext["manifest"]["routes"];
type RouteTree = Parameters<typeof matchRoutes>[0];

// Every load of the app sets them anew, for the guard of the first one, under the development server.
const ROUTES = Symbol.for("tour-reviews.routes");
const shared = globalThis as { [ROUTES]?: { routes: Routes; tree: RouteTree } };

/** Tells `methodsOfPage` which routes there are. */
export function setRoutes(routes: Routes): void {
  const childrenOf = (parent?: string): RouteTree =>
    Object.values(routes)
      .filter(({ parentId }) => parentId === parent)
      .map(({ id, path, index, caseSensitive }) =>
        index
          ? { id, path, index, caseSensitive }
          : { id, path, caseSensitive, children: childrenOf(id) },
      );
  shared[ROUTES] = { routes, tree: childrenOf() };
}

/**
 * The methods of the page, form or file at that path, for `Allow` (docs/rules.md, Errors): POST only
 * where Remix finds a route with an action. A page's data has those of its page.
 */
export function methodsOfPage(path: string): string[] {
  const page = path.replace(/\.data$/, "").replace(/^\/_root$/, "/");
  const { routes, tree } = shared[ROUTES] ?? { routes: {}, tree: [] };
  const route = routes[matchRoutes(tree, page)?.at(-1)?.route.id ?? ""];
  return route?.hasAction ? ["GET", "HEAD", "POST"] : ["GET", "HEAD"];
}
