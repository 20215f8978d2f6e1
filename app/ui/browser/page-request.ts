import { createContext, useContext } from "react";

/** The nonce of the page's Content-Security-Policy and its id in the log; both are empty in the browser. */
export const PageRequest = createContext({ nonce: "", requestId: "" });
export const usePageRequest = () => useContext(PageRequest);
