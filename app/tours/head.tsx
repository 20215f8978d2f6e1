import { Link, useLocation } from "@remix-run/react";
import type { ReviewEligibility } from "~/reviews/may-review.server";
import { Avatar } from "~/ui/avatar";
import { guidePath } from "~/ui/paths";
import { Rating } from "~/ui/stars";
import { hoursInWords, Time } from "~/ui/time";
import type { TourPage } from "./tours.server";
import type { DeparturesToCome } from "./departures.server";
import { Cover } from "./pictures";
import { FurtherFacts, isDescribed } from "./facts";
import { writingTitle } from "./write-review";
import { CLOSED } from "./closed";

interface Departing {
  tour: TourPage;
  departed: boolean;
  toCome: DeparturesToCome;
}

interface Props extends Departing {
  standing: ReviewEligibility["kind"];
}

export function TourHead({ standing, ...departing }: Props) {
  const { search } = useLocation();
  const { tour } = departing;
  return (
    <div className="tour-head">
      <div className="hero">
        <Cover tour={tour} hero />
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
        {tour.isClosed && <p>{`${CLOSED} Its reviews stay.`}</p>}
        <Facts {...departing} />
        <nav className="chips on-phone no-print" aria-label="On this page">
          {isDescribed(tour) && <Link to={{ search, hash: "description" }}>Description</Link>}
          <Link to={{ search, hash: "reviews" }}>Reviews</Link>
          <Link to={{ search, hash: "write" }}>{writingTitle(standing)}</Link>
        </nav>
      </div>
    </div>
  );
}

function Facts({ tour, departed, toCome }: Departing) {
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
      {toCome.next.length > 1 ? (
        <div key="several">
          <dt>Next departures</dt>
          <dd>
            <Departures zone={tour.timeZone} {...toCome} />
          </dd>
        </div>
      ) : (
        tour.departure && (
          <div key="one">
            <dt>{departed ? "Last departure" : "Next departure"}</dt>
            <dd>
              <Time at={tour.departure} zone={tour.timeZone} form="departure" />
            </dd>
          </div>
        )
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

/** The next departures of a tour, and more behind a fold. */
function Departures({ zone, next, folded, later }: DeparturesToCome & { zone: string }) {
  return (
    <>
      <List zone={zone} departures={next} />
      {folded.length > 0 && (
        <details className="hint no-print">
          <summary>{`${folded.length} more`}</summary>
          <List zone={zone} departures={folded} />
          {later > 0 && <p className="muted small">{`And ${later} later`}</p>}
        </details>
      )}
    </>
  );
}

function List({ zone, departures }: { zone: string; departures: DeparturesToCome["next"] }) {
  return (
    <ul className="dates">
      {departures.map(({ at, bookingUrl }) => (
        <li key={at}>
          <Time at={at} zone={zone} form="departure" />
          {bookingUrl && (
            <a href={bookingUrl} rel="external noopener" className="no-print">
              Book
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}
