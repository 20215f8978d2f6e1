import { Link, useLocation } from "@remix-run/react";
import type { ReviewEligibility } from "~/reviews/may-review.server";
import { Avatar } from "~/ui/avatar";
import { guidePath } from "~/ui/paths";
import { Rating } from "~/ui/stars";
import { hoursInWords, Time } from "~/ui/time";
import type { TourPage } from "./tours.server";
import { Cover } from "./cover";
import { FurtherFacts, isDescribed } from "./facts";
import { writingTitle } from "./why-not";

interface Props {
  tour: TourPage;
  departed: boolean;
  standing: ReviewEligibility["kind"];
}

export function TourHead({ tour, departed, standing }: Props) {
  const { search } = useLocation();
  return (
    <div className="tour-head">
      <div className="hero">
        <Cover tour={tour} />
      </div>
      <div className="stack">
        <h1>
          <bdi>{tour.title}</bdi>
        </h1>
        <div className="row">
          <a href="#reviews" className="plain-link">
            <Rating mean={tour.avgRating} count={tour.reviewCount} />
          </a>
          {tour.bookingUrl && <BookLink url={tour.bookingUrl} />}
        </div>
        <Facts tour={tour} departed={departed} />
        <nav className="chips on-phone no-print" aria-label="On this page">
          {isDescribed(tour) && <Link to={{ search, hash: "description" }}>Description</Link>}
          <Link to={{ search, hash: "reviews" }}>Reviews</Link>
          <Link to={{ search, hash: "write" }}>{writingTitle(standing)}</Link>
        </nav>
      </div>
    </div>
  );
}

function Facts({ tour, departed }: { tour: TourPage; departed: boolean }) {
  return (
    <dl className="facts">
      {tour.location && (
        <div>
          <dt>Where</dt>
          <dd>
            <bdi>{tour.location}</bdi>
          </dd>
        </div>
      )}
      {tour.durationMinutes !== null && (
        <div>
          <dt>Duration</dt>
          <dd>{hoursInWords(tour.durationMinutes)}</dd>
        </div>
      )}
      {tour.date && (
        <div>
          <dt>{departed ? "Last departure" : "Next departure"}</dt>
          <dd>
            <Time at={tour.date} zone={tour.timeZone} form="departure" />
          </dd>
        </div>
      )}
      <FurtherFacts facts={tour.facts} />
      <div>
        <dt>Your guide</dt>
        <dd className="row">
          <Avatar name={tour.guide.name} image={tour.guide.image} small />
          <GuideLink tour={tour} />
        </dd>
      </div>
    </dl>
  );
}

function GuideLink({ tour: { createdById, guide } }: { tour: TourPage }) {
  const path = guidePath(createdById);
  const name = <bdi translate="no">{guide.name}</bdi>;
  return path ? <Link to={path}>{name}</Link> : name;
}

/** The page's one primary action; it names the site that it leads to. On a phone it stays in view. */
function BookLink({ url }: { url: string }) {
  return (
    <p className="row book no-print">
      <a className="button" href={url} rel="external noopener">
        See dates and book
      </a>
      <span className="muted small">
        on <bdi translate="no">{new URL(url).host}</bdi>
      </span>
    </p>
  );
}
