import type { ApiRoutes } from "./api.server";
import type { KnownRoutes } from "./page-methods.server";

interface Shared {
  /** The start of this process. */
  started?: Promise<void>;
  /** The routes of the app's last load. */
  pages?: KnownRoutes;
  api?: () => ApiRoutes;
}

const KEY = Symbol.for("tour-reviews");

/**
 * What all loads of the app in this process share. The development server loads the app anew after each change, as
 * new modules, while the guard of the first load goes on serving; a global is the only thing that both can see.
 */
export const shared: Shared = ((globalThis as { [KEY]?: Shared })[KEY] ??= {});
