import { createContext, useContext } from "react";

/** The page's Content-Security-Policy nonce; empty in the browser, which hides it from scripts. */
export const NonceContext = createContext("");
export const useNonce = () => useContext(NonceContext);
