import { Fragment } from "react";
import { Link } from "@remix-run/react";
import type { TourCard as Card } from "~/tours/search/search.server";
import { Avatar } from "~/ui/avatar";
import { tourPath } from "~/ui/paths";
import { authorName } from "~/reviews/list/review";
import { MeanRating, ReviewStars } from "~/ui/stars";
import { hoursInWords, Time } from "~/ui/time";
import { Cover } from "./pictures";

export function TourCards({ tours, level }: { tours: Card[]; level: "h2" | "h3" }) {
  return (
    <ul className="tours">
      {tours.map((tour, n) => (
        <TourCard key={tour.id} tour={tour} Heading={level} place={n} />
      ))}
    </ul>
  );
}

interface TourCardProps {
  tour: Card;
  Heading: "h2" | "h3";
  place: number;
}

function TourCard({ tour, Heading, place }: TourCardProps) {
  const { title, slug, guide, nextDate, askedDate, timeZone, quote, location, durationMinutes } =
    tour;
  const duration = durationMinutes && hoursInWords(durationMinutes);
  const inShort = [location, duration, tour.price?.words].filter(Boolean);
  return (
    <li className="tour-card">
      <Cover tour={tour} place={place} />
      <div>
        <Heading>
          <Link to={tourPath(slug)}>
            <bdi>{title}</bdi>
          </Link>
        </Heading>
        {inShort.length > 0 && (
          <p className="muted small">
            {inShort.map((fact, n) => (
              <Fragment key={n}>
                {n > 0 && <span>{"\u00A0· "}</span>}
                <bdi>{fact}</bdi>
              </Fragment>
            ))}
          </p>
        )}
        <MeanRating mean={tour.avgRating} count={tour.reviewCount} />
        {quote && (
          <figure className="small">
            <blockquote dir="auto" lang={quote.language ?? undefined}>
              {quote.text}
            </blockquote>
            <figcaption>
              <ReviewStars rating={quote.rating} />
              <bdi translate="no">{authorName(quote)}</bdi>
            </figcaption>
          </figure>
        )}
        <p className="tour-guide small">
          <Avatar name={guide.name} image={guide.image} small />
          <span className="muted">
            <span>
              With <bdi translate="no">{guide.name}</bdi>
            </span>
            {nextDate && (
              <span key="next">
                <br />
                Next: <Time at={nextDate} zone={timeZone} form="short" />
              </span>
            )}
            {askedDate && (
              <span key="asked">
                <br />
                On <Time at={askedDate} zone={timeZone} form="short" />
              </span>
            )}
          </span>
        </p>
      </div>
    </li>
  );
}
