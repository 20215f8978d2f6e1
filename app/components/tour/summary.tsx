import { Link } from "@remix-run/react";
import { REVIEW_SORTS, type ReviewSort } from "~/services/reviews/limits";
import type { TourPage } from "~/services/tours/tours.server";
import { reviewsInWords, Stars } from "../stars";
import { reviewsAddress, type Selection } from "./address";

const STARS = [5, 4, 3, 2, 1] as const;
const SORT_NAMES: Record<ReviewSort, string> = {
  newest: "Newest",
  highest: "Highest",
  lowest: "Lowest",
};

const starsInWords = (count: number) => `${count} ${count === 1 ? "star" : "stars"}`;

interface Props extends Selection {
  tour: TourPage;
  /** How many reviews are in the selection. */
  total: number;
}

/** A tour's mean and the distribution of its ratings, with links that filter and sort the reviews. */
export function Summary({ tour, total, stars, sort }: Props) {
  const most = Math.max(...Object.values(tour.ratingCounts));
  return (
    <div className="stack">
      <div className="card summary">
        <p className="score">
          <strong>{tour.avgRating ? tour.avgRating.toFixed(1) : "–"}</strong>
          <span>
            <Stars value={tour.avgRating} />
            <span className="muted">
              <span className="visually-hidden">out of 5 from </span>
              {reviewsInWords(tour.reviewCount)}
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
                    {count}
                    <span className="visually-hidden"> {count === 1 ? "review" : "reviews"}</span>
                  </span>
                </Link>
              </li>
            );
          })}
        </ul>
      </div>
      <div className="row spread no-print">
        <nav className="chips" aria-label="Sort reviews by">
          {REVIEW_SORTS.map((name) => (
            <Link
              key={name}
              to={reviewsAddress(tour.slug, { stars, sort: name })}
              aria-current={sort === name ? "true" : undefined}
            >
              {SORT_NAMES[name]}
            </Link>
          ))}
        </nav>
        {stars && (
          <p className="muted small" role="status">
            {reviewsInWords(total)} with {starsInWords(stars)} ·{" "}
            <Link to={reviewsAddress(tour.slug, { stars: null, sort })}>show all</Link>
          </p>
        )}
      </div>
    </div>
  );
}
