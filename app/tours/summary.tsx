import { Link } from "@remix-run/react";
import { tourChangesPath } from "~/ui/paths";
import { reviewsInWords, shownMean, Stars, starsInWords } from "~/ui/stars";
import type { TourPage } from "./tours.server";
import { reviewsAddress, type Selection, SORTED_FROM } from "./tour-address";

const STARS = [5, 4, 3, 2, 1] as const;
/** With fewer reviews, one more changes the mean by tenths. */
const CERTAIN_FROM = 10;

interface Props {
  tour: TourPage;
  selection: Selection;
  /** How many guests have reviewed it, in words; null where that is not shown. */
  participation: string | null;
}

export function RatingSummary({ tour, selection, participation }: Props) {
  const counts = STARS.map((value) => tour.ratingCounts[value]);
  const shares = starShares(counts, tour.reviewCount);
  const isUncertain = tour.avgRating > 0 && tour.reviewCount < CERTAIN_FROM;
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
      {participation && <p className="muted small">{participation}</p>}
      {isUncertain && (
        <p className="muted small">
          {`${tour.reviewCount === 1 ? "Only one review" : "Only a few reviews"} so far, so this average can still change a lot.`}
        </p>
      )}
      {tour.reviewCount >= SORTED_FROM && (
        <ul className="histogram">
          {STARS.map((value, index) => {
            const count = counts[index] ?? 0;
            const share = shares?.[index];
            const row = (
              <>
                <span>{starsInWords(value)}</span>
                <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                  <rect width={share?.width ?? 0} height="6" />
                </svg>
                <span className="share">{share?.text}</span>
                <span className="muted">
                  <span>{count.toLocaleString("en-GB")}</span>
                  <span className="visually-hidden">{count === 1 ? " review" : " reviews"}</span>
                </span>
              </>
            );
            return (
              <li key={value}>
                {shares && count === 0 ? (
                  <div>{row}</div>
                ) : (
                  <Link
                    to={reviewsAddress(tour.slug, { ...selection, stars: value })}
                    // Invisible where the menu of stars shows the choice; the focus stays on it.
                    aria-current={selection.stars === value ? "true" : undefined}
                  >
                    {row}
                  </Link>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {tour.reviewCount > 0 && (
        <p className="small no-print">
          <Link to={tourChangesPath(tour.slug)}>Rating history</Link>
        </p>
      )}
    </section>
  );
}

interface Share {
  /** The share of all reviews, in per cent. */
  width: number;
  /** The same to a whole number: "62%". */
  text: string;
}

/**
 * Each is rounded on its own: they need not add up to 100. Null where nothing is counted, as on a tour of a platform
 * that counts no stars.
 */
export function starShares(counts: readonly number[], reviewCount: number): Share[] | null {
  const rated = counts.reduce((sum, count) => sum + count, 0);
  if (rated === 0) return null;
  // A platform may have counted fewer reviews than stars.
  const all = Math.max(rated, reviewCount);
  return counts.map((count) => {
    const width = (100 * count) / all;
    return { width, text: shareInWords(width) };
  });
}

function shareInWords(share: number): string {
  const whole = Math.round(share);
  if (share > 0 && whole === 0) return "<1%";
  return share < 100 && whole === 100 ? ">99%" : `${whole}%`;
}
