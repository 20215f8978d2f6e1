import { Link, useLocation } from "@remix-run/react";
import type { ReviewEligibility } from "~/reviews/may-review.server";
import { MeanRating } from "~/ui/stars";
import { CLOSED } from "./closed";
import { isDescribed } from "./facts";
import { DrawnCover } from "./pictures";
import type { TourPage } from "./tours.server";
import { writingTitle } from "./write-review";

interface Props {
  tour: TourPage;
  eligibility: ReviewEligibility["kind"];
}

export function TourHead({ tour, eligibility }: Props) {
  const { search } = useLocation();
  return (
    <div className="tour-head stack">
      {!tour.picture && <DrawnCover cover={tour.cover} />}
      <h1>
        <bdi>{tour.title}</bdi>
      </h1>
      <p>
        <a href="#reviews" className="plain-link">
          <MeanRating mean={tour.avgRating} count={tour.reviewCount} />
        </a>
      </p>
      {tour.isClosed && <p>{`${CLOSED} Its reviews stay.`}</p>}
      <nav className="chips on-phone no-print" aria-label="On this page">
        {isDescribed(tour) && <Link to={{ search, hash: "description" }}>Description</Link>}
        <Link to={{ search, hash: "reviews" }}>Reviews</Link>
        <Link to={{ search, hash: "write" }}>{writingTitle(eligibility)}</Link>
      </nav>
    </div>
  );
}
