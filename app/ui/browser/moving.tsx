import { useLocation } from "@remix-run/react";
import { useEffect, useState } from "react";

// Things that browsers do by themselves when a page is loaded, and that need code when scripts
// change the page.

type RouterLocation = ReturnType<typeof useLocation>;

/** The place that is shown; outside of React, because an error replaces the whole frame. */
let shown: RouterLocation | undefined;

/**
 * After a navigation by scripts, puts the focus on what the fragment of the address names, otherwise on the page's
 * heading, which screen readers then say. Belongs around the page, so that the page's own effects come first.
 */
export function useFocusOnArrival(): void {
  const place = useLocation();
  useEffect(() => {
    const before = shown;
    shown = place;
    // The browser does it for the first page.
    if (before && before.key !== place.key) arrive(place, before.pathname === place.pathname);
  }, [place]);
}

function arrive({ hash }: RouterLocation, isSamePage: boolean): void {
  const focused = document.activeElement;
  // Put there by the page itself: on an error or on a message.
  if (focused?.closest("main :is([role=alert], [role=status], [aria-invalid=true])")) return;
  // A visitor who searches, sorts or filters continues there.
  if (isSamePage && focused?.closest("main :is(form, .menu, [aria-current=true])")) return;
  const target =
    document.getElementById(hash.slice(1)) ?? document.querySelector<HTMLElement>("main h1");
  if (!target || target.contains(focused)) return;
  if (target.tabIndex < 0) target.tabIndex = -1;
  // Remix scrolls the page: going back leads to where the reader was.
  target.focus({ preventScroll: true });
}

/** Where scripts run, the message can be dismissed, and goes with the next thing that is done. */
export function Notice({ data }: { data: { notice: string | null } | undefined }) {
  const { key } = useLocation();
  const [arrival, setArrival] = useState({ data, key });
  if (arrival.data !== data) setArrival({ data, key });
  if (!data?.notice || arrival.key !== key) return null;
  const dismiss = () => {
    setArrival({ data, key: "dismissed" });
    document.getElementById("main")?.focus({ preventScroll: true });
  };
  return (
    <div className="note flash">
      <p role="status">{data.notice}</p>
      <button type="button" aria-label="Dismiss this message" onClick={dismiss}>
        ×
      </button>
    </div>
  );
}
