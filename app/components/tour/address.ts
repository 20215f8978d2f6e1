import { REVIEW_SORTS, type ReviewSort } from "~/services/reviews/limits";
import { tourPath } from "../paths";

/** Which of a tour's reviews a page shows: only those of `stars` unless it is null, in an order. */
export interface Selection {
  stars: number | null;
  sort: ReviewSort;
}

/**
 * The address of the tour's reviews in this selection, from the cursor `after` on. The defaults are
 * left out.
 */
export function reviewsAddress(
  slug: string,
  { stars, sort, after }: Selection & { after?: string },
): string {
  const query = new URLSearchParams({
    ...(stars && { stars: String(stars) }),
    ...(sort !== REVIEW_SORTS[0] && { sort }),
    ...(after && { after }),
  }).toString();
  return `${tourPath(slug)}${query && `?${query}`}#reviews`;
}
