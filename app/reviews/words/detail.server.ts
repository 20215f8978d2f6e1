import type { ReviewDocument } from "#models/review";
import { DAY_MS } from "~/lib/durations";
import { newestFirst, type RowOrder, type Place, reviewPlace } from "~/db/cursor.server";
import { hasComment } from "~/reviews/list/commented.server";
import { plainWords } from "~/search/search-words.server";
import { isDense } from "~/search/spellings.server";

/** Number of words from which on a longer comment scores no higher. */
const WORDS = 100;
const YEAR_MS = 365.25 * DAY_MS;

/**
 * Returns how much a review tells a reader, as `/about/reviews` says it: a hundred words count as two years, a verified
 * booking as one. Later reviews tell more, so that the order of two reviews stays as time passes.
 */
export function detailScore(
  review: Pick<ReviewDocument, "_id" | "comment" | "verified" | "createdAt">,
): number {
  const words = hasComment(review) ? plainWords(review.comment) : [];
  // Two letters of Chinese or Japanese are about a word, and each stands in two pairs.
  const count = words.reduce((sum, word) => sum + (isDense(word) ? 0.5 : 1), 0);
  const years = review.createdAt.getTime() / YEAR_MS;
  const points = 2 * Math.min(1, count / WORDS) + (review.verified === true ? 1 : 0) + years;
  return Number(points.toFixed(4));
}

export const mostDetailedFirst: RowOrder = (a, b) =>
  (b.telling ?? 0) - (a.telling ?? 0) || newestFirst(a, b);

export const detailPlace = (review: ReviewDocument): Place => ({
  ...reviewPlace(review),
  telling: detailScore(review),
});
