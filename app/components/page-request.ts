import { createContext, useContext } from "react";

/**
 * What only the server knows about a page's request; both are empty in the browser.
 * - `nonce`: the nonce of its Content-Security-Policy
 * - `requestId`: its id in the log
 */
export const PageRequest = createContext({ nonce: "", requestId: "" });
export const usePageRequest = () => useContext(PageRequest);
