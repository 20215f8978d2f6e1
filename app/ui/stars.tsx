/** Returns the outline of a star of 20 by 20 units, that far to the right. */
const starAt = (x: number) =>
  `M${10 + x} 1.6l2.6 5.3 5.8.8-4.2 4.1 1 5.8-5.2-2.7-5.2 2.7 1-5.8L${1.6 + x} 7.7l5.8-.8z`;
const STAR = starAt(0);
// One path, because a page has many of them, and each element costs time to render.
const FIVE_STARS = [0, 22, 44, 66, 88].map(starAt).join("");

/** Five stars filled up to `value` (0 to 5), hidden from screen readers: write the number beside them. */
export function Stars({ value }: { value: number }) {
  const whole = Math.floor(value);
  return (
    <svg className="stars" viewBox="0 0 108 20" aria-hidden="true">
      <path className="stars-off" d={FIVE_STARS} />
      {/* An inner svg clips the filled stars: each is 20 wide, with a gap of 2. */}
      <svg width={whole * 22 + (value - whole) * 20} height="20">
        <path className="stars-on" d={FIVE_STARS} />
      </svg>
    </svg>
  );
}

export function Star() {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <path d={STAR} />
    </svg>
  );
}

/** "1 review", "12 reviews". */
export const reviewsInWords = (count: number) =>
  `${count.toLocaleString("en-GB")} ${count === 1 ? "review" : "reviews"}`;

/**
 * A mean (0 to 5) as it is shown everywhere: to one decimal, or so many `digits`, halves up, and "5.0" only where every
 * rating is a 5. Exact for means of up to a hundred million ratings.
 */
export function shownMean(mean: number, digits = 1): string {
  const scale = 10 ** digits;
  // In binary 4.35 is a little less; twelve digits name the decimal that was meant.
  const rounded = Math.round(Number((mean * scale).toPrecision(12)));
  return ((mean < 5 ? Math.min(rounded, 5 * scale - 1) : rounded) / scale).toFixed(digits);
}

/** Returns the count of that many stars (1 to 5). */
export const countForStars = (counts: Record<1 | 2 | 3 | 4 | 5, number>, stars: number): number =>
  counts[stars as keyof typeof counts];

/** "1 star", "4 stars". */
export const starsInWords = (count: number) => `${count} ${count === 1 ? "star" : "stars"}`;

/** `mean` is 0 without reviews. */
export function MeanRating({ mean, count }: { mean: number; count: number }) {
  if (count === 0) return <span className="rating muted">No reviews yet</span>;
  if (mean === 0)
    return <span className="rating muted">{`${reviewsInWords(count)}, no rating`}</span>;
  return (
    <span className="rating">
      <Stars value={mean} />
      <span>
        <strong>{shownMean(mean)}</strong>
        <span className="visually-hidden"> out of 5</span>{" "}
        <span className="muted">{`(${reviewsInWords(count)})`}</span>
      </span>
    </span>
  );
}

export function ReviewStars({ rating }: { rating: number | null }) {
  if (rating === null) return <span className="rating muted small">No rating</span>;
  return (
    <span className="rating">
      <Stars value={rating} />
      <span className="visually-hidden">{`${rating} out of 5 stars`}</span>
    </span>
  );
}
