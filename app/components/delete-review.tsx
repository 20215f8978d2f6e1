import { Link } from "@remix-run/react";
import { useState } from "react";
import type { DeletionDialog } from "./deletion-dialog";

/** Links to the page that asks before a review is deleted; where scripts run, a dialog asks instead. */
export function DeleteReviewLink({ reviewId }: { reviewId: string }) {
  const href = `/reviews/${reviewId}/delete`;
  const [Dialog, setDialog] = useState<typeof DeletionDialog>();
  // Few ask for it, so that only they load it.
  const ask = () =>
    import("./deletion-dialog").then(
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
        Delete<span className="visually-hidden"> your review</span>
      </Link>
      {Dialog && <Dialog href={href} onClose={() => setDialog(undefined)} />}
    </>
  );
}
