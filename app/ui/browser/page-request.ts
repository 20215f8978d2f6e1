import { createContext, useContext } from "react";

/** The page's id in the log, and the platform's colours; empty in the browser. */
export const PageRequest = createContext({ requestId: "", styles: "" });
export const usePageRequest = () => useContext(PageRequest);
