import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** False on the server and while React takes over the server's page, then always true. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
