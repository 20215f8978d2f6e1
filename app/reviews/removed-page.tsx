import { Link } from "@remix-run/react";
import { tourPath } from "~/ui/paths";
import { Time } from "~/ui/time";

export const REMOVED = "This review was removed";

interface Props {
  at: string;
  tour: { title: string; slug: string } | null;
  timeZone: string;
}

/** Stands where a review was that an operator has removed. */
export function RemovedPage({ at, tour, timeZone }: Props) {
  return (
    <div className="narrow stack">
      <h1>{REMOVED}</h1>
      <p className="lead">
        This review was removed on <Time at={at} zone={timeZone} /> under{" "}
        <Link to="/about/reviews">our rules</Link>.
      </p>
      {tour && (
        <p>
          <Link className="button" to={`${tourPath(tour.slug)}#reviews`}>
            <span>
              <span>See the reviews of</span> <bdi>{tour.title}</bdi>
            </span>
          </Link>
        </p>
      )}
    </div>
  );
}
