import type { KnownRoutes } from "~/server/guard/page-methods.server";
import type { FindApiRoute } from "./api.server";

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
