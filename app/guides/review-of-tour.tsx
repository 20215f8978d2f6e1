import { Link } from "@remix-run/react";
import type { ReactElement } from "react";
import { Avatar } from "~/ui/avatar";
import { ReviewFacts } from "~/reviews/list/booking-check";
import { Written } from "~/reviews/list/comment";
import { reviewPath, tourPath } from "~/ui/paths";
import { Redaction } from "~/reviews/redaction";
import { nameOf } from "~/reviews/list/review";
import { Reply } from "~/reviews/replies/reply";
import { ReviewStars } from "~/ui/stars";
import type { ReviewOfTour as Shown } from "./guide-reviews.server";

export function ReviewOfTour({
  review,
  isNew = false,
  children,
}: {
  review: Shown;
  isNew?: boolean;
  children?: ReactElement | false | null;
}) {
  const { rating, comment, user, tour, redaction, reply } = review;
  const name = nameOf(review);
  return (
    <>
      <div className="review-head">
        <Avatar name={name} image={user.image} />
        <div>
          <p className="row">
            <strong>
              <bdi translate="no">{name}</bdi>
            </strong>
            <ReviewStars rating={rating} />
          </p>
          <ReviewFacts of={review} zone={tour.timeZone} />
          <p className="muted small review-facts">
            <Link to={tourPath(tour.slug)}>
              <bdi>{tour.title}</bdi>
            </Link>
            <span className="no-print">
              {" · "}
              <Link to={reviewPath(review.id)}>
                See the review
                <span className="visually-hidden">
                  {" "}
                  by <bdi translate="no">{name}</bdi>
                </span>
              </Link>
            </span>
          </p>
        </div>
        {isNew && <span className="badge">New</span>}
      </div>
      {comment ? (
        <Written text={comment} />
      ) : redaction ? (
        <Redaction redaction={redaction} timeZone={tour.timeZone} />
      ) : null}
      {reply && <Reply reply={reply} timeZone={tour.timeZone} />}
      {children}
    </>
  );
}
