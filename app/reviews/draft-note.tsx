import type { ReactNode } from "react";

interface Props {
  draft: { found: object | null; discard: () => void };
  children: ReactNode;
}

/** Says that a draft was found, and its children until then: also one line, so that nothing moves. */
export function DraftNote({ draft: { found, discard }, children }: Props) {
  if (!found) return <p className="muted">{children}</p>;
  return (
    <p key="draft" className="muted" role="status">
      Your draft is back.{" "}
      <button type="button" className="link-button" onClick={discard}>
        Discard draft
      </button>
    </p>
  );
}
