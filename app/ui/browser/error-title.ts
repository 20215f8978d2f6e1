import { useEffect } from "react";
import { useHydrated } from "./hydrated";

// The title of a page that reports an error or has refused a form begins with this, so that it is
// read aloud first. The server adds it by the page's status (app/entry.server.tsx), scripts by the
// page's content.

const ERROR = "Error: ";
/** Marks a title that begins with it, as a tour's own may, too. */
const MARK = "data-error";

/** Writes it into a document that is being sent. */
export const withErrorTitle = (html: string) =>
  html.replace("<title>", `<title ${MARK}="">${ERROR}`);

function removeErrorTitle(): void {
  const title = document.querySelector(`title[${MARK}]`);
  title?.removeAttribute(MARK);
  if (title?.textContent.startsWith(ERROR)) document.title = document.title.slice(ERROR.length);
}

let errors = 0;

/** Writes it for as long as `isError`; several may say so of one page. */
export function useErrorTitle(isError: boolean): void {
  // Until then the title is the one that the server has sent (app/ui/document.tsx).
  const isHydrated = useHydrated();
  useEffect(() => {
    if (!isError || !isHydrated) return;
    removeErrorTitle();
    document.title = ERROR + document.title;
    document.querySelector("title")?.setAttribute(MARK, "");
    errors++;
    return () => {
      if (--errors === 0) removeErrorTitle();
    };
  }, [isError, isHydrated]);
}
