import { matchRoutes } from "@remix-run/react";
import { type KnownRoute, type KnownRoutes, shared } from "~/server/reloads.server";

type Routes = KnownRoutes["routes"];
type RouteTree = KnownRoutes["tree"];

/** Methods that the Fetch standard's Request and Remix can carry. */
export const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Tells this module which routes there are. */
export function setRoutes(routes: Routes): void {
  const listChildren = (parent?: string): RouteTree =>
    Object.values(routes)
      .filter(({ parentId }) => parentId === parent)
      .map(({ id, path, index, caseSensitive }) =>
        index
          ? { id, path, index, caseSensitive }
          : { id, path, caseSensitive, children: listChildren(id) },
      );
  const toPath = ({ parentId = "", path = "" }: Routes[string]): string => {
    const parent = routes[parentId];
    return parent ? `${toPath(parent)}/${path}` : path;
  };
  const paths = Object.values(routes).map((route) => toPath(route).split("/").filter(Boolean));
  const names = new Set(paths.flat().filter((segment) => /^[^:*]/.test(segment)));
  const secret = paths.filter((path) => path.includes(":token"));
  const secretPaths = [
    ...new Set(secret.map((path) => path.slice(0, path.indexOf(":token")).join("/"))),
  ];
  const tree = listChildren();
  shared.pages = { routes, tree, names, secretPaths, found: new Map() };
}

function getRoutes(): KnownRoutes {
  if (!shared.pages) throw new Error("No routes are known yet");
  return shared.pages;
}

/**
 * The paths below which a secret follows, such as `me/address`: of every route with a parameter `token`. Anybody who
 * knows such an address can act for the person that it was sent to.
 */
export const secretPaths = () => getRoutes().secretPaths;

/** The path of the page whose data a page's scripts ask for; any other as it is. */
const withoutData = (path: string) => path.replace(/\.data$/, "").replace(/^\/_root$/, "/");

/** No route has more segments than this. Every longer path leads to the same one. */
export const DEEPEST = 4;

/** A path that matches the same route as this one, with a dash for everything that a visitor may choose. */
function kindOfPath(path: string): string {
  const { names } = getRoutes();
  const segments = path.split("/", 64).filter(Boolean).slice(0, DEEPEST);
  const known = segments.map((name) => (names.has(name.toLowerCase()) ? name.toLowerCase() : "-"));
  return `/${known.join("/")}`;
}

const MOST_KINDS = 1_000;

/** Finds the route once for all paths of a kind, since Remix ranks all routes at every search. */
function findRoute(path: string): KnownRoute {
  const { routes, tree, found } = getRoutes();
  const kind = kindOfPath(withoutData(path));
  let route = found.get(kind);
  if (!route) {
    const matches = matchRoutes(tree, kind);
    const paths = matches?.flatMap(({ route }) => route.path || []);
    const hasAction = routes[matches?.at(-1)?.route.id ?? ""]?.hasAction ?? false;
    route = { pattern: `/${paths?.join("/") ?? "*"}`, hasAction };
    if (found.size >= MOST_KINDS) found.clear();
    found.set(kind, route);
  }
  return route;
}

/**
 * The methods of the page, form or file at that path, for `Allow` (docs/rules/requests.md, Errors): POST only where
 * Remix finds a route with an action.
 */
export const methodsOfPage = (path: string) =>
  findRoute(path).hasAction ? ["GET", "HEAD", "POST"] : ["GET", "HEAD"];

/** The pattern of the route at that path, such as `/tours/:slug`, or `/*` without a route. */
export const getRoutePattern = (path: string) =>
  path.startsWith("/build/") ? "/build/*" : findRoute(path).pattern;
