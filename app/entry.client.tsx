import { RemixBrowser } from "@remix-run/react";
import { startTransition, StrictMode, useEffect, useLayoutEffect } from "react";
import { hydrateRoot } from "react-dom/client";
import { sentMetadata, SITE_ID } from "~/ui/document";
import { copyExamples } from "~/ui/browser/copied-examples";
import { takeOver, tookOver } from "~/ui/browser/first-page";
import { keepInput } from "~/ui/browser/kept-input";
import { closeMenus } from "~/ui/browser/menus";

/**
 * Resolves when the loaders' data of the page is decoded. `RemixBrowser` suspends on that by throwing its promise: a
 * key or click in the meantime would end the page with React's error 345, as the root must not suspend while an event
 * is answered.
 */
async function pageData(): Promise<void> {
  try {
    RemixBrowser({});
  } catch (pending) {
    await (pending as Promise<void>);
  }
}

function Site() {
  useLayoutEffect(() => input.restore(), []);
  useEffect(() => {
    tookOver();
    input.refocus();
    // For who must know that the scripts answer now, as tests do.
    document.documentElement.dataset.ready = "";
  }, []);
  return <RemixBrowser />;
}

// Remix decodes an answer before its end, and turbo-stream tells of an end that does not come in a promise for which
// nobody asks. To leave a page in between is no error.
addEventListener("unhandledrejection", (event) => {
  const reason: unknown = event.reason;
  if (reason instanceof DOMException && reason.name === "AbortError") event.preventDefault();
});

// The scripts have just been evaluated: a phone is to answer a touch before it goes on.
await new Promise((resolve) => setTimeout(resolve));
await pageData();
closeMenus();
copyExamples();
// A page that the browser shows again as it was left may be from before a log-in.
addEventListener("pageshow", ({ persisted }) => persisted && window.__remixRouter.revalidate());
const site = document.getElementById(SITE_ID)!;
const input = keepInput(site);
const sent = {
  // Into another document: a copy in this one would load all pictures at once, however far below.
  site: document.implementation.createHTMLDocument().importNode(site, true),
  title: document.title,
  metadata: sentMetadata(),
};
startTransition(() => {
  const root = hydrateRoot(
    site,
    <StrictMode>
      <Site />
    </StrictMode>,
  );
  if (window.__remixContext.state.errors) return;
  takeOver(() =>
    // React is still busy with the page of the error.
    queueMicrotask(() => {
      root.unmount();
      site.replaceChildren(...sent.site.childNodes);
      document.head.append(...sent.metadata);
      document.title = sent.title;
      input.restore();
    }),
  );
});
