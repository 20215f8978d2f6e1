import { useState } from "react";
import { useHydrated } from "./hydrated";

/** A button that copies a text; only where scripts run and the browser lets them copy. */
export function CopyButton({ text, children }: { text: string; children: string }) {
  const [outcome, setOutcome] = useState("");
  // Pages without HTTPS have none.
  const canCopy = useHydrated() && "clipboard" in navigator;
  if (!canCopy) return null;
  const copyText = () =>
    navigator.clipboard.writeText(text).then(
      () => setOutcome("Copied"),
      // A browser may refuse it, such as to a window without the focus.
      () => setOutcome("Not copied: please select it and copy it yourself."),
    );
  return (
    <p className="row">
      <button
        type="button"
        className="button button-quiet button-small"
        onClick={() => void copyText()}
      >
        {children}
      </button>
      <span aria-live="polite">{outcome}</span>
    </p>
  );
}
