import { Form, Link, useFetcher } from "@remix-run/react";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { SubmitButton } from "~/ui/forms";
import { reviewAddress } from "~/ui/paths";
import { reviewsInWords, shownMean } from "~/ui/stars";
import type { getDeletableReview } from "./own-review.server";

/** The loader data of the page that asks. */
type Deletion = Awaited<ReturnType<typeof getDeletableReview>> & { back: string };

interface DeleteReviewLinkProps {
  reviewId: string;
  back?: string | undefined;
  /** Say to screen readers which review it is. */
  children: ReactElement;
}

/** Leads to the page that asks first; where scripts run, a dialog asks instead. */
export function DeleteReviewLink({ reviewId, back, children }: DeleteReviewLinkProps) {
  const [isAsking, setAsking] = useState(false);
  const query = back === undefined ? "" : `?${new URLSearchParams({ back }).toString()}`;
  const href = `/reviews/${reviewId}/delete${query}`;
  return (
    <>
      <Link
        className="button button-danger button-small"
        to={href}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          setAsking(true);
        }}
      >
        <span>Delete</span>
        {children}
      </Link>
      {isAsking && <DeletionDialog href={href} onClose={() => setAsking(false)} />}
    </>
  );
}

function DeletionDialog({ href, onClose }: { href: string; onClose: () => void }) {
  const { load, data, state } = useFetcher<Deletion>();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => load(href), [load, href]);
  useEffect(() => {
    if (data && state === "idle" && !dialog.current?.open) dialog.current?.showModal();
  }, [data, state]);
  if (!data) return null;
  return (
    <dialog ref={dialog} aria-labelledby="delete-title" className="stack" onClose={onClose}>
      <h2 id="delete-title">Delete your review?</h2>
      <DeletionQuestion review={data} onCancel={() => dialog.current?.close()} />
    </dialog>
  );
}

/** Without `onCancel`, which closes the dialog, a link leads back to the tour, or to where the reader came from. */
export function DeletionQuestion({
  review: { id, tour, effect, back },
  onCancel,
}: {
  review: Deletion;
  onCancel?: () => void;
}) {
  const { before, after } = effect;
  const action = `/reviews/${id}/delete`;
  const from = shownMean(before.avgRating);
  const to = shownMean(after.avgRating);
  return (
    <div className="stack">
      <p>
        Your review of{" "}
        <strong>
          <bdi>{tour.title}</bdi>
        </strong>{" "}
        will be permanently deleted.{" "}
        <span>
          {after.reviewCount === 0
            ? "It is the only one, so the tour will have no rating."
            : `The tour’s average rating ${from === to ? `stays ${to}` : `changes from ${from} to ${to}`}, with ${reviewsInWords(after.reviewCount)} left.`}
        </span>
      </p>
      <p>You can write a new one afterwards.</p>
      <Form method="post" action={action} className="row">
        {back && <input type="hidden" name="back" value={back} />}
        {onCancel ? (
          <button type="button" className="button button-quiet" onClick={onCancel}>
            Keep my review
          </button>
        ) : (
          <Link className="button button-quiet" to={back || reviewAddress(id)}>
            Keep my review
          </Link>
        )}
        <SubmitButton action={action} className="button-danger">
          Delete my review
        </SubmitButton>
      </Form>
    </div>
  );
}
