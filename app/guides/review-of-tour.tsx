import { Link } from "@remix-run/react";
import type { ReactElement } from "react";
import { Avatar } from "~/ui/avatar";
import { ReviewFacts } from "~/reviews/list/booking-check";
import { Written } from "~/reviews/list/comment";
import { reviewPath } from "~/ui/paths";
import { Redaction } from "~/reviews/redaction";
import { nameOf } from "~/reviews/list/review";
import { Reply } from "~/reviews/replies/reply";
import { ReviewStars } from "~/ui/stars";
import { ToldApart } from "~/ui/told-apart";
import { TourLink } from "~/ui/tour-link";
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
            <TourLink {...tour} />
            <span className="no-print">
              {" · "}
              <Link to={reviewPath(review.id)}>
                See the review
                <ToldApart words=" by " name={name} />
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
