import type { ReactNode } from "react";
import { useErrorTitle } from "~/ui/browser/error-title";

export const DEAD_LINK = "This link no longer works";

export function DeadLink({ children }: { children: ReactNode }) {
  useErrorTitle(true);
  return (
    <div className="centred stack">
      <h1>{DEAD_LINK}</h1>
      <p className="lead">
        It has been used, has expired or was replaced by a newer one. Please also check that you
        opened the complete address.
      </p>
      <div className="row">{children}</div>
    </div>
  );
}
