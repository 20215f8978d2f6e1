interface Props {
  /** Mean rating, 0 without reviews. */
  mean: number;
  count: number;
}

/** A tour's mean rating in words and stars; a tour without reviews has none. */
export function Stars({ mean, count }: Props) {
  if (count === 0) return <p className="muted">No reviews yet</p>;
  const rounded = Math.round(mean);
  return (
    <p>
      <span aria-hidden="true" className="stars">
        {"★".repeat(rounded)}
        {"☆".repeat(5 - rounded)}
      </span>{" "}
      <span>
        {mean.toFixed(1)} out of 5, {count} {count === 1 ? "review" : "reviews"}
      </span>
    </p>
  );
}
