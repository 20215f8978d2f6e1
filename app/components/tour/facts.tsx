import { Link } from "@remix-run/react";
import type { TourPage } from "~/services/tours/tours.server";
import { Avatar } from "../avatar";
import { guidePath } from "../paths";
import { Time } from "../time";

/**
 * A tour's guide, place, date and duration, as far as they are known; `departed` says whether the date
 * is past.
 */
export function Facts({ tour, departed }: { tour: TourPage; departed: boolean }) {
  // Rounded to a tenth of an hour.
  const hours = tour.durationMinutes && Math.round(tour.durationMinutes / 6) / 10;
  return (
    <aside className="card stack" aria-label="About this tour">
      <p className="row">
        <Avatar name={tour.guide.name} image={tour.guide.image} />
        <span>
          <span className="muted small">Your guide</span>
          <br />
          <strong>
            <GuideLink tour={tour} />
          </strong>
        </span>
      </p>
      <dl className="facts">
        {tour.location && (
          <>
            <dt>Where</dt>
            <dd>{tour.location}</dd>
          </>
        )}
        {tour.date && (
          <>
            <dt>{departed ? "Last departure" : "Next departure"}</dt>
            <dd>
              <Time at={tour.date} />
            </dd>
          </>
        )}
        {hours && (
          <>
            <dt>Duration</dt>
            <dd>
              {hours} {hours === 1 ? "hour" : "hours"}
            </dd>
          </>
        )}
      </dl>
    </aside>
  );
}

function GuideLink({ tour: { createdById, guide } }: { tour: TourPage }) {
  const path = guidePath(createdById);
  const name = <bdi>{guide.name}</bdi>;
  return path ? <Link to={path}>{name}</Link> : name;
}
