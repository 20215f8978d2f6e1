import type { ReactNode } from "react";

/** What the page of a link says when the link does not work; `children` leads on. */
export function DeadLink({ children }: { children: ReactNode }) {
  return (
    <div className="narrow stack">
      <h1>This link no longer works</h1>
      <p className="lead">
        It has been used, has expired or was replaced by a newer one. Please also make sure that you
        have opened the whole address.
      </p>
      <div className="row">{children}</div>
    </div>
  );
}
