import { Link } from "@remix-run/react";
import { Avatar } from "~/ui/avatar";
import { guidePath } from "~/ui/paths";
import { hoursInWords, Time } from "~/ui/time";
import type { TourPage } from "./tours.server";

export function Facts({ tour, departed }: { tour: TourPage; departed: boolean }) {
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
