import { Link, useLocation } from "@remix-run/react";
import type { ReviewEligibility } from "~/reviews/may-review.server";
import { Rating } from "~/ui/stars";
import type { TourPage } from "./tours.server";
import { Cover } from "./cover";
import { Facts } from "./facts";
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
          {tour.description && <Link to={{ search, hash: "description" }}>Description</Link>}
          <Link to={{ search, hash: "reviews" }}>Reviews</Link>
          <Link to={{ search, hash: "write" }}>{writingTitle(standing)}</Link>
        </nav>
      </div>
    </div>
  );
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

/** An empty line begins a paragraph. */
export function Description({ text }: { text: string }) {
  return (
    <section className="stack description" id="description" aria-label="Description">
      {text.split(/\n{2,}/).map((paragraph, index) => (
        <p key={index} dir="auto">
          {paragraph}
        </p>
      ))}
    </section>
  );
}
