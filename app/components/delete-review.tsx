import { Link, useFetcher } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import type { Deletion, DeletionQuestion } from "./deletion-question";

/** Links to the page that asks before a review is deleted; where scripts run, a dialog asks instead. */
export function DeleteReviewLink({ reviewId }: { reviewId: string }) {
  const href = `/reviews/${reviewId}/delete`;
  const fetcher = useFetcher<Deletion>();
  const dialog = useRef<HTMLDialogElement>(null);
  // Few ask for it, so that only they load it.
  const [Question, setQuestion] = useState<typeof DeletionQuestion>();
  const deletion = fetcher.data;
  useEffect(() => {
    if (deletion && Question && fetcher.state === "idle") dialog.current?.showModal();
  }, [deletion, Question, fetcher.state]);
  const ask = () => {
    fetcher.load(href);
    import("./deletion-question").then(
      (loaded) => setQuestion(() => loaded.DeletionQuestion),
      () => location.assign(href),
    );
  };
  return (
    <>
      <Link
        className="button button-danger button-small"
        to={href}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          ask();
        }}
      >
        Delete<span className="visually-hidden"> your review</span>
      </Link>
      {deletion && Question && (
        <dialog ref={dialog} aria-labelledby="delete-title" className="stack">
          <h2 id="delete-title">Delete your review?</h2>
          <Question {...deletion} onCancel={() => dialog.current?.close()} />
        </dialog>
      )}
    </>
  );
}
