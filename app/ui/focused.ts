import { useEffect, useRef } from "react";

/** The attributes of a message that takes the focus, so that nobody misses it: once for each `message`. */
export function useFocused(message: unknown, takesFocus = true) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) ref.current?.focus();
  }, [message, takesFocus]);
  // The attribute focuses it where no script runs.
  return { tabIndex: -1, ref, autoFocus: takesFocus };
}
