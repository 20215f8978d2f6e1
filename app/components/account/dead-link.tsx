import type { ReactNode } from "react";

/** What the page of a link says when the link does not work; `children` leads on. */
export function DeadLink({ children }: { children: ReactNode }) {
  return (
    <div className="narrow stack">
      <h1>This link does not work any more</h1>
      <p className="lead">
        It was used already, or is too old, or a newer one was sent after it. Please make sure that
        you have opened the whole address, too.
      </p>
      <div className="row">{children}</div>
    </div>
  );
}
