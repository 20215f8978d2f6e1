import { createContext, useContext } from "react";

/** The nonce of the page's Content-Security-Policy, its id in the log, and the platform's colours; empty in the browser. */
export const PageRequest = createContext({ nonce: "", requestId: "", styles: "" });
export const usePageRequest = () => useContext(PageRequest);
