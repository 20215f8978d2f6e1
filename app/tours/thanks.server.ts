import type { ReviewPage } from "~/reviews/list/page.server";
import { reviewsInWords, shownMean } from "~/ui/stars";
import type { TourPage } from "./tours.server";

/** Null when `page` does not show the review. */
export function thanksFor(tour: TourPage, page: ReviewPage, reviewId: string): string | null {
  const index = page.reviews.findIndex(({ id }) => id === reviewId);
  const posted = page.reviews[index];
  if (!posted) return null;
  const mean = newMeanInWords(tour, posted.rating);
  // Others may have posted since.
  return index === 0
    ? `Thank you, your review is live. It’s the ${ordinal(tour.reviewCount)}; the rating ${mean}.`
    : `Thank you, your review is live. The tour now has ${reviewsInWords(tour.reviewCount)}; the rating ${mean}.`;
}

/** How a review of that rating changes the tour's mean: "is now 4.3", "stays at 4.2". */
function newMeanInWords({ avgRating, ratingCounts }: TourPage, rating: number | null): string {
  const rated = Object.values(ratingCounts).reduce((sum, count) => sum + count, 0);
  const now = shownMean(avgRating);
  if (rated < 2 || rating === null) return `is now ${now}`;
  // The others' mean from the present reviews, so later posts do not matter. Rounded, as a product is not exact.
  const without = Math.round((avgRating * rated - rating) * 1e6) / 1e6 / (rated - 1);
  if (shownMean(without) === now) return `stays at ${now}`;
  return `is now ${now}`;
}

const ENDINGS: Partial<Record<Intl.LDMLPluralRule, string>> = { one: "st", two: "nd", few: "rd" };
const plurals = new Intl.PluralRules("en-GB", { type: "ordinal" });

/** "first", "2nd", "61st". */
const ordinal = (count: number) =>
  count === 1 ? "first" : count.toLocaleString("en-GB") + (ENDINGS[plurals.select(count)] ?? "th");
