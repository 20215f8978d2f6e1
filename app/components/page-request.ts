import { createContext, useContext } from "react";

/**
 * What only the server knows of a page's request; both are empty in the browser.
 * - `nonce`: of its Content-Security-Policy
 * - `requestId`: its name in the log
 */
export const PageRequest = createContext({ nonce: "", requestId: "" });
export const usePageRequest = () => useContext(PageRequest);
