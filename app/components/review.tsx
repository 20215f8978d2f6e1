import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Avatar } from "./avatar";
import { ReviewStars } from "./stars";
import { Time } from "./time";

export interface ShownReview {
  id: string;
  rating: number | null;
  comment: string | null;
  createdAt: string;
  edited: boolean;
  verified: boolean;
  user: { name: string; image: string | null };
}

/** One review as everyone sees it; `children` are the links for its author. */
export function Review({ review, children }: { review: ShownReview; children?: ReactNode }) {
  const name = review.user.name || "An explorer";
  return (
    <article className="review" id={`review-${review.id}`} aria-label={`Review by ${name}`}>
      <div className="review-head">
        <Avatar name={name} image={review.user.image} />
        <div>
          <strong>
            <bdi>{name}</bdi>
          </strong>
          <p className="muted small">
            <Time at={review.createdAt} />
            {review.edited && " · edited"}
          </p>
        </div>
        {review.verified ? (
          <a className="badge" href="#verified">
            <Check />
            Verified booking
          </a>
        ) : (
          <a className="badge badge-quiet" href="#verified">
            Booking not checked
          </a>
        )}
      </div>
      <p className="comment-stars">
        <ReviewStars rating={review.rating} />
      </p>
      {review.comment && <p className="comment">{review.comment}</p>}
      {children}
    </article>
  );
}

function Check() {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <path d="M6.4 13.2 1.6 8.4l1.9-1.9 2.9 2.9 6.1-6.6 2 1.8z" fill="currentColor" />
    </svg>
  );
}

/** The links with which a review's author edits or deletes it. */
export function OwnReviewLinks({
  reviewId,
  left,
  deleteLink,
}: {
  reviewId: string;
  /** How long it can still be edited, in words; null when it no longer can. */
  left: string | null;
  deleteLink: ReactNode;
}) {
  return (
    <p className="row own-review no-print">
      {left ? (
        <>
          <Link className="button button-quiet button-small" to={`/reviews/${reviewId}/edit`}>
            Edit<span className="visually-hidden"> your review</span>
          </Link>
          {deleteLink}
          <span className="muted small">{left} to edit</span>
        </>
      ) : (
        <>
          {deleteLink}
          <span className="muted small">The 24 hours for editing are over</span>
        </>
      )}
    </p>
  );
}
