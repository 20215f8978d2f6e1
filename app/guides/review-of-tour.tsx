import { Link } from "@remix-run/react";
import type { ReactElement } from "react";
import { authorName, ReviewBody } from "~/reviews/list/review";
import { reviewPath } from "~/ui/paths";
import { AccessibleSuffix } from "~/ui/accessible-suffix";
import { TourLink } from "~/ui/tour-link";
import type { ReviewOfTour as Shown } from "./guide-overview.server";

interface Props {
  review: Shown;
  isNew?: boolean;
  children?: ReactElement | false | null;
}

export function ReviewOfTour({ review, isNew = false, children }: Props) {
  const { tour } = review;
  return (
    <>
      <ReviewBody
        review={review}
        timeZone={tour.timeZone}
        below={
          <p className="muted small review-facts">
            <TourLink {...tour} />
            <span className="no-print">
              {"\u00A0· "}
              <Link to={reviewPath(review.id)}>
                See the review
                <AccessibleSuffix words=" by " name={authorName(review)} />
              </Link>
            </span>
          </p>
        }
        aside={isNew && <span className="badge">New</span>}
      />
      {children}
    </>
  );
}
