import { Form, Link } from "@remix-run/react";
import { SubmitButton } from "./forms";
import { reviewAddress } from "./paths";
import { reviewsInWords, shownMean } from "./stars";

interface Aggregates {
  avgRating: number;
  reviewCount: number;
}

/** The loader data of the page that asks. */
export interface Deletion {
  review: { id: string; effect: { before: Aggregates; after: Aggregates } };
  tour: { title: string; slug: string | null };
}

interface DeletionQuestionProps extends Deletion {
  /** Closes the dialog that asks; without it, a link leads back to the tour. */
  onCancel?: () => void;
}

export function DeletionQuestion({ review, tour, onCancel }: DeletionQuestionProps) {
  const { before, after } = review.effect;
  const action = `/reviews/${review.id}/delete`;
  const [from, to] = [before, after].map(({ avgRating }) => shownMean(avgRating));
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
        {onCancel ? (
          <button type="button" className="button button-quiet" onClick={onCancel}>
            Keep my review
          </button>
        ) : (
          <Link className="button button-quiet" to={reviewAddress(review.id)}>
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
