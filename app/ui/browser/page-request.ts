import { createContext, useContext } from "react";

export interface PageScript {
  type: string;
  text: string;
}

interface PageOfRequest {
  /** The page's id in the log. */
  requestId: string;
  /** The platform's colours. */
  styles: string;
  /** In place of React; null where React takes over the page. */
  scripts: PageScript[] | null;
}

/** Empty in the browser. */
export const PageRequest = createContext<PageOfRequest>({
  requestId: "",
  styles: "",
  scripts: null,
});
export const usePageRequest = () => useContext(PageRequest);
