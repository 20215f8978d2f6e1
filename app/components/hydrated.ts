import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** False on the server and while React takes the server's page over, true ever after. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
