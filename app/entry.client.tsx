import { RemixBrowser } from "@remix-run/react";
import { startTransition, StrictMode, useEffect, useLayoutEffect } from "react";
import { hydrateRoot } from "react-dom/client";
import { SITE_ID } from "~/ui/document";
import { keepInput } from "~/ui/browser/kept-input";

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
    input.refocus();
    // For who must know that the scripts answer now, as tests do.
    document.documentElement.dataset.ready = "";
  }, []);
  return <RemixBrowser />;
}

// The scripts have just been evaluated: a phone is to answer a touch before it goes on.
await new Promise((resolve) => setTimeout(resolve));
await pageData();
// A page that the browser shows again as it was left may be from before a log-in.
addEventListener("pageshow", ({ persisted }) => persisted && window.__remixRouter.revalidate());
const site = document.getElementById(SITE_ID)!;
const input = keepInput(site);
startTransition(() => {
  hydrateRoot(
    site,
    <StrictMode>
      <Site />
    </StrictMode>,
  );
});
