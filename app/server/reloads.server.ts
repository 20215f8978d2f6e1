import type { EntryContext } from "@remix-run/node";
import type { matchRoutes } from "@remix-run/react";
import type { Answer } from "./api-route.server";

export interface KnownRoutes {
  routes: EntryContext["manifest"]["routes"];
  tree: Parameters<typeof matchRoutes>[0];
  /** The segments of their paths that are not parameters. */
  names: Set<string>;
  secretPaths: string[];
  /** By the kind of path. */
  found: Map<string, KnownRoute>;
}

export interface KnownRoute {
  pattern: string;
  hasAction: boolean;
}

/** The route of a path as Remix gets it, if it has one. */
export type FindApiRoute = (
  remixPath: string,
) => { answer: Answer; params: Record<string, string | undefined> } | undefined;

interface Shared {
  started?: Promise<void>;
  pages?: KnownRoutes;
  findApiRoute?: FindApiRoute;
}

const KEY = Symbol.for("tour-reviews");

/**
 * The development server loads the app anew after each change, as new modules, while the guard of the first load goes
 * on serving; a global is the only thing that both can see.
 */
export const shared: Shared = ((globalThis as { [KEY]?: Shared })[KEY] ??= {});
