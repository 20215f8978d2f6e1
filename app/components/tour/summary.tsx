import { Link } from "@remix-run/react";
import { REVIEW_SORTS, type ReviewSort } from "~/services/limits";
import type { TourPage } from "~/services/tours/tours.server";
import { reviewsInWords, shownMean, Stars, starsInWords } from "../stars";
import { reviewsAddress, type Selection } from "./address";

const STARS = [5, 4, 3, 2, 1] as const;
const SORT_NAMES: Record<ReviewSort, string> = {
  newest: "Newest",
  highest: "Highest",
  lowest: "Lowest",
};

interface Props extends Selection {
  tour: TourPage;
}

/** A tour's mean and the distribution of its ratings, with links that filter the reviews. */
export function Summary({ tour, stars, sort }: Props) {
  const most = Math.max(...Object.values(tour.ratingCounts));
  return (
    <section className="card summary" aria-label="Ratings">
      <p className="score">
        <strong>{tour.avgRating ? shownMean(tour.avgRating) : "–"}</strong>
        <span>
          <Stars value={tour.avgRating} />
          <span className="muted">
            <span className="visually-hidden">out of 5 from </span>
            <span>{reviewsInWords(tour.reviewCount)}</span>
          </span>
        </span>
      </p>
      <ul className="histogram">
        {STARS.map((value) => {
          const count = tour.ratingCounts[value];
          return (
            <li key={value}>
              <Link
                to={reviewsAddress(tour.slug, { stars: value, sort })}
                aria-current={stars === value ? "true" : undefined}
              >
                <span>{starsInWords(value)}</span>
                <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                  <rect width={most && (100 * count) / most} height="6" />
                </svg>
                <span>
                  <span>{count}</span>
                  <span className="visually-hidden">{count === 1 ? " review" : " reviews"}</span>
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Links that sort a tour's reviews, and the filter as one that takes it away. */
export function Order({ slug, stars, sort }: Selection & { slug: string }) {
  return (
    <div className="row no-print">
      <nav className="chips" aria-label="Sort reviews by">
        {REVIEW_SORTS.map((name) => (
          <Link
            key={name}
            to={reviewsAddress(slug, { stars, sort: name })}
            aria-current={sort === name ? "true" : undefined}
          >
            {SORT_NAMES[name]}
          </Link>
        ))}
      </nav>
      {stars !== null && (
        <p className="chips">
          <Link to={reviewsAddress(slug, { stars: null, sort })} className="filter">
            <span className="visually-hidden">Take away the filter: </span>
            <span>{starsInWords(stars)}</span>
            <svg viewBox="0 0 16 16" aria-hidden="true">
              <path d="m4 4 8 8m0-8-8 8" stroke="currentColor" strokeWidth="2" />
            </svg>
          </Link>
        </p>
      )}
    </div>
  );
}
