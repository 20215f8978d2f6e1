import type { EntryContext } from "@remix-run/node";
import { matchRoutes } from "@remix-run/react";
import { maskLinksBelow } from "~/infra/log.server";
import { shared } from "~/server/reloads.server";

type Routes = EntryContext["manifest"]["routes"];
type RouteTree = Parameters<typeof matchRoutes>[0];

export interface KnownRoutes {
  routes: Routes;
  tree: RouteTree;
  /** The segments of their paths that are not parameters. */
  names: Set<string>;
  /** The paths below which a secret follows, such as `me/address`: of every route with a parameter `token`. */
  secretPaths: string[];
  patterns: Map<string, string>;
}
const NONE: KnownRoutes = {
  routes: {},
  tree: [],
  names: new Set(),
  secretPaths: [],
  patterns: new Map(),
};

/** Tells this module, and the log, which routes there are. */
export function setRoutes(routes: Routes): void {
  const childrenOf = (parent?: string): RouteTree =>
    Object.values(routes)
      .filter(({ parentId }) => parentId === parent)
      .map(({ id, path, index, caseSensitive }) =>
        index
          ? { id, path, index, caseSensitive }
          : { id, path, caseSensitive, children: childrenOf(id) },
      );
  const segments = Object.values<{ path?: string | undefined }>(routes).flatMap(({ path = "" }) =>
    path.split("/"),
  );
  const names = new Set(segments.filter((segment) => /^[^:*]/.test(segment)));
  const pathOf = ({ parentId, path = "" }: Routes[string]): string =>
    parentId ? `${pathOf(routes[parentId]!)}/${path}` : path;
  const open = Object.values(routes).flatMap((route) => {
    const [before, token] = pathOf(route).split("/:token");
    return token === undefined ? [] : [before!.split("/").filter(Boolean).join("/")];
  });
  const secretPaths = [...new Set(open)];
  maskLinksBelow(secretPaths);
  shared.pages = { routes, tree: childrenOf(), names, secretPaths, patterns: new Map() };
}

/** The paths below which a secret follows, without a slash at either end. Anybody who knows such an address can act for the person that it was sent to. */
export const secretPaths = () => (shared.pages ?? NONE).secretPaths;

/**
 * The methods of the page, form or file at that path, for `Allow` (docs/rules/requests.md, Errors): POST only where
 * Remix finds a route with an action.
 */
export function methodsOfPage(path: string): string[] {
  const page = path.replace(/\.data$/, "").replace(/^\/_root$/, "/");
  const { routes, tree } = shared.pages ?? NONE;
  const route = routes[matchRoutes(tree, page)?.at(-1)?.route.id ?? ""];
  return route?.hasAction ? ["GET", "HEAD", "POST"] : ["GET", "HEAD"];
}

/** No route has more segments than this. Every longer path leads to the same one. */
export const DEEPEST = 4;

/** A path that matches the same route as this one, with a dash for everything that a visitor may choose. */
function kindOfPath(path: string): string {
  const { names } = shared.pages ?? NONE;
  const segments = path.split("/", 64).filter(Boolean).slice(0, DEEPEST);
  const known = segments.map((name) => (names.has(name.toLowerCase()) ? name.toLowerCase() : "-"));
  return `/${known.join("/")}`;
}

/** Strangers ask for paths of many kinds. */
const MOST_PATTERNS = 1_000;

/** The pattern of the route at that path, such as `/tours/:slug`, or `/*` without a route. */
export function routeOf(path: string): string {
  if (path.startsWith("/build/")) return "/build/*";
  const page = path.replace(/\.data$/, "").replace(/^\/_root$/, "/");
  const { tree, patterns } = shared.pages ?? NONE;
  const kind = kindOfPath(page);
  let pattern = patterns.get(kind);
  if (pattern === undefined) {
    const found = matchRoutes(tree, kind)?.flatMap(({ route }) => route.path || []);
    pattern = `/${found?.join("/") ?? "*"}`;
    if (patterns.size >= MOST_PATTERNS) patterns.clear();
    patterns.set(kind, pattern);
  }
  return pattern;
}
