import { useState } from "react";
import { useHydrated } from "./hydrated";

/** A button that copies a text; only where scripts run and the browser lets them copy. */
export function CopyButton({ text, children }: { text: string; children: string }) {
  const [copied, setCopied] = useState(false);
  // Pages without HTTPS have none.
  const canCopy = useHydrated() && "clipboard" in navigator;
  if (!canCopy) return null;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <p className="row">
      <button
        type="button"
        className="button button-quiet button-small"
        onClick={() => void copy()}
      >
        {children}
      </button>
      <span aria-live="polite">{copied ? "Copied" : ""}</span>
    </p>
  );
}
