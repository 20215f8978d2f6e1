import { Link } from "@remix-run/react";
import type { TourPage } from "~/services/tours/tours.server";
import { tourPath } from "../paths";
import { reviewsInWords } from "../stars";

interface Props {
  tour: TourPage;
  /** The rating that was posted. */
  rating: number | null;
  /** Whether nobody has reviewed the tour since. */
  isNewest: boolean;
  /** A tour that waits for the author's review. */
  next: { title: string; slug: string } | null;
}

/** Thanks for the review that was just posted, and says what it did to the tour. */
export function PostedNote({ tour, rating, isNewest, next }: Props) {
  const { reviewCount: count } = tour;
  return (
    <div className="note posted" role="status">
      <p>
        {isNewest
          ? `Thank you. Yours is the ${ordinal(count)} review; the tour ${meanInWords(tour, rating)}.`
          : `Thank you. The tour now has ${reviewsInWords(count)} and ${meanInWords(tour, rating)}.`}
      </p>
      {next && (
        <p>
          Next: <Link to={`${tourPath(next.slug)}#write`}>review {next.title}</Link>
        </p>
      )}
    </div>
  );
}

/** What the tour's mean does with a review of that rating: "rises to 4.3". */
function meanInWords({ avgRating, ratingCounts }: TourPage, rating: number | null): string {
  const rated = Object.values(ratingCounts).reduce((sum, count) => sum + count, 0);
  const now = avgRating.toFixed(1);
  if (rated < 2 || rating === null) return `stands at ${now}`;
  // Without it, of the present reviews: true whoever has posted meanwhile. Rounded, as a product is not exact.
  const without = Math.round((avgRating * rated - rating) * 1e6) / 1e6 / (rated - 1);
  if (without.toFixed(1) === now) return `stays at ${now}`;
  return `${without < avgRating ? "rises" : "goes"} to ${now}`;
}

const ENDINGS: Partial<Record<Intl.LDMLPluralRule, string>> = { one: "st", two: "nd", few: "rd" };
const plurals = new Intl.PluralRules("en-GB", { type: "ordinal" });

/** "first", "2nd", "61st". */
const ordinal = (count: number) =>
  count === 1 ? "first" : count.toLocaleString("en-GB") + (ENDINGS[plurals.select(count)] ?? "th");
