import { Link } from "@remix-run/react";
import { type ReactElement, useState } from "react";
import type { DeletionDialog } from "~/ui/deletion-dialog";

/** Leads to the page that asks first; where scripts run, a dialog asks instead. */
export function DeleteReviewLink({
  reviewId,
  children,
}: {
  reviewId: string;
  /** Which review it is, for screen readers. */
  children: ReactElement;
}) {
  const href = `/reviews/${reviewId}/delete`;
  const [Dialog, setDialog] = useState<typeof DeletionDialog>();
  // Few ask for it, so that only they load it.
  const ask = () =>
    import("~/ui/deletion-dialog").then(
      ({ DeletionDialog }) => setDialog(() => DeletionDialog),
      () => location.assign(href),
    );
  return (
    <>
      <Link
        className="button button-danger button-small"
        to={href}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          void ask();
        }}
      >
        <span>Delete</span>
        {children}
      </Link>
      {Dialog && <Dialog href={href} onClose={() => setDialog(undefined)} />}
    </>
  );
}
