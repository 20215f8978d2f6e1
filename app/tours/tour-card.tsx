import { Link } from "@remix-run/react";
import type { TourCard as Card } from "~/tours/search/search.server";
import { Avatar } from "~/ui/avatar";
import { tourPath } from "~/ui/paths";
import { nameOf } from "~/reviews/list/review";
import { Rating, ReviewStars } from "~/ui/stars";
import { hoursInWords, Time } from "~/ui/time";
import { Cover } from "./cover";

export function TourCards({ tours, level }: { tours: Card[]; level: "h2" | "h3" }) {
  return (
    <ul className="tours">
      {tours.map((tour) => (
        <TourCard key={tour.id} tour={tour} Heading={level} />
      ))}
    </ul>
  );
}

function TourCard({ tour, Heading }: { tour: Card; Heading: "h2" | "h3" }) {
  const { title, slug, guide, nextDate, timeZone, line } = tour;
  return (
    <li className="tour-card">
      <Cover tour={tour} />
      <div>
        <Heading>
          <Link to={tourPath(slug)}>
            <bdi>{title}</bdi>
          </Link>
        </Heading>
        {(tour.location !== null || tour.durationMinutes !== null) && (
          <p className="muted small">
            <bdi>{tour.location}</bdi>
            <span>{tour.location && tour.durationMinutes && " · "}</span>
            <span>{tour.durationMinutes && hoursInWords(tour.durationMinutes)}</span>
          </p>
        )}
        <Rating mean={tour.avgRating} count={tour.reviewCount} />
        {line && (
          <figure className="small">
            <blockquote dir="auto">{line.text}</blockquote>
            <figcaption>
              <ReviewStars rating={line.rating} />
              <bdi translate="no">{nameOf(line)}</bdi>
            </figcaption>
          </figure>
        )}
        <p className="tour-guide small">
          <Avatar name={guide.name} image={guide.image} small />
          <span className="muted">
            <span>
              With <bdi translate="no">{guide.name}</bdi>
            </span>
            {nextDate ? (
              <span>
                <br />
                Next on <Time at={nextDate} zone={timeZone} form="short" />
              </span>
            ) : null}
          </span>
        </p>
      </div>
    </li>
  );
}
