import { useLayoutEffect } from "react";

// The page as the server has sent it stays where the scripts fail to take it over: it works without them.

let sendAgain: (() => void) | undefined;

/** Calls `again` where a page fails before `tookOver`. */
export const takeOver = (again: () => void): void => void (sendAgain = again);

export const tookOver = (): void => void (sendAgain = undefined);

/** Belongs into the page that shows an error; the server's own errors stay. */
export function useServersPageInstead(): void {
  useLayoutEffect(() => {
    const again = sendAgain;
    tookOver();
    again?.();
  }, []);
}
